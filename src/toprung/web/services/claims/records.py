"""What is on record, as the library knows it? Submissions and claims as they were settled, not tested again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import takewhile

from toprung.analyses.timeline.find import DatedRun, Timeline
from toprung.boards.claims import Evidence, TestedClaim
from toprung.boards.outcomes import Outcomes
from toprung.boards.verdict import Grade, Verdict
from toprung.data.matrices import FirstRanks
from toprung.scoring.catalogue import higher_is_better
from toprung.web.core.models.boards import Board
from toprung.web.core.models.claims import Claim
from toprung.web.core.models.runs import RunState, Submission
from toprung.web.core.store.rules import claim_policy, online_state


def settled_submissions(board: Board) -> list[Submission]:
    """Those on the board, in order: settled and not withdrawn."""
    chosen = board.submissions.filter(state=RunState.DONE, withdrawn_at=None).select_related("team", "upload")
    return list(chosen.order_by("number"))


def settled_among(submissions: Iterable[Submission]) -> list[Submission]:
    """The same of runs at hand."""
    return [each for each in submissions if each.state == RunState.DONE and each.withdrawn_at is None]


def released_submissions(submissions: Sequence[Submission]) -> list[Submission]:
    """Those whose scores the release policy shows: analyses for everyone are made of these alone."""
    return [each for each in submissions if each.shown_score is not None]


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class RecordedTimeline(Timeline):
    """A timeline of the board's official measure, whichever it is; claims are tested on ranks all the same."""

    official_measure: str

    @property
    def measure(self) -> str:
        return self.official_measure


def recorded_timeline(board: Board, ranks: FirstRanks, submissions: Sequence[Submission]) -> RecordedTimeline:
    """Who held the rung when, by the claims as recorded; a voided claim took nothing."""
    return RecordedTimeline(
        official_measure=board.official_measure,
        ranks=ranks,
        submissions=tuple(_settled_runs(board, submissions)),
        policy=claim_policy(board),
        state=online_state(board),
        seed=board.seed,
    )


def _settled_runs(board: Board, submissions: Sequence[Submission]) -> Iterator[DatedRun]:
    claims = {each.submission_id: each for each in board.claims.select_related("submission", "holder")}
    sign = 1.0 if higher_is_better(board.official_measure) else -1.0
    holder, leader = _holder_before_claims(board, submissions, claims), submissions[0]
    for submission in submissions:
        claim = claims.get(submission.pk)
        if _stands(claim):
            holder = submission
        if sign * (submission.score or 0.0) > sign * (leader.score or 0.0):
            leader = submission
        yield DatedRun(
            run=submission.run_id,
            date=submission.submitted_at.date(),
            score=submission.score or 0.0,
            is_baseline=submission.is_baseline,
            claim=None if claim is None else to_claim(claim),
            holder=holder.run_id,
            leader=leader.run_id,
            tags=tuple(submission.tags),
        )


def first_holder(board: Board, submissions: Sequence[Submission]) -> Submission:
    """The first run; or the best baseline, if a baseline was the first.

    Runs are settled by the same rule (`settling`): while a run holds the rung, a baseline that comes takes nothing.
    """
    sign = 1.0 if higher_is_better(board.official_measure) else -1.0
    first, *later = submissions
    if not first.is_baseline:
        return first
    return max(
        [first, *(each for each in later if each.is_baseline)],
        key=lambda each: sign * (each.score or 0.0),
    )


def _holder_before_claims(board: Board, submissions: Sequence[Submission], claims: Mapping[int, Claim]) -> Submission:
    """Of the runs up to the first claim that stands; a run whose claim was voided holds nothing."""
    before = list(takewhile(lambda each: not _stands(claims.get(each.pk)), submissions))
    eligible = [each for each in before if (claim := claims.get(each.pk)) is None or claim.voided_at is None]
    return first_holder(board, eligible or submissions)


def _stands(claim: Claim | None) -> bool:
    return claim is not None and claim.is_supported and claim.voided_at is None


def to_claim(claim: Claim) -> TestedClaim:
    return TestedClaim(
        t=claim.number,
        run=claim.submission.run_id,
        holder=claim.holder.run_id,
        is_supported=claim.is_supported and claim.voided_at is None,
        p=claim.p,
        level=claim.level,
        verdict=Verdict(claim.verdict) if claim.verdict else None,
        grade=Grade(claim.grade),
        shows=claim.shows,
        reason=claim.reason,
        evidence=_to_evidence(claim),
    )


def _to_evidence(claim: Claim) -> Evidence | None:
    if not claim.evidence:
        return None
    fields = dict(claim.evidence)
    means = {name: float("nan") if fields[name] is None else fields[name] for name in ("mean_holder", "mean_run")}
    return Evidence(**(fields | means | {"outcomes": Outcomes(**fields["outcomes"])}))


def dates_of(submissions: Sequence[Submission]) -> dict[str, date]:
    return {each.run_id: each.submitted_at.date() for each in submissions}
