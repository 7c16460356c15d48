from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from toprung.analyses.seeds.find import SeedSpread, seeds
from toprung.data.matrices import ScoreTable
from toprung.report.charts.kinds.seeds import draw

COLUMNS = {"a1": [0.1, 0.5, 0.3], "a2": [0.3, 0.5, 0.4], "b1": [0.6, 0.6, 0.9], "b2": [0.7, 0.8, 0.9], "c1": [0.2] * 3}
SYSTEMS = {"a": ["a1", "a2"], "b": ["b1", "b2"], "<script>": ["c1"]}


@pytest.fixture
def found() -> SeedSpread:
    values = np.array(list(COLUMNS.values())).T
    table = ScoreTable(query_ids=("1", "2", "3"), runs=tuple(COLUMNS), values=values, measure="P@10")
    return seeds(table, systems=SYSTEMS)


def rows_with(found: SeedSpread, field: str) -> list[dict[str, Any]]:
    figure = draw(found)
    assert figure is not None
    return next(rows for rows in figure.to_spec()["datasets"].values() if rows and field in rows[0])


def test_every_seed_is_a_dot(found: SeedSpread) -> None:
    dots = {row["run"]: row["score"] for row in rows_with(found, "run")}
    assert dots == pytest.approx({"a1": 0.3, "a2": 0.4, "b1": 0.7, "b2": 0.8, "c1": 0.2})


def test_a_mean_has_its_interval_and_one_seed_has_none(found: SeedSpread) -> None:
    bars = rows_with(found, "high")
    assert len(bars) == 2
    assert bars[0]["high"] == pytest.approx(0.75 + 12.7062 * 0.05, abs=1e-4)
    said = {row["system"]: row["mean"] for row in rows_with(found, "system")}
    assert said["<script>"] == "0.2000, no interval"


def test_the_best_mean_stands_highest(found: SeedSpread) -> None:
    assert [row["system"] for row in sorted(rows_with(found, "system"), key=lambda row: row["down"])] == [
        "b",
        "a",
        "<script>",
    ]


def test_it_tells_the_finding_and_names_are_escaped(found: SeedSpread) -> None:
    figure = draw(found)
    assert figure is not None
    assert figure.finding == found.sentence
    assert "One seed alone has no interval." in figure.caption
    assert "<script>" not in figure.to_svg()


def test_where_every_system_has_one_seed_there_is_nothing_to_draw() -> None:
    table = ScoreTable(query_ids=("1",), runs=("c1",), values=np.array([[0.2]]), measure="P@10")
    assert draw(seeds(table, systems={"c": ["c1"]})) is None
