"""Does this run take the top rung? Scored submissions are settled in the order they were made, each exactly once."""

from __future__ import annotations

from dataclasses import asdict

from django.utils import timezone

from toprung.analyses.claims import Claim as TestedClaim
from toprung.analyses.claims import decide_claim
from toprung.result import json_safe
from toprung.scoring.catalogue import higher_is_better
from toprung.stats.release import ScoreRelease
from toprung.web.boards.audit import WORKER, record
from toprung.web.boards.columns import first_ranks, official_labels, score_table
from toprung.web.boards.holders import show_holder
from toprung.web.boards.holding import hold_board
from toprung.web.boards.models import Board, Claim
from toprung.web.boards.rules import claim_policy, fresh_release, is_ladder, online_state
from toprung.web.submissions.models import State, Submission


def settle_board(board_pk: int) -> int:
    """Settle what is scored and not settled, up to the first that is still being scored; returns how many.

    The board is held for one run at a time: who uploads or submits meanwhile waits for one test, not for all of them.
    """
    settled = 0
    while _settle_next(board_pk):
        settled += 1
    return settled


def _settle_next(board_pk: int) -> bool:
    with hold_board(board_pk) as board:
        unsettled = board.submissions.filter(settled_at=None).exclude(state=State.FAILED)
        submission = unsettled.order_by("number").first()
        if submission is None or submission.state != State.SCORED:
            return False  # a later run must not take the rung before an earlier one had its chance
        _settle(board, submission)
        board.results_due += 1
        board.save()
    return True


def _settle(board: Board, submission: Submission) -> None:
    from toprung.web.submissions.tasks import tell

    submission.shown_score = _shown_score(board, submission)
    submission.state = State.DONE
    submission.settled_at = timezone.now()
    submission.save()
    if board.holder is None or (board.holder.is_baseline and submission.is_baseline):
        _seat_first(board, submission)
    elif not submission.is_baseline and is_above(board, submission, board.holder):
        _claim(board, submission, board.holder)
    tell.enqueue(submission.pk)


def is_above(board: Board, submission: Submission, holder: Submission) -> bool:
    """By the official measure, in the direction that is better."""
    difference = (submission.score or 0.0) - (holder.score or 0.0)
    return difference > 0 if higher_is_better(board.official_measure) else difference < 0


def _seat_first(board: Board, submission: Submission) -> None:
    """The first run, or the best baseline, holds the rung without a claim."""
    if board.holder is None or is_above(board, submission, board.holder):
        board.holder = submission
        record(board, WORKER, f"{submission.label} holds the top rung first", run=submission.label)


def _claim(board: Board, submission: Submission, holder: Submission) -> None:
    labels = official_labels(board)
    ranks = first_ranks(labels, [holder, submission])
    tested, state = decide_claim(
        ranks, run=submission.label, holder=holder.label, state=online_state(board), policy=claim_policy(board)
    )
    Claim.objects.create(
        board=board,
        submission=submission,
        holder=holder,
        label_set=labels,
        number=tested.t,
        is_supported=tested.is_supported,
        p=tested.p,
        level=tested.level,
        verdict=tested.verdict or "",
        grade=tested.grade,
        shows=tested.shows,
        reason=tested.reason,
        evidence=json_safe(asdict(tested.evidence)) if tested.evidence else {},
    )
    board.claims_tested, board.level_carried = state.tested, state.carried
    if tested.is_supported:
        board.holder = submission
        show_holder(board, submission)
    _record_claim(board, tested)


def _record_claim(board: Board, tested: TestedClaim) -> None:
    held_to = "" if tested.level is None else f", tested at {tested.level:.2g}"
    outcome = "supported" if tested.is_supported else "not supported"
    record(
        board,
        WORKER,
        f"{tested.run} scores above {tested.holder}: claim {tested.t}{held_to}: {outcome}",
        run=tested.run,
        holder=tested.holder,
        p=tested.p,
        level=tested.level,
        supported=tested.is_supported,
    )


def _shown_score(board: Board, submission: Submission) -> float | None:
    """What the release policy shows of it, after the team's earlier runs; baselines are shown as they are."""
    if submission.team is None:
        return submission.score
    release = fresh_release(board)
    if is_ladder(board):  # the other policies show a run whatever came before it
        earlier = board.submissions.filter(team=submission.team, state=State.DONE, number__lt=submission.number)
        for each in earlier.order_by("number"):
            _, release = _show(board, each, release)
    shown, _ = _show(board, submission, release)
    return shown


def _show(board: Board, submission: Submission, release: ScoreRelease) -> tuple[float | None, ScoreRelease]:
    """Releases take higher as better: the scores of another measure are turned round on the way in and out."""
    sign = 1.0 if higher_is_better(board.official_measure) else -1.0
    table = score_table(official_labels(board), [submission], board.official_measure)
    told, following = release.show(sign * (submission.score or 0.0), sign * table.values[:, 0])
    return (None if told.shown is None else sign * told.shown), following
