"""What is on the leaderboard, for one audience? Made by the library from stored columns, shown as JSON."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

from toprung.analyses.leaderboard.find import Leaderboard
from toprung.boards.disclosure.disclosure import Disclosure
from toprung.boards.row import BoardRow
from toprung.report.page.bars import Axis, Interval, difference_axis
from toprung.report.page.board_cells import interval_of
from toprung.result import json_safe
from toprung.result.values import AS_THEY_ARE
from toprung.scoring.catalogue import higher_is_better
from toprung.web.core.models.boards import Board
from toprung.web.core.models.runs import REPORTED, RunState
from toprung.web.core.store.relations import BETTER_THAN
from toprung.web.core.store.rows import LENGTH_INTERVAL
from toprung.web.core.store.standings import StandingContent
from toprung.web.services.results.against import Differences, differences_against, shares_against
from toprung.web.services.results.content import show_explanation, show_provenance
from toprung.web.services.results.label_kind import say_label_kind
from toprung.web.services.results.next_gain import find_next_gain
from toprung.web.services.results.other_scores import OtherMeasure, others_told, say_left_out, show_others
from toprung.web.services.results.public import decimals_for, seen_by
from toprung.web.services.results.saturation import warn_of_saturation

if TYPE_CHECKING:
    from toprung.web.services.results.material import BoardMaterial

LENGTH_DIGITS = 1
"""Of search lengths, as everyone sees them."""
MOST_BASELINES = 5
"""Baselines that every run is shown against, beside the highest score and the last proved gain."""
MOST_AGAINST = 40
"""Runs of a graded board of which each can be chosen as the one that others are shown against."""
MOST_DIFFERENCES = 500_000
"""Of single queries, over all pairs of runs: their intervals take about a second."""


def make_board_result(material: BoardMaterial) -> Leaderboard:
    """As this audience sees it, with a warning where the measure hardly tells the best runs apart."""
    found = material.findings.leaderboard
    warned = replace(found, remarks=(*found.remarks, *warn_of_saturation(material)))
    return seen_by(material.audience, warned, material.release, key="leaderboard")


def find_differences(material: BoardMaterial, found: Leaderboard) -> Differences:
    """Of every run to each of the references; none where ranks tell more."""
    return dict(differences_against(find_references(found), material))


def count_not_shown(board: Board, n_shown: int) -> int:
    """Runs on the board whose scores an audience is not shown."""
    listed = board.submissions.filter(state=RunState.DONE, withdrawn_at=None)
    return max(0, listed.count() - n_shown)


def show_board(material: BoardMaterial, found: Leaderboard, differences: Differences) -> dict[str, Any]:
    """What stands above and below the rows."""
    bold, rest = found.said
    measures, release = _measures_beside(material)
    return {
        "sentence": found.verdict,
        "bold": bold,
        "rest": rest,
        "because": found.because,
        "measure": found.measure,
        "n_queries": found.n_queries,
        "n_runs": len(found.rows),
        "n_not_shown": count_not_shown(material.board, len(found.rows)),
        "top_group": [row.run for row in found.top_group],
        "are_neighbours": all(row.top_group for row in found.rows[: len(found.top_group)]),
        "holder": found.holder,
        "proved_since": json_safe(None if found.holder is None else found[found.holder].proved_since),
        "n_later": found.n_later,
        "overtaken_by": list(found.overtaken_by),
        "has_runs": not all(row.is_baseline for row in found.rows),
        "highest_score": found.reference.score,
        "more_is_better": higher_is_better(found.measure),
        "labels_are": say_label_kind(material.labels),
        "others": [each.named for each in others_told(measures, release)],
        "next_gain": find_next_gain(material),
        "challenged": material.findings.followed.challenged.run,
        "references": find_references(found),
        "baselines": [row.run for row in found.rows if row.is_baseline],
        "decimals": decimals_for(material.board, material.audience),
        "confidence": found.confidence,
        "has_claims": found.has_claims,
        "has_ranks": found.has_ranks,
        "tags": sorted({tag for each in material.submissions for tag in each.tags}),
        "reported": [name for name in REPORTED if any(each.said.get(name) for each in material.submissions)],
        "axis": _axis_of(found),
        "difference_axes": {reference: _axis_of_all(rows.values()) for reference, rows in differences.items() if rows},
        "notes": list(found.notes),
        "warnings": [*found.remarks, *say_left_out(measures, release)],
        "explanation": show_explanation(found.explanation),
        "provenance": show_provenance(found, material.audience),
    }


def _axis_of(found: Leaderboard) -> dict[str, Any]:
    """One scale for all rows, whichever page of them is shown."""
    intervals = [interval_of(row) for row in found.rows]
    return asdict(Axis.of(intervals, top=interval_of(found.reference), confidence=found.confidence))


def _axis_of_all(differences: Iterable[Sequence[float]]) -> dict[str, Any]:
    return asdict(difference_axis([Interval(value=value, low=low, high=high) for value, low, high in differences]))


def find_references(found: Leaderboard) -> list[str]:
    """What runs are shown against: the highest score, the last proved gain, baselines, and any run of a small board."""
    holder = [] if found.holder is None else [found.holder]
    baselines = [row.run for row in found.rows if row.is_baseline][:MOST_BASELINES]
    any_run = [row.run for row in found.rows] if _keeps_all_differences(found) else []
    return list(dict.fromkeys([found.reference.run, *holder, *baselines, *any_run]))


def _keeps_all_differences(found: Leaderboard) -> bool:
    """Whether all pairs are few enough to be computed with every run that comes; outcomes are for the compare page."""
    n_runs = len(found.rows)
    return not found.has_ranks and n_runs <= MOST_AGAINST and n_runs**2 * found.n_queries <= MOST_DIFFERENCES


def make_standings(material: BoardMaterial, found: Leaderboard, differences: Differences) -> list[StandingContent]:
    """One row for each run, in the order of the board."""
    pk_of = {each.run_id: each.pk for each in material.submissions}
    highest, *references = find_references(found)
    against = dict(shares_against(references, material))
    measures, release = _measures_beside(material)
    better_than = material.findings.better_than
    return [
        StandingContent(
            submission_pk=pk_of[row.run],
            place=row.place,
            top_group=row.top_group,
            content=_row_content(row)
            | {
                "against": {name: shares[row.run] for name, shares in against.items() if row.run in shares},
                "difference": differences.get(highest, {}).get(row.run),
                "differences": {
                    name: differences[name][row.run] for name in references if row.run in differences.get(name, {})
                },
                LENGTH_INTERVAL: _length_interval(row, material),
                "others": show_others(measures, pk_of[row.run], release),
                BETTER_THAN: better_than[row.run],
            },
        )
        for row in found.rows
    ]


def _measures_beside(material: BoardMaterial) -> tuple[Sequence[OtherMeasure], Disclosure | None]:
    """And what decides about them; nothing does for organisers."""
    return material.findings.other_measures, material.release if material.is_public else None


def _length_interval(row: BoardRow, material: BoardMaterial) -> list[float] | None:
    """Of the mean search length, where that is shown; for everyone on a grid as coarse as the answered queries ask.

    One answered query has none.
    """
    found = material.findings.length_intervals.get(row.run)
    if row.mean_esl is None or found is None or not math.isfinite(found.high - found.low):
        return None
    if material.is_public:
        found = material.release.search_effect(found, LENGTH_DIGITS, found.n)
    return [min(found.low, row.mean_esl), max(found.high, row.mean_esl)]


def _row_content(row: BoardRow) -> dict[str, Any]:
    """As ``json_safe`` makes it, in a third of the time: a board may have ten thousand."""
    outcomes = None if row.outcomes is None else _plain(vars(row.outcomes))
    return _plain(vars(row) | {"outcomes": outcomes})


def _plain(fields: dict[str, Any]) -> dict[str, Any]:
    return {
        name: value
        if type(value) in AS_THEY_ARE or (type(value) is float and math.isfinite(value))
        else json_safe(value)
        for name, value in fields.items()
    }
