"""What happens to a file and to a run in the background? Each task may run twice and does its work once."""

from __future__ import annotations

from django.tasks import task

from toprung.web.boards.tasks import settle
from toprung.web.submissions.checking import check_upload
from toprung.web.submissions.failing import fail_submission
from toprung.web.submissions.forgetting import forget_old_partials, forget_old_uploads
from toprung.web.submissions.mail import tell_sender
from toprung.web.submissions.models import Submission
from toprung.web.submissions.scoring import score_submission


@task()
def check(upload_pk: int) -> None:
    """Validate a file, score it on the dev labels, keep it as Parquet."""
    check_upload(upload_pk)


@task()
def score(submission_pk: int) -> None:
    """Score a run on all labels, then see whether it takes the top rung."""
    try:
        score_submission(submission_pk)
    except (LookupError, ValueError) as error:
        fail_submission(submission_pk, f"{type(error).__name__}: {error}")
    settle.enqueue(Submission.objects.values_list("board_id", flat=True).get(pk=submission_pk))


@task()
def tell(submission_pk: int) -> None:
    """Mail the sender how the run ended; a mail server that is down delays the mail and nothing else."""
    tell_sender(submission_pk)


@task()
def forget_old() -> None:
    """Delete files that nobody submitted in time, and pieces of files that nobody went on with."""
    forget_old_uploads()
    forget_old_partials()
