"""What is on the leaderboard, for one audience? Made by the library from stored columns, shown as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from toprung.analyses.leaderboard.find import Leaderboard, make_board
from toprung.analyses.leaderboard.making import RunDetails
from toprung.boards.board_release import BoardRelease
from toprung.boards.engine.top_group import find_top_group
from toprung.boards.outcomes import Outcomes
from toprung.boards.public import shares_in_public
from toprung.boards.rounding import round_to_grid
from toprung.boards.row import BoardRow, OutcomeShares
from toprung.data.matrices import FirstRanks, ScoreTable
from toprung.report.page.bars import Axis
from toprung.report.page.board_cells import interval_of
from toprung.result import json_safe
from toprung.web.core.models.boards import Board
from toprung.web.core.models.results import Audience, Standing
from toprung.web.core.models.runs import Submission
from toprung.web.core.store.rules import release_of
from toprung.web.services.claims.records import dates_of
from toprung.web.services.results.content import show_explanation, show_provenance
from toprung.web.services.results.other_scores import other_scores
from toprung.web.services.results.public import decimals_for, seen_by

if TYPE_CHECKING:
    from toprung.web.services.results.material import BoardMaterial

MOST_REFERENCES = 5
"""Baselines that every run is shown against, beside the holder."""


def make_board_result(material: BoardMaterial) -> Leaderboard:
    """Who may be best, by the official measure; whose claims passed, as they are on record."""
    board, submissions = material.board, material.submissions
    found = make_board(
        material.matrix,
        find_top_group(material.matrix, alpha=board.alpha, seed=board.seed),
        material.followed,
        details=RunDetails(dates=dates_of(submissions), tags={each.run_id: each.tags for each in submissions}),
        baselines=[each.run_id for each in submissions if each.is_baseline],
        voided=list(board.claims.exclude(voided_at=None).values_list("submission__run_id", flat=True)),
        seed=board.seed,
    )
    return seen_by(material.audience, found, release_to_everyone(board, submissions), key="leaderboard")


def release_to_everyone(board: Board, submissions: Sequence[Submission]) -> BoardRelease:
    """With the scores that are released; none has more digits than the policy shows, whatever was stored before it."""
    way = release_of(board)
    shown = {
        each.run_id: round_to_grid(each.shown_score, way.grid) for each in submissions if each.shown_score is not None
    }
    return BoardRelease(way=way, shown_scores=shown)


def show_board(
    found: Leaderboard, board: Board, submissions: Sequence[Submission], audience: Audience
) -> dict[str, Any]:
    """What stands above and below the rows."""
    decimals = decimals_for(board, audience)
    return {
        "sentence": found.verdict,
        "because": found.because,
        "measure": found.measure,
        "n_queries": found.n_queries,
        "n_runs": len(found.rows),
        "decimals": decimals,
        "confidence": found.confidence,
        "has_claims": found.has_claims,
        "holder": found.holder,
        "top_group": [row.run for row in found.top_group],
        "references": [found.reference.run, *_references(found)],
        "tags": sorted({tag for each in submissions for tag in each.tags}),
        "axis": _axis_of(found),
        "notes": list(found.notes),
        "explanation": show_explanation(found.explanation),
        "provenance": show_provenance(found, audience),
    }


def _axis_of(found: Leaderboard) -> dict[str, Any]:
    """One scale for all rows, whichever page of them is shown."""
    intervals = [interval_of(row) for row in found.rows]
    return asdict(Axis.of(intervals, top=interval_of(found.reference), confidence=found.confidence))


def _references(found: Leaderboard) -> list[str]:
    """The baselines that runs are shown against."""
    return [row.run for row in found.rows if row.is_baseline and row.run != found.reference.run][:MOST_REFERENCES]


def make_standings(material: BoardMaterial, found: Leaderboard) -> list[Standing]:
    """One row for each run, in the order of the board."""
    pk_of = {each.run_id: each.pk for each in material.submissions}
    references = _references(found)
    others = other_scores(material.board, material.labels, material.submissions, material.audience)
    return [
        Standing(
            board=material.board,
            audience=material.audience,
            labels_version=material.labels.version,
            submission_id=pk_of[row.run],
            place=row.place,
            top_group=row.top_group,
            content=json_safe(asdict(row))
            | {
                "against": dict(_against(row, references, material.matrix, material.audience)),
                "others": others[pk_of[row.run]],
            },
        )
        for row in found.rows
    ]


def _against(
    row: BoardRow, references: Sequence[str], ranks: FirstRanks | ScoreTable, audience: Audience
) -> Iterator[tuple[str, Mapping[str, float]]]:
    for reference in references:
        if reference != row.run and isinstance(ranks, FirstRanks):
            shares = OutcomeShares.of(Outcomes.of(ranks.column(reference), ranks.column(row.run)))
            yield reference, asdict(shares_in_public(shares) if audience is Audience.PUBLIC else shares)
