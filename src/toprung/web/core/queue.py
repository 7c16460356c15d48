"""What is done in the background? Each task with the service that does it; each may run twice and does its work once.

What somebody waits for is done first, in the order it was asked for: checks, scores and claims. Each person has one
check or score in the queue at a time (`services.runs.turns`). What the pages show comes after, and is asked for once
however many runs it is due for.

Services are named, not imported: who only enqueues a task, such as the web server, needs nothing of what draws and
tests, and a service may enqueue what stands above it.
"""

from __future__ import annotations

import importlib
from datetime import timedelta
from typing import Any

from django.db.models import Q, QuerySet
from django.tasks import Task, task
from django.utils import timezone
from django_ox.models import OxTask

from toprung.web.core.queue_names import LATER, URGENT

AWAY = (
    "toprung.web.core.store.files.FilesAwayError",
    "django.db.utils.OperationalError",
    "django.db.utils.InterfaceError",
)
"""Faults of the surroundings: what failed by one of them can succeed as it is."""
GIVEN_UP_AFTER = timedelta(days=3)


def _do(service: str, *arguments: Any) -> None:
    """Call "module:name" below ``toprung.web``."""
    module, _, name = service.partition(":")
    getattr(importlib.import_module(f"toprung.web.{module}"), name)(*arguments)


def enqueue_once(wanted: Task[[int], None], board_pk: int) -> bool:
    """Ask for this of a board, unless it waits already; call it once what it is due for is saved. Whether it was."""
    waiting = OxTask.objects.filter(
        status=OxTask.Status.READY, task_path=wanted.module_path, args=[board_pk], run_after=None
    )
    if waiting.exists():
        return False
    wanted.enqueue(board_pk)
    return True


def tasks_to_retry() -> QuerySet[OxTask]:
    """Tasks that failed by a fault of the surroundings, or whose worker was killed: housekeeping queues them again."""
    was_away = Q(("errors__-1__exception_class_path__in", AWAY), status=OxTask.Status.FAILED)
    ended = OxTask.objects.filter(was_away | Q(status=OxTask.Status.LOST))
    return ended.filter(enqueued_at__gt=timezone.now() - GIVEN_UP_AFTER)


@task(queue_name=URGENT, priority=20)
def check(upload_pk: int) -> None:
    """Validate a file, score it on the dev labels, keep it as Parquet; enqueued by `turns` alone."""
    try:
        _do("services.runs.check:check_upload", upload_pk)
    finally:
        _do("services.runs.turns:queue_after_file", upload_pk)


@task(queue_name=URGENT, priority=20)
def score(submission_pk: int) -> None:
    """Score a run on all labels, then see whether it takes the top rung; enqueued by `turns` alone."""
    try:
        _do("services.runs.score:score_or_fail", submission_pk)
    finally:
        _do("services.runs.turns:queue_after_run", submission_pk)


@task(queue_name=LATER, priority=5)
def tell(submission_pk: int) -> None:
    """Mail the sender how the run ended; a mail server that is down delays the mail and nothing else."""
    _do("services.runs.mail:tell_sender", submission_pk)


@task(queue_name=LATER, priority=5)
def tell_owner(notice_pk: int) -> None:
    """Mail somebody what an organiser did with their account."""
    _do("services.people.notices:mail_notice", notice_pk)


@task(queue_name=LATER, priority=-5)
def tell_followers(board_pk: int) -> None:
    """Tell who follows the board, by mail and webhooks: claims that passed, runs that may be best, announcements."""
    _do("services.following.hooks:call_hooks", board_pk)
    _do("services.following.mail:tell_followers", board_pk)


@task(queue_name=LATER, priority=-5)
def call_hook(hook_pk: int) -> None:
    """Call one address; one that does not answer delays itself and nothing else."""
    _do("services.following.hook_calls:call_hook", hook_pk)


@task(queue_name=LATER)
def forget_old() -> None:
    """Delete files that nobody submitted in time, and pieces of files that nobody went on with."""
    _do("services.runs.forget:forget_old")


@task(queue_name=URGENT, priority=20)
def settle(board_pk: int) -> None:
    """Settle what is scored; then the board's pages need new results."""
    _do("services.claims.settle:settle_and_refresh", board_pk)


@task(queue_name=LATER)
def refresh(board_pk: int) -> None:
    """Compute what the pages show, unless a later task has done so already."""
    _do("services.results.compute:refresh_results", board_pk)


@task(queue_name=LATER, priority=-10)
def examine(board_pk: int) -> None:
    """Compute what organisers see of the board's validity, once nothing else waits: it takes longest."""
    _do("services.results.validity:examine_board", board_pk)


@task(queue_name=LATER, priority=-5)
def finish(board_pk: int) -> None:
    """Freeze the standings of a board that is closed, once nothing waits."""
    _do("services.ending.freeze:finish_board", board_pk)


@task(queue_name=LATER, priority=5)
def compare(board_pk: int, challenger: str, holder: str) -> None:
    """Compare one pair that somebody asked for."""
    _do("services.results.compare.store:compare_pair", board_pk, challenger, holder)


@task(queue_name=LATER, priority=-5)
def rescore(labels_pk: int, first: int, last: int) -> None:
    """Score a slice of the runs on a version that is being prepared; new submissions go before."""
    _do("services.labels.rescore:rescore_slice", labels_pk, first, last)


@task(queue_name=LATER)
def adopt(labels_pk: int) -> None:
    """Make a version of the labels current once all runs are scored on it."""
    _do("services.labels.adopt:adopt_version", labels_pk)


@task(queue_name=LATER, priority=5)
def estimate_campaign(campaign_pk: int) -> None:
    """Pool, price and forecast a draft of a judging campaign: an organiser waits for it."""
    _do("services.judging.campaigns.estimate:estimate", campaign_pk)


@task(queue_name=LATER)
def watch_campaign(campaign_pk: int) -> None:
    """Compute how a campaign stands, and what is ready for the next version of the labels."""
    _do("services.judging.campaigns.live:watch", campaign_pk)


@task(queue_name=LATER)
def review_campaign(campaign_pk: int) -> None:
    """Compute what its votes would change."""
    _do("services.judging.campaigns.review:compute_review", campaign_pk)


@task(queue_name=LATER)
def challenge_labels(board_pk: int) -> None:
    """Put unjudged first answers of settled runs to the test in the board's standing campaign."""
    _do("services.judging.campaigns.upkeep:challenge_labels", board_pk)


@task(queue_name=LATER)
def challenge_by_new_texts(board_pk: int) -> None:
    """Put first answers to the test that could not be judged while their texts were missing."""
    _do("services.judging.campaigns.upkeep:challenge_by_new_texts", board_pk)


@task(queue_name=LATER)
def keep_labels_current(campaign_pk: int) -> None:
    """See which challenges are decided, and publish them where the organiser said that it goes by itself."""
    _do("services.judging.campaigns.upkeep:keep_current", campaign_pk)


@task(queue_name=LATER, priority=5)
def try_again() -> None:
    """Take up what failed because the store or the database was away, and files and runs whose turn was lost."""
    _do("ops.housekeeping.trying_again:try_again")
    _do("services.runs.turns:queue_forgotten")


@task(queue_name=LATER, priority=-10)
def keep_house() -> None:
    """Show and publish what is due by now, and delete what is done with: tasks, sessions, cut uploads."""
    _do("services.claims.opening:open_closed_boards")
    _do("services.ending.freeze:finish_closed_boards")
    _do("services.judging.campaigns.upkeep:keep_all_current")
    _do("services.boards.drafts:forget_old_drafts")
    _do("ops.housekeeping.tidying:tidy")


@task(queue_name=LATER, priority=-10)
def delete_orphans() -> None:
    """Delete files that nothing names."""
    _do("ops.housekeeping.orphans:delete_orphans_and_pieces")


@task(queue_name=LATER, priority=-10)
def check_database() -> None:
    """Read all of the database, and tell of what is damaged."""
    _do("ops.housekeeping.tidying:check_database")
