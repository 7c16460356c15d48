"""What do the timeline, the ranks under the bootstrap and the grid of pairs show, for one audience?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from itertools import islice
from typing import Any

from toprung.analyses.stability.board import BoardStability
from toprung.analyses.stability.find import Stability
from toprung.analyses.timeline.find import DatedRun, Timeline
from toprung.report.charts.kinds import rank_heatmap, significance_grid
from toprung.report.charts.share_steps import print_share, step_of
from toprung.result import json_safe
from toprung.web.services.results.content import show_explanation, show_provenance, show_result
from toprung.web.services.results.drawing import say_figure
from toprung.web.services.results.material import BoardMaterial, Findings
from toprung.web.services.results.public import seen_by
from toprung.words.wording import show_number

MOST_FIRST, MOST_PLACES = 9, 8
"""Runs of the table that opens the page of stability, and how many places it has."""
MOST_OFTEN_FIRST = 3
LEAST_OFTEN = 0.005
"""Shares below this are no time in a hundred."""
SHARE_DIGITS = 6
MOST_OTHERS = 1_000
"""Runs in the figure of claims that neither claimed nor led: more would be one blot."""


def show_timeline(material: BoardMaterial) -> dict[str, Any]:
    """What the figure is drawn from when it is looked at; the claims are on record, and the page reads them there."""
    told = seen_by(material.audience, material.findings.followed, material.release, key="timeline")
    drawn, left_out = _to_draw(told)
    return {
        "sentence": told.sentence,
        "holders": [json_safe(asdict(each)) for each in told.holders],
        "n_leaders": len(told.leaders),
        "leaders": [json_safe(asdict(each)) for each in told.leaders],
        "marks": [_to_mark(each) for each in drawn.submissions],
        "measure": told.measure,
        "decimals": told.score_decimals,
        "last_proved": None if told.last_proved is None else told.last_proved.run,
        "is_tested": told.policy.is_tested,
        "n_claims": len(told.claims),
        "n_passed": sum(claim.passed for claim in told.claims),
        "left_out": left_out,
        "explanation": show_explanation(told.explanation),
        "provenance": show_provenance(told, material.audience),
    }


def _to_mark(each: DatedRun) -> dict[str, Any]:
    """Where a run stands in the figure, and who stood on top when it had come; its claim is on record."""
    return {
        "run": each.run,
        "date": None if each.date is None else each.date.isoformat(),
        "score": each.score,
        "is_baseline": each.is_baseline,
        "tags": list(each.tags),
        "holder": each.holder,
        "leader": each.leader,
    }


def _to_draw(told: Timeline) -> tuple[Timeline, str]:
    """Of thousands of runs those that the figure is about, and the latest of the others; and words for that."""
    matter = [_matters(each) for each in told.submissions]
    n_others = len(matter) - sum(matter)
    if n_others <= MOST_OTHERS:
        return told, ""
    others = (number for number, does in enumerate(matter) if not does)
    first_drawn = next(islice(others, n_others - MOST_OTHERS, None))
    runs = [each for number, each in enumerate(told.submissions) if matter[number] or number >= first_drawn]
    left_out = f"Of {n_others:,} runs that claimed nothing and never led, the latest {MOST_OTHERS:,} are drawn."
    return replace(told, submissions=tuple(runs)), left_out


def _matters(each: DatedRun) -> bool:
    """Whether it made a claim, or somebody had to do better than it, or it stays as a line."""
    return each.claim is not None or each.is_challenged or each.leader == each.run or each.is_baseline


def show_stability(material: BoardMaterial) -> dict[str, Any]:
    found = seen_by(material.audience, material.findings.stability, material.release, key="stability")
    is_coarse = material.is_public and material.release.is_hidden
    figure = _show_ranks(found, "stability in steps" if is_coarse else "stability", material.findings)
    shown = show_result(found, [], material.audience) | {"figures": [figure]}
    (board,) = found.boards
    return shown | {
        "first": list(_first_runs(found)),
        "often_first": [] if board.is_constant or board.n_queries == 1 else _often_first(board),
        "places": _places_of(board),
        "trials": found.trials,
        "share_step": material.release.share_step_said if is_coarse else "",
        "n_queries": board.n_queries,
    }


def _often_first(board: BoardStability) -> list[dict[str, Any]]:
    """Which runs come first most often, and in what share of samples."""
    shares = sorted(zip(board.runs, board.mass[:, 0].tolist(), strict=True), key=lambda each: -each[1])
    return [{"run": run, "share": share} for run, share in shares[:MOST_OFTEN_FIRST] if share >= LEAST_OFTEN]


def _places_of(board: BoardStability) -> list[dict[str, Any]]:
    """The places that each run may have, in the order of the scores."""
    bounds = zip(board.runs, board.intervals.low.tolist(), board.intervals.high.tolist(), strict=True)
    return [{"run": run, "low": low, "high": high} for run, low, high in bounds]


def _show_ranks(told: Stability, key: str, findings: Findings) -> dict[str, Any]:
    """What the figure is drawn from when it is looked at, the same for all who are told the same shares of the same
    runs: no score is in it.
    """
    if key not in findings.drawn:
        (board,) = told.boards
        drawn = [asdict(each) | {"shares": _without_end(each.shares)} for each in rank_heatmap.rows_of(board)]
        findings.drawn[key] = say_figure(rank_heatmap.draw(told)) | {"drawn": drawn}
    return findings.drawn[key]


def _without_end(shares: Sequence[float]) -> list[float]:
    """Up to the last rank that a run ever took."""
    seen = [place for place, share in enumerate(shares, start=1) if share]
    return [round(share, SHARE_DIGITS) for share in shares[: seen[-1]]]


def _first_runs(found: Stability) -> Iterator[dict[str, Any]]:
    """The runs with the best scores: how often each takes each of the first ranks."""
    (board,) = found.boards
    for row, run in enumerate(board.runs[:MOST_FIRST]):
        low, high = board.ranks_seen(row)
        shares = board.mass[row, :MOST_PLACES].tolist()
        yield {
            "run": run,
            "may_be_best": bool(board.intervals.low[row] == 1),
            "cells": [{"text": print_share(share), "step": step_of(share)} for share in shares],
            "expected": show_number(float(board.expected_ranks[row]), 1),
            "seen": str(low) if low == high else f"{low}–{high}",
        }


def show_grid(material: BoardMaterial) -> dict[str, Any]:
    grid = seen_by(material.audience, material.findings.grid, material.release, key="significance")
    shown = show_result(grid, [significance_grid.draw], material.audience)
    # The page has no CSV of every pair: what a single difference is, the page of that comparison says.
    notes = [note for note in shown["notes"] if not note.startswith("CSV")]
    n_shown = len(grid.runs)
    return shown | {
        "notes": notes,
        "n_runs": n_shown,
        "n_left_out": len(material.submissions) - n_shown,
        "n_pairs": grid.n_pairs,
        "n_different": grid.n_different,
    }
