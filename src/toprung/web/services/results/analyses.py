"""What do the timeline, the ranks under the bootstrap and the grid of pairs show, for one audience?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, replace
from itertools import islice
from typing import Any

from toprung.analyses.stability.find import Stability
from toprung.analyses.timeline.find import DatedRun, Timeline
from toprung.report.charts.kinds import rank_heatmap, significance_grid, timeline
from toprung.report.charts.share_steps import print_share, step_of
from toprung.result import json_safe
from toprung.web.services.results.content import show_explanation, show_figure, show_provenance, show_result
from toprung.web.services.results.material import BoardMaterial, Findings
from toprung.web.services.results.public import seen_by
from toprung.words.wording import show_number

MOST_FIRST = 5
"""Runs of the table that opens the page of stability."""
MOST_OTHERS = 1_000
"""Runs in the figure of claims that neither claimed nor led: more would be one blot."""
TAGGED = ("tagged", "by its team")
"""In the place of tags in figures: no text of a user is drawn, and two of them are not told apart there."""


def show_timeline(material: BoardMaterial) -> dict[str, Any]:
    """The figure and what it tells; the claims themselves are on record, and the page reads them there."""
    followed = material.findings.followed
    runs = [replace(each, tags=TAGGED if each.tags else ()) for each in followed.submissions]
    tagged = replace(followed, submissions=tuple(runs))
    told = seen_by(material.audience, tagged, material.release, key="timeline")
    drawn, left_out = _to_draw(told)
    return {
        "sentence": told.sentence,
        "holders": [json_safe(asdict(each)) for each in told.holders],
        "n_leaders": len(told.leaders),
        "is_tested": told.policy.is_tested,
        "n_claims": len(told.claims),
        "n_passed": sum(claim.passed for claim in told.claims),
        "figures": [show_figure(timeline.draw(drawn), left_out)],
        "explanation": show_explanation(told.explanation),
        "provenance": show_provenance(told, material.audience),
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
    shown = show_result(found, [], material.audience) | {"figures": [_show_ranks(material.findings)]}
    return shown | {"first": list(_first_runs(found)), "trials": found.trials, "n_queries": found.boards[0].n_queries}


def _show_ranks(findings: Findings) -> dict[str, str]:
    """Drawn once for all audiences that see the same runs: no score is in the figure."""
    if "stability" not in findings.drawn:
        findings.drawn["stability"] = show_figure(rank_heatmap.draw(findings.stability))
    return findings.drawn["stability"]


def _first_runs(found: Stability) -> Iterator[dict[str, Any]]:
    """The runs with the best scores: how often each takes each of the first ranks."""
    (board,) = found.boards
    for row, run in enumerate(board.runs[:MOST_FIRST]):
        low, high = board.ranks_seen(row)
        shares = board.mass[row, : MOST_FIRST + 1].tolist()
        yield {
            "run": run,
            "may_be_best": bool(board.intervals.low[row] == 1),
            "cells": [{"text": print_share(share), "step": step_of(share)} for share in shares],
            "expected": show_number(float(board.expected_ranks[row]), 1),
            "seen": str(low) if low == high else f"{low}–{high}",
        }


def show_grid(material: BoardMaterial) -> dict[str, Any]:
    grid = seen_by(material.audience, material.findings.grid, material.release, key="significance")
    shown = show_result(grid, [significance_grid.draw(grid)], material.audience)
    # The page has no CSV of every pair: what a single difference is, the page of that comparison says.
    notes = [note for note in shown["notes"] if not note.startswith("CSV")]
    n_shown = len(grid.runs)
    return shown | {"notes": notes, "n_runs": n_shown, "n_left_out": len(material.submissions) - n_shown}
