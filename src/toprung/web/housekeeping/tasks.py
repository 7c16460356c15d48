"""What does the worker do by itself? Each of these is due after a while, whichever worker is free then."""

from __future__ import annotations

from django.tasks import task

from toprung.web.housekeeping import orphans, tidying, trying_again
from toprung.web.submissions.forgetting import forget_stray_pieces


@task()
def try_again() -> None:
    """Take up what failed because the store or the database was away."""
    trying_again.try_again()


@task(priority=-10)
def keep_house() -> None:
    """Delete what is done with: finished tasks, old sessions, uploads that a stop cut short."""
    tidying.tidy()


@task(priority=-10)
def delete_orphans() -> None:
    """Delete files that nothing names."""
    orphans.delete_orphans()
    forget_stray_pieces()
