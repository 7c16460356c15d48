"""May this run be submitted, and then what? One transaction: checked, charged, on record, handed to the worker."""

from __future__ import annotations

from datetime import date

from django.db import transaction
from django.utils import timezone

from toprung.data.run_card import RunCard
from toprung.errors import InputError
from toprung.web.core.access.final import say_not_open, why_final
from toprung.web.core.models.boards import Board
from toprung.web.core.models.people import Team, User
from toprung.web.core.models.runs import Charge, Submission, Upload, UploadState
from toprung.web.core.store.audit import record
from toprung.web.core.store.locks import lock_board
from toprung.web.core.store.rules import embargo
from toprung.web.services.runs.admission import bind_to_team, note_conflicts, why_not_admitted
from toprung.web.services.runs.attempts import Attempt
from toprung.web.services.runs.board_quota import why_board_is_full
from toprung.web.services.runs.copies import IS_A_COPY, alike_of_others, is_copy_by_now
from toprung.web.services.runs.earlier import earlier_runs
from toprung.web.services.runs.names import is_seen, make_room
from toprung.web.services.runs.quota import quota_of, time_to_charge
from toprung.web.services.runs.turns import queue_next
from toprung.words.wording import say_count

MOST_IN_HISTORY = 20
"""Refused files before a run, the latest, that stay in its history."""
NOT_KEPT = "Found a file that is not kept any more; expected one sent in the last days."


class SubmissionRefusedError(InputError):
    """Nothing was charged, and why."""


class CheckAgainError(SubmissionRefusedError):
    """Another run was submitted after the check: the two must be compared first."""


def submit(upload: Upload, card: RunCard, *, by: User, key: str = "") -> Submission:
    """Charge the team and queue the run for scoring; a SubmissionRefusedError changes nothing.

    What was submitted under the same key before is answered, and not submitted again.
    """
    attempt = Attempt.of(key, upload, card)
    with lock_board(upload.board_id) as board:
        found = attempt.find(by)
        if found is not None:
            return found
        held = _hold(upload)
        if held is None or held.team is None:
            raise SubmissionRefusedError(NOT_KEPT)
        _check(board, held, held.team, card, by=by)
        bind_to_team(board, by, held.team)
        note_conflicts(board, held.team)
        submission = create_submission(board, held, card, by=by, is_baseline=False)
        _note_attempt(submission, attempt)
        Charge.objects.create(board=board, team=held.team, submission=submission, at=time_to_charge(board))
        _keep_history(held, submission)
        record(board, by, f"Submitted {submission.run_id}", run=submission.run_id, file=held.digest)
        queue_next(by.pk)
    return submission


def check_again(upload: Upload) -> None:
    """Queue the check once more, for what it compared the file with has changed."""
    with transaction.atomic():
        held = _hold(upload)
        if held is None or held.state != UploadState.ACCEPTED or Submission.objects.filter(upload=held).exists():
            return
        held.state, held.attempts, held.deaths = UploadState.WAITING, 0, 0
        held.save(update_fields=["state", "attempts", "deaths"])
        queue_next(held.user_id)


def add_baseline(upload: Upload, card: RunCard, *, by: User) -> Submission:
    """A run of the organisers: not charged, makes no claim."""
    with lock_board(upload.board_id) as board:
        held = _hold(upload)
        if held is None:
            raise SubmissionRefusedError(NOT_KEPT)
        if said := why_final(board):
            raise SubmissionRefusedError(said)
        _check_file(held)
        check_name(board, card.name)
        submission = create_submission(board, held, card, by=by, is_baseline=True)
        record(board, by, f"Added baseline {submission.run_id}", run=submission.run_id, file=held.digest)
        queue_next(by.pk)
    return submission


def _hold(upload: Upload) -> Upload | None:
    """The file as it is now, locked; None where it was forgotten."""
    return Upload.objects.select_for_update(no_key=True).filter(pk=upload.pk).first()


def create_submission(board: Board, upload: Upload, card: RunCard, *, by: User, is_baseline: bool) -> Submission:
    """The next run of the board; call it while the board is held."""
    same_kind = board.submissions.filter(is_baseline=is_baseline).count()
    submission = Submission(
        board=board,
        number=board.submissions.count() + 1,
        run_id=f"{'B' if is_baseline else 'R'}{same_kind + 1}",
        team=None if is_baseline else upload.team,
        user=by,
        upload=upload,
        is_baseline=is_baseline,
    )
    submission.card = card
    submission.save(force_insert=True)
    return submission


def _note_attempt(submission: Submission, attempt: Attempt) -> None:
    if attempt.key:
        submission.attempt_key, submission.attempt_digest = attempt.key, attempt.digest
        submission.save(update_fields=["attempt_key", "attempt_digest"])


def _keep_history(upload: Upload, submission: Submission) -> None:
    """What was refused on the way to this run stays readable with it."""
    refused = Upload.objects.filter(
        board=submission.board, team=submission.team, state=UploadState.REFUSED, before=None, sent_at__lt=upload.sent_at
    )
    latest = list(refused.order_by("-sent_at").values_list("pk", flat=True)[:MOST_IN_HISTORY])
    Upload.objects.filter(pk__in=latest).update(before=submission)


def _check(board: Board, upload: Upload, team: Team, card: RunCard, *, by: User) -> None:
    if not board.is_open:
        raise SubmissionRefusedError(say_not_open(board))
    _check_file(upload)
    _check_admitted(board, upload, team, by=by)
    take_name(board, card.name, by=by)
    check_embargo(board, timezone.now().date(), card.anonymous_until)
    _check_compared(board, upload, team)
    quota = quota_of(board, team, by=by)
    if not quota.left:
        raise SubmissionRefusedError(
            f"Found no submission left: {quota.limit} in any {quota.days} days; the next frees on {quota.next_date}."
        )


def _check_admitted(board: Board, upload: Upload, team: Team, *, by: User) -> None:
    copied = IS_A_COPY if is_copy_by_now(board, upload) else ""
    if refused := why_not_admitted(board, by, team) or why_board_is_full(board) or copied:
        raise SubmissionRefusedError(refused)


def _check_file(upload: Upload) -> None:
    if upload.state != UploadState.ACCEPTED:
        raise SubmissionRefusedError(
            f"Found a file that is {upload.get_state_display()}; expected one that was accepted."
        )
    if Submission.objects.filter(upload=upload).exists():
        raise SubmissionRefusedError("Found a file that was submitted already; send it again to submit it again.")


def check_name(board: Board, name: str) -> None:
    """No run on the board has the name, in whichever case it is written; for organisers, who see them all."""
    if board.submissions.filter(name__iexact=name).exists():
        raise _name_taken(name)


def take_name(board: Board, name: str, *, by: User, of: Submission | None = None) -> None:
    """For a run: another that the person sees keeps its name, one that is anonymous makes room (`run_names`)."""
    if is_seen(board, name, by=by, of=of):
        raise _name_taken(name)
    make_room(board, name, by=by, of=of)


def _name_taken(name: str) -> SubmissionRefusedError:
    return SubmissionRefusedError(f"Name: found '{name}', which another run on this board has; expected a new name.")


def check_embargo(board: Board, submitted: date, until: date | None) -> None:
    rule = embargo(board)
    if not rule.allows(submitted, until):
        raise SubmissionRefusedError(
            f"Anonymous until: found {until}; expected a day up to {rule.latest_end(submitted)}, "
            f"{say_count(rule.months, 'month')} after the submission."
        )


def _check_compared(board: Board, upload: Upload, team: Team) -> None:
    """Two near-duplicates, both checked before either was submitted, would pass each other."""
    report = upload.report
    if alike_of_others(board, team, report.get("sketch", {}), after=report.get("compared_until", 0)):
        raise CheckAgainError(
            "Found runs that came onto the board after this file was checked; the file is checked once more now."
        )
    compared = upload.report.get("compared_with", [])
    if board.refuses_near_duplicates and not {run.run_id for run in earlier_runs(board, team)} <= set(compared):
        raise CheckAgainError(
            "Found a run that your team submitted after this file was checked; the file is checked against it now."
        )
