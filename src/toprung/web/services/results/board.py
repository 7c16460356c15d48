"""What is on the leaderboard, for one audience? Made by the library from stored columns, shown as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

from toprung.analyses.leaderboard.evidence import judge_ranks
from toprung.analyses.leaderboard.find import Leaderboard, make_board
from toprung.analyses.leaderboard.making import RunDetails, find_run_ranks
from toprung.analyses.timeline.find import Timeline
from toprung.boards.board_release import BoardRelease
from toprung.boards.outcomes import Outcomes
from toprung.boards.public import shares_in_public
from toprung.boards.rounding import round_to_grid
from toprung.boards.row import BoardRow, OutcomeShares, Status
from toprung.data.matrices import FirstRanks, ScoreTable
from toprung.report.page.bars import Axis
from toprung.report.page.board_cells import interval_of
from toprung.result import json_safe
from toprung.scoring.catalogue import higher_is_better
from toprung.stats.intervals.bootstrap import mean_intervals
from toprung.stats.ranks.places import places_of
from toprung.web.core.models.boards import Board
from toprung.web.core.models.results import Audience, Standing
from toprung.web.core.models.runs import Submission
from toprung.web.core.store.rules import claim_policy, release_of
from toprung.web.services.claims.records import dates_of
from toprung.web.services.results.content import show_explanation, show_provenance
from toprung.web.services.results.other_scores import other_scores
from toprung.web.services.results.public import decimals_for, seen_by
from toprung.web.services.results.words import say_higher_scores

if TYPE_CHECKING:
    from toprung.web.services.results.material import BoardMaterial

CONFIDENCE = 0.95
MOST_REFERENCES = 5
"""Baselines that every run is shown against, beside the holder."""


def make_board_result(
    board: Board,
    ranks: FirstRanks,
    scores: ScoreTable,
    followed: Timeline,
    *,
    submissions: Sequence[Submission],
    audience: Audience,
) -> Leaderboard:
    """Runs are told apart by their ranks, as claims are; the official measure says what they score."""
    policy = claim_policy(board)
    judged = judge_ranks(ranks, facet=policy.facet, facet_test=policy.facet_test, alpha=board.alpha, seed=board.seed)
    found = make_board(
        ranks,
        replace(judged, timeline=followed),
        find_run_ranks(scores, confidence=CONFIDENCE, seed=board.seed),
        details=RunDetails(dates=dates_of(submissions), tags={each.run_id: each.tags for each in submissions}),
        baselines=[each.run_id for each in submissions if each.is_baseline],
        alpha=board.alpha,
        seed=board.seed,
    )
    found = _with_voids(found, board)
    if scores.measure != ranks.measure:
        found = _with_scores(found, scores)
    return seen_by(audience, found, release_to_everyone(board, submissions), key="leaderboard")


def _with_voids(found: Leaderboard, board: Board) -> Leaderboard:
    """A claim that was voided is neither supported nor not: its row says what was done."""
    voided = set(board.claims.exclude(voided_at=None).values_list("submission__run_id", flat=True))
    rows = tuple(
        replace(row, status=Status.VOIDED) if row.run in voided and row.status is Status.NOT_SUPPORTED else row
        for row in found.rows
    )
    return replace(found, rows=rows)


def release_to_everyone(board: Board, submissions: Sequence[Submission]) -> BoardRelease:
    """With the scores that are released; none has more digits than the policy shows, whatever was stored before it."""
    way = release_of(board)
    shown = {
        each.run_id: round_to_grid(each.shown_score, way.grid) for each in submissions if each.shown_score is not None
    }
    return BoardRelease(way=way, shown_scores=shown)


def _with_scores(found: Leaderboard, scores: ScoreTable) -> Leaderboard:
    """The same board with the scores of another measure than that of the ranks."""
    intervals = mean_intervals(scores.values, confidence=found.confidence, rng=found.seed)
    by_run = dict(zip(scores.runs, intervals, strict=True))
    rows = tuple(
        replace(row, score=by_run[row.run].estimate, score_low=by_run[row.run].low, score_high=by_run[row.run].high)
        for row in found.rows
    )
    return replace(found, rows=rows, measure=scores.measure)


def show_board(
    found: Leaderboard, board: Board, submissions: Sequence[Submission], audience: Audience
) -> dict[str, Any]:
    """What stands above and below the rows."""
    decimals = decimals_for(board, audience)
    return {
        "sentence": found.verdict,
        "because": say_higher_scores(found, decimals),
        "measure": found.measure,
        "n_queries": found.n_queries,
        "n_runs": len(found.rows),
        "decimals": decimals,
        "confidence": found.confidence,
        "has_claims": found.has_claims,
        "holder": found.holder.run,
        "references": [found.holder.run, *_references(found)],
        "tags": sorted({tag for each in submissions for tag in each.tags}),
        "groups": [
            {"number": group.number, "name": group.name, "words": group.words, "n_runs": len(group.runs)}
            for group in found.groups
        ],
        "axis": _axis_of(found),
        "notes": list(found.notes),
        "explanation": show_explanation(found.explanation),
        "provenance": show_provenance(found, audience),
    }


def _axis_of(found: Leaderboard) -> dict[str, Any]:
    """One scale for all rows, whichever page of them is shown."""
    intervals = [interval_of(row) for row in found.rows]
    return asdict(Axis.of(intervals, top=interval_of(found.holder), confidence=found.confidence))


def _references(found: Leaderboard) -> list[str]:
    """The baselines that runs are shown against."""
    return [row.run for row in found.rows if row.is_baseline and row.run != found.holder.run][:MOST_REFERENCES]


def make_standings(material: BoardMaterial, found: Leaderboard) -> list[Standing]:
    """One row for each run, in the order of the board."""
    pk_of = {each.run_id: each.pk for each in material.submissions}
    score_places = places_of([row.score for row in found.rows], higher_is_better=higher_is_better(found.measure))
    references = _references(found)
    others = other_scores(material.board, material.labels, material.submissions, material.audience)
    return [
        Standing(
            board=material.board,
            audience=material.audience,
            labels_version=material.labels.version,
            submission_id=pk_of[row.run],
            place=place,
            score_place=int(score_place),
            group=row.group,
            content=json_safe(asdict(row))
            | {
                "against": dict(_against(row, references, material.ranks, material.audience)),
                "others": others[pk_of[row.run]],
            },
        )
        for place, (row, score_place) in enumerate(zip(found.rows, score_places, strict=True), start=1)
    ]


def _against(
    row: BoardRow, references: Sequence[str], ranks: FirstRanks, audience: Audience
) -> Iterator[tuple[str, Mapping[str, float]]]:
    for reference in references:
        if reference != row.run:
            shares = OutcomeShares.of(Outcomes.of(ranks.column(reference), ranks.column(row.run)))
            yield reference, asdict(shares_in_public(shares) if audience is Audience.PUBLIC else shares)
