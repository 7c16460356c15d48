"""What is on the leaderboard, for one audience? Made by the library from stored columns, shown as JSON."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

from toprung.analyses.leaderboard.find import Leaderboard
from toprung.boards.row import BoardRow, OutcomeShares
from toprung.data.matrices import FirstRanks
from toprung.report.page.bars import Axis
from toprung.report.page.board_cells import interval_of
from toprung.result import json_safe
from toprung.result.values import AS_THEY_ARE
from toprung.web.core.store.relations import BETTER_THAN
from toprung.web.core.store.standings import StandingContent
from toprung.web.services.results.content import show_explanation, show_provenance
from toprung.web.services.results.other_scores import other_scores
from toprung.web.services.results.public import decimals_for, seen_by
from toprung.web.services.results.saturation import warn_of_saturation

if TYPE_CHECKING:
    from toprung.web.services.results.material import BoardMaterial

MOST_BASELINES = 5
"""Baselines that every run is shown against, beside the highest score and the last proved gain."""


def make_board_result(material: BoardMaterial) -> Leaderboard:
    """As this audience sees it, with a warning where the measure hardly tells the best runs apart."""
    found = material.findings.leaderboard
    warned = replace(found, remarks=(*found.remarks, *warn_of_saturation(material)))
    return seen_by(material.audience, warned, material.release, key="leaderboard")


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
        "challenged": material.findings.followed.challenged.run,
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


def make_standings(material: BoardMaterial, found: Leaderboard) -> list[StandingContent]:
    """One row for each run, in the order of the board."""
    pk_of = {each.run_id: each.pk for each in material.submissions}
    against = dict(_shares_against(find_references(found)[1:], material))
    others = other_scores(material.board, material.labels, material.submissions, material.audience)
    better_than = material.findings.better_than
    return [
        StandingContent(
            submission_pk=pk_of[row.run],
            place=row.place,
            top_group=row.top_group,
            content=_row_content(row)
            | {
                "against": {name: shares[row.run] for name, shares in against.items() if row.run in shares},
                "others": others[pk_of[row.run]],
                BETTER_THAN: better_than[row.run],
            },
        )
        for row in found.rows
    ]


def _row_content(row: BoardRow) -> dict[str, Any]:
    """As ``json_safe`` makes it, in a third of the time: a board may have ten thousand."""
    outcomes = None if row.outcomes is None else _plain(vars(row.outcomes))
    return _plain(vars(row) | {"outcomes": outcomes})


def _plain(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: value if _is_plain(value) else json_safe(value) for name, value in fields.items()}


def _is_plain(value: object) -> bool:
    return type(value) in AS_THEY_ARE or (type(value) is float and math.isfinite(value))


def _shares_against(references: Sequence[str], material: BoardMaterial) -> Iterator[tuple[str, dict[str, Any]]]:
    """By reference and run, beside the outcomes against the highest score; none for a measure without ranks."""
    ranks = material.findings.matrix
    if not isinstance(ranks, FirstRanks):
        return
    for reference in references:
        shares = OutcomeShares.of_all(ranks, reference)
        shown = {run: material.release.shares(each) if material.is_public else each for run, each in shares.items()}
        yield reference, {run: vars(each) for run, each in shown.items() if run != reference}
