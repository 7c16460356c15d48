from __future__ import annotations

from typing import Any

import numpy as np

import toprung as tr
from toprung.report.charts.rank_heatmap import STEP_NAMES, draw


def cells_of(result: tr.Stability) -> list[dict[str, Any]]:
    spec = draw(result).to_spec()
    return next(rows for rows in spec["datasets"].values() if "step" in rows[0])


def test_a_settled_order_is_one_strong_cell_a_run(sure_late_never: tr.FirstRanks) -> None:
    cells = cells_of(tr.stability(sure_late_never.reciprocal(), trials=50))
    assert [(cell["run"], cell["rank"], cell["share"], cell["step"]) for cell in cells] == [
        ("sure", 1, "100.0%", "75% and more"),
        ("late", 2, "100.0%", "75% and more"),
        ("never", 3, "100.0%", "75% and more"),
    ]


def test_the_frame_holds_the_runs_that_may_be_first(sure_late_never: tr.FirstRanks) -> None:
    spec = draw(tr.stability(sure_late_never.reciprocal(), trials=50)).to_spec()
    frames = next(rows for rows in spec["datasets"].values() if "above" in rows[0])
    assert frames == [{"above": 0, "below": spec["height"] / 3}]


def test_shares_fall_into_the_steps_of_the_legend() -> None:
    """Two runs of which each wins every other query: each comes first in about half of the trials."""
    ranks = np.array([[1, 2], [2, 1]] * 20, dtype=np.int32)
    even = tr.FirstRanks(query_ids=tuple(map(str, range(40))), runs=("a", "b"), values=ranks, cutoff=10)
    cells = cells_of(tr.stability(even.reciprocal(), trials=200))
    assert {cell["step"] for cell in cells} <= set(STEP_NAMES[3:5])
