"""What is on the leaderboard, for one audience? Made by the library from stored columns, shown as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from toprung.analyses.leaderboard.find import Leaderboard, make_board
from toprung.analyses.leaderboard.making import RunDetails
from toprung.boards.board_release import BoardRelease
from toprung.boards.outcomes import Outcomes
from toprung.boards.public import shares_in_public
from toprung.boards.rounding import round_to_grid
from toprung.boards.row import BoardRow, OutcomeShares
from toprung.data.matrices import FirstRanks
from toprung.report.page.bars import Axis
from toprung.report.page.board_cells import interval_of
from toprung.result import json_safe
from toprung.web.core.models.boards import Board
from toprung.web.core.models.results import Audience, Standing
from toprung.web.core.models.runs import Submission
from toprung.web.core.store.relations import BETTER_THAN, pack_relations
from toprung.web.core.store.rules import release_of
from toprung.web.services.claims.records import dates_of
from toprung.web.services.results.content import show_explanation, show_provenance
from toprung.web.services.results.other_scores import other_scores
from toprung.web.services.results.public import decimals_for, seen_by
from toprung.web.services.results.saturation import warn_of_saturation

if TYPE_CHECKING:
    from toprung.web.services.results.material import BoardMaterial

MOST_BASELINES = 5
"""Baselines that every run is shown against, beside the highest score and the last proved gain."""


def make_board_result(material: BoardMaterial) -> Leaderboard:
    """Who may be best by the one relation of this audience, what was proved by the claims as recorded."""
    board, submissions = material.board, material.submissions
    warning = warn_of_saturation(material)
    matrix = replace(material.matrix, remarks=(*material.matrix.remarks, *warning))
    found = make_board(
        matrix,
        material.top,
        material.followed,
        details=RunDetails(dates=dates_of(submissions), tags={each.run_id: each.tags for each in submissions}),
        baselines=[each.run_id for each in submissions if each.is_baseline],
        voided=set(board.claims.exclude(voided_at=None).values_list("submission__run_id", flat=True)),
        seed=board.seed,
    )
    return seen_by(material.audience, found, material.release, key="leaderboard")


def release_to_everyone(board: Board, submissions: Sequence[Submission]) -> BoardRelease:
    """With the scores that are released; none has more digits than the policy shows, whatever was stored before it."""
    way = release_of(board)
    shown = {
        each.run_id: round_to_grid(each.shown_score, way.grid) for each in submissions if each.shown_score is not None
    }
    return BoardRelease(way=way, shown_scores=shown)


def show_board(material: BoardMaterial, found: Leaderboard) -> dict[str, Any]:
    """What stands above and below the rows."""
    bold, rest = found.said
    return {
        "sentence": found.verdict,
        "bold": bold,
        "rest": rest,
        "because": found.because,
        "measure": found.measure,
        "n_queries": found.n_queries,
        "n_runs": len(found.rows),
        "top_group": [row.run for row in found.top_group],
        "holder": found.holder,
        "challenged": material.followed.challenged.run,
        "references": find_references(found),
        "decimals": decimals_for(material.board, material.audience),
        "confidence": found.confidence,
        "has_claims": found.has_claims,
        "has_ranks": found.has_ranks,
        "tags": sorted({tag for each in material.submissions for tag in each.tags}),
        "axis": _axis_of(found),
        "notes": list(found.notes),
        "warnings": list(found.remarks),
        "explanation": show_explanation(found.explanation),
        "provenance": show_provenance(found, material.audience),
    }


def _axis_of(found: Leaderboard) -> dict[str, Any]:
    """One scale for all rows, whichever page of them is shown."""
    intervals = [interval_of(row) for row in found.rows]
    return asdict(Axis.of(intervals, top=interval_of(found.reference), confidence=found.confidence))


def find_references(found: Leaderboard) -> list[str]:
    """What runs are shown against: the highest score, the last proved gain, and baselines."""
    holder = [] if found.holder is None else [found.holder]
    baselines = [row.run for row in found.rows if row.is_baseline][:MOST_BASELINES]
    return list(dict.fromkeys([found.reference.run, *holder, *baselines]))


def make_standings(material: BoardMaterial, found: Leaderboard) -> list[Standing]:
    """One row for each run, in the order of the board."""
    pk_of = {each.run_id: each.pk for each in material.submissions}
    references = find_references(found)[1:]
    others = other_scores(material.board, material.labels, material.submissions, material.audience)
    better_than = _pack_better(material)
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
                "against": dict(_against(row, references, material)),
                "others": others[pk_of[row.run]],
                BETTER_THAN: better_than[row.run],
            },
        )
        for row in found.rows
    ]


def _pack_better(material: BoardMaterial) -> dict[str, str]:
    """For each run those that it is better than, all compared at once: what comparisons of two of them say first."""
    number_of = {each.run_id: each.number for each in material.submissions}
    runs = material.top.runs
    packed = pack_relations(material.top.is_better, np.array([number_of[run] for run in runs]))
    return dict(zip(runs, packed, strict=True))


def _against(
    row: BoardRow, references: Sequence[str], material: BoardMaterial
) -> Iterator[tuple[str, Mapping[str, float]]]:
    """Beside the outcomes against the highest score, which are in the row; none for a measure without ranks."""
    ranks = material.matrix
    if not isinstance(ranks, FirstRanks):
        return
    for reference in references:
        if reference != row.run:
            shares = OutcomeShares.of(Outcomes.of(ranks.column(reference), ranks.column(row.run)))
            yield reference, asdict(shares_in_public(shares) if material.audience is Audience.PUBLIC else shares)
