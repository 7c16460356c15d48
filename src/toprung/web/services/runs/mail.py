"""How did it end? Told to the sender by mail, where there is any: what the release policy shows, nothing more."""

from __future__ import annotations

import smtplib
from collections.abc import Iterator

from django.conf import settings
from django.core.mail import send_mail
from django.utils import timezone

from toprung.boards.engine.words import say_claim
from toprung.web.core.access.claims_shown import claim_for
from toprung.web.core.addresses import address_of
from toprung.web.core.models.results import Audience
from toprung.web.core.models.runs import RunState, Submission
from toprung.web.core.store.columns import official_labels
from toprung.web.core.store.disclosing import disclosure_of
from toprung.words.wording import show_number


class MailNotSentError(Exception):
    """The mail server took no mail; the task is tried again."""


def tell_sender(pk: int) -> None:
    """One mail for each run, to who sent it, while they are in the team."""
    submission = Submission.objects.select_related("board", "user", "team").get(pk=pk)
    if settings.ENVIRONMENT.mail is None or not _wants_mail(submission):
        return
    untold = Submission.objects.filter(pk=pk, told_at=None)
    if not untold.update(told_at=timezone.now()):
        return
    try:
        send_mail(subject_of(submission), body_of(submission), None, [submission.user.email])
    except (smtplib.SMTPException, OSError) as error:
        Submission.objects.filter(pk=pk).update(told_at=None)
        raise MailNotSentError(type(error).__name__) from None  # no address, no content


def _wants_mail(submission: Submission) -> bool:
    team, user = submission.team, submission.user
    has_ended = submission.state in (RunState.DONE, RunState.FAILED)
    return has_ended and team is not None and user.is_active and team.membership_set.filter(user=user).exists()


def subject_of(submission: Submission) -> str:
    ended = "could not be scored" if submission.state == RunState.FAILED else "is scored"
    return f"{submission.run_id} {submission.name} {ended} on {submission.board}"


def body_of(submission: Submission) -> str:
    page = address_of("run", submission.board.slug, submission.run_id)
    said = [submission.failure] if submission.state == RunState.FAILED else list(_say_score(submission))
    return "\n\n".join([f"{subject_of(submission)}.", *said, page]) + "\n"


def _say_score(submission: Submission) -> Iterator[str]:
    board = submission.board
    if submission.shown_score is None:
        yield (
            "By the release policy of this board no figure of it is shown: see its rules for when a run shows a score."
        )
        return
    told = disclosure_of(board)
    score = show_number(told.score(submission.shown_score), told.decimals)
    yield f"{board.official_measure}: {score} ({official_labels(board)})."
    claim = board.claims.select_related("holder").filter(submission=submission).first()
    if claim is not None:
        said = say_claim(claim_for(claim, board, Audience.PUBLIC), decimals=told.decimals)
        yield f"It scores above {claim.holder.run_id}, which is claim {claim.number} of the board. {said}"
