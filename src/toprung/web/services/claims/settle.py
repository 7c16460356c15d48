"""Does this run take the top rung? Scored submissions are settled in the order they were made, each exactly once."""

from __future__ import annotations

import logging

from django.db import OperationalError
from django.db.models import F
from django.utils import timezone

from toprung.boards.engine.claims import TestedClaim, decide_claim
from toprung.boards.succession import succeed
from toprung.web.core.access.labels import has_labels
from toprung.web.core.models.boards import Board
from toprung.web.core.models.claims import Claim
from toprung.web.core.models.runs import RunState, Submission
from toprung.web.core.queue import challenge_labels, enqueue_once, refresh, tell
from toprung.web.core.store.audit import WORKER, record
from toprung.web.core.store.behind import boards_behind
from toprung.web.core.store.columns import board_matrix, official_labels
from toprung.web.core.store.disclosing import release_of
from toprung.web.core.store.files import FilesAwayError
from toprung.web.core.store.locks import lock_board
from toprung.web.core.store.rules import claim_policy, online_state
from toprung.web.core.store.tested_claims import to_fields
from toprung.web.services.claims.records import may_hold, settled_submissions, to_entrant
from toprung.web.services.claims.releasing import replay_releases

MOST_ATTEMPTS = 4
"""A run whose settling failed so often does not keep those behind it waiting."""
logger = logging.getLogger(__name__)


def settle_and_refresh(board_pk: int) -> None:
    """Settle what is scored, and ask for the results that are due then.

    They may be due since before: a worker that was ended after it settled had no time to ask for them.
    """
    if not has_labels(board_pk):
        return
    if settle_board(board_pk):
        enqueue_once(challenge_labels, board_pk)
    if boards_behind().filter(pk=board_pk).exists():
        enqueue_once(refresh, board_pk)


def settle_board(board_pk: int) -> int:
    """Settle what is scored and not settled, up to the first that is still being scored; returns how many.

    The board is locked for one run at a time: who uploads or submits meanwhile waits for one test, not for all of them.
    """
    settled = 0
    while (pk := _next_to_settle(Board.objects.get(pk=board_pk))) is not None:
        try:
            settled += _settle_next(board_pk)
        except (OperationalError, FilesAwayError):
            raise  # database or files are away: no fault of the run
        except Exception as error:
            _give_up_in_the_end(pk, error)
    return settled


def _next_to_settle(board: Board) -> int | None:
    """A later run must not take the rung before an earlier one had its chance."""
    unsettled = board.submissions.filter(settled_at=None).exclude(state=RunState.FAILED)
    first = unsettled.order_by("number").values("pk", "state").first()
    return first["pk"] if first is not None and first["state"] == RunState.SCORED else None


def _settle_next(board_pk: int) -> bool:
    with lock_board(board_pk) as board:
        pk = _next_to_settle(board)
        if pk is None:
            return False  # another worker was faster
        _settle(board, board.submissions.get(pk=pk))
        board.results_due += 1
        board.save()
    return True


def _give_up_in_the_end(pk: int, error: Exception) -> None:
    """The queue tries again, some times and later each time; then the run fails, for others wait behind it."""
    from toprung.web.services.runs.fail import fail_submission

    Submission.objects.filter(pk=pk).update(attempts=F("attempts") + 1)
    if Submission.objects.values_list("attempts", flat=True).get(pk=pk) < MOST_ATTEMPTS:
        raise error
    logger.exception("%s could not be settled", pk)
    fail_submission(pk, f"settling: {type(error).__name__}: {error}")


def _settle(board: Board, submission: Submission) -> None:
    submission.shown_score = _shown_score(board, submission)
    submission.state = RunState.DONE
    submission.settled_at = timezone.now()
    submission.save()
    _pass_on_rung(board, submission)
    tell.enqueue(submission.pk)


def _pass_on_rung(board: Board, submission: Submission) -> None:
    if not may_hold(board, submission):
        return
    holder = None if board.holder is None else to_entrant(board, board.holder)
    taken = succeed(
        holder,
        to_entrant(board, submission),
        passes=lambda entrant, holder: _claim(board, entrant.run, holder.run),
    )
    if board.holder != taken.run:  # without a claim
        board.holder = taken.run
        record(board, WORKER, f"{submission.run_id} is the first holder", run=submission.run_id)


def _claim(board: Board, submission: Submission, holder: Submission) -> bool:
    """Test it among all runs that are there by now, and put it on record; returns whether it passed."""
    labels = official_labels(board)
    tested, state = decide_claim(
        board_matrix(labels, settled_submissions(board), board),
        run=submission.run_id,
        holder=holder.run_id,
        state=online_state(board),
        policy=claim_policy(board),
    )
    Claim.objects.create(board=board, submission=submission, holder=holder, label_set=labels, **to_fields(tested))
    board.claims_tested, board.level_carried = state.tested, state.carried
    if tested.passed:
        board.holder = submission
    _record_claim(board, tested)
    return tested.passed


def _record_claim(board: Board, tested: TestedClaim) -> None:
    held_to = "" if tested.level is None else f", tested at {tested.level:.2g}"
    outcome = "passed" if tested.passed else "did not pass"
    record(
        board,
        WORKER,
        f"{tested.run} scores above {tested.holder}: claim {tested.t}{held_to}: {outcome}",
        run=tested.run,
        holder=tested.holder,
        p=tested.p,
        level=tested.level,
        passed=tested.passed,
    )


def _shown_score(board: Board, submission: Submission) -> float | None:
    """What the release policy shows of it, after the earlier runs that stand on the same ladder."""
    release, runs = release_of(board), [submission]
    if release.is_ladder:  # the other policies show a run whatever came before it
        earlier = board.submissions.filter(state=RunState.DONE, number__lt=submission.number)
        on_ladder = earlier if release.is_of_board else earlier.filter(team=submission.team)
        runs = [*on_ladder.order_by("number"), submission]
    if release.draws_lots:  # who was not shown is no rung, and who was stays one, also on another server
        runs = [each for each in runs if each == submission or each.shown_score is not None]
    before = {each.pk for each in runs} - {submission.pk} if release.draws_lots else ()
    return replay_releases(board, official_labels(board), runs, already_shown=before)[submission.pk]
