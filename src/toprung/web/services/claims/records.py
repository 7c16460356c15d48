"""What is on record, as the library knows it? Submissions and claims as they were settled, not tested again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date
from functools import lru_cache

from toprung.analyses.timeline.find import DatedRun, Timeline
from toprung.boards.engine.claims import TestedClaim
from toprung.boards.succession import Entrant, seat
from toprung.data.matrices import FirstRanks, ScoreTable
from toprung.scoring.catalogue import higher_is_better
from toprung.web.core.models.boards import Board
from toprung.web.core.models.claims import Claim
from toprung.web.core.models.runs import RunState, Submission
from toprung.web.core.store.disclosing import release_of
from toprung.web.core.store.rules import claim_policy, online_state
from toprung.web.core.store.tested_claims import to_claim


def settled_submissions(board: Board) -> list[Submission]:
    """Those on the board, in order: settled and not withdrawn; what checks found is read if it is asked for."""
    chosen = board.submissions.filter(state=RunState.DONE, withdrawn_at=None).select_related("team", "upload")
    return list(chosen.defer("upload__report", "upload__dev_scores").order_by("number"))


def settled_among(submissions: Iterable[Submission]) -> list[Submission]:
    """The same of runs at hand."""
    return [each for each in submissions if each.state == RunState.DONE and each.withdrawn_at is None]


def released_submissions(submissions: Sequence[Submission]) -> list[Submission]:
    """Those whose scores the release policy shows: analyses for everyone are made of these alone."""
    return [each for each in submissions if each.shown_score is not None]


def recorded_timeline(board: Board, matrix: FirstRanks | ScoreTable, submissions: Sequence[Submission]) -> Timeline:
    """Who held the rung when, by the claims as recorded; a voided claim took nothing."""
    return Timeline(
        matrix=matrix,
        submissions=tuple(_settled_runs(board, submissions)),
        policy=claim_policy(board),
        state=online_state(board),
        seed=board.seed,
    )


def _settled_runs(board: Board, submissions: Sequence[Submission]) -> Iterator[DatedRun]:
    claims = _claims_by_run(board)
    in_turn = holders_in_turn(board, submissions)
    first = next((each for each in in_turn if each is not None), submissions[0])
    leader = to_entrant(board, submissions[0])
    for submission, holder in zip(submissions, in_turn, strict=True):
        entrant, claim = to_entrant(board, submission), claims.get(submission.pk)
        leader = entrant if entrant.is_above(leader) else leader
        yield DatedRun(
            run=submission.run_id,
            date=submission.submitted_at.date(),
            score=submission.score or 0.0,
            is_baseline=submission.is_baseline,
            claim=None if claim is None else _as_it_stands(claim),
            holder=(holder or first).run_id,
            leader=leader.run.run_id,
            tags=tuple(submission.tags),
        )


def holders_in_turn(board: Board, submissions: Sequence[Submission]) -> list[Submission | None]:
    """Who held the rung after each of these runs, by the claims that stand.

    A run whose claim was voided holds nothing, nor one that may not; None where that leaves nobody.
    """
    claims = _claims_by_run(board)
    holder, in_turn = None, list[Submission | None]()
    for submission in submissions:
        entrant, claim = to_entrant(board, submission), claims.get(submission.pk)
        if may_hold(board, submission) and (claim is None or claim.voided_at is None):
            holder = entrant if claim is not None and claim.passed else seat(holder, entrant)
        in_turn.append(None if holder is None else holder.run)
    return in_turn


def may_hold(board: Board, submission: Submission) -> bool:
    """Neither holds the rung nor claims it: a run whose score is not released, for either would tell of the labels.

    On a board that is closed for now nobody is told of holders and claims.
    """
    return submission.shown_score is not None or release_of(board).is_closed


def _claims_by_run(board: Board) -> dict[int, Claim]:
    return {each.submission_id: each for each in board.claims.select_related("submission", "holder")}


def _as_it_stands(claim: Claim) -> TestedClaim:
    """A claim that was voided has not passed, whatever its figures say."""
    tested = to_claim(claim)
    return tested if claim.voided_at is None else replace(tested, passed=False)


def to_entrant(board: Board, submission: Submission) -> Entrant[Submission]:
    """By the official measure, turned round where lower is better."""
    score = _sign_of(board.official_measure) * (submission.score or 0.0)
    return Entrant(run=submission, score=score, is_baseline=submission.is_baseline)


@lru_cache(maxsize=64)
def _sign_of(measure: str) -> float:
    """Looked up once for all runs of a board: to read the name of a measure takes longer than all else of a run."""
    return 1.0 if higher_is_better(measure) else -1.0


def dates_of(submissions: Sequence[Submission]) -> dict[str, date]:
    return {each.run_id: each.submitted_at.date() for each in submissions}
