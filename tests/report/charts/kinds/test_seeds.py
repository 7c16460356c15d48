from __future__ import annotations

import numpy as np
import pytest
from tests.report.charts.drawn import marks_of, told_by

from toprung.analyses.seeds.find import SeedSpread, seeds
from toprung.data.matrices import ScoreTable
from toprung.report.charts.figure import Figure
from toprung.report.charts.kinds.seeds import draw
from toprung.report.charts.svg.marks import PointMark, RuleMark

COLUMNS = {"a1": [0.1, 0.5, 0.3], "a2": [0.3, 0.5, 0.4], "b1": [0.6, 0.6, 0.9], "b2": [0.7, 0.8, 0.9], "c1": [0.2] * 3}
SYSTEMS = {"a": ["a1", "a2"], "b": ["b1", "b2"], "<script>": ["c1"]}


@pytest.fixture
def found() -> SeedSpread:
    values = np.array(list(COLUMNS.values())).T
    table = ScoreTable(query_ids=("1", "2", "3"), runs=tuple(COLUMNS), values=values, measure="P@10")
    return seeds(table, systems=SYSTEMS)


def drawn(found: SeedSpread) -> Figure:
    figure = draw(found)
    assert figure is not None
    return figure


def test_every_seed_is_a_dot(found: SeedSpread) -> None:
    dots = {str(dot.facts["run"]): dot.x for dot in told_by(drawn(found), PointMark)}
    assert {dot.facts["run"]: dot.facts["P@10"] for dot in told_by(drawn(found), PointMark)} == {
        "a1": "0.3000", "a2": "0.4000", "b1": "0.7000", "b2": "0.8000", "c1": "0.2000",
    }  # fmt: skip
    a_tenth = dots["a2"] - dots["a1"]
    assert [dots[run] - dots["c1"] for run in ("a1", "a2", "b1", "b2")] == pytest.approx(
        [a_tenth, 2 * a_tenth, 5 * a_tenth, 6 * a_tenth]
    )


def test_a_mean_has_its_interval_and_one_seed_has_none(found: SeedSpread) -> None:
    figure = drawn(found)
    bars = [rule for rule in marks_of(figure, RuleMark) if rule.look.width == 7]
    dots = {str(dot.facts["run"]): dot.x for dot in told_by(figure, PointMark)}
    scale = (dots["b2"] - dots["b1"]) / 0.1
    assert len(bars) == 2
    assert (bars[0].x2 - dots["b1"]) / scale + 0.7 == pytest.approx(0.75 + 12.7062 * 0.05, abs=1e-4)
    said = {tick.facts["system"]: tick.facts["mean"] for tick in told_by(figure, RuleMark)}
    assert said["<script>"] == "0.2000, no interval"


def test_the_best_mean_stands_highest(found: SeedSpread) -> None:
    ticks = sorted(told_by(drawn(found), RuleMark), key=lambda tick: tick.y)
    assert [tick.facts["system"] for tick in ticks] == ["b", "a", "<script>"]


def test_it_tells_the_finding_and_names_are_escaped(found: SeedSpread) -> None:
    figure = draw(found)
    assert figure is not None
    assert figure.finding == found.sentence
    assert "One seed alone has no interval." in figure.caption
    assert "<script>" not in figure.to_svg()


def test_where_every_system_has_one_seed_there_is_nothing_to_draw() -> None:
    table = ScoreTable(query_ids=("1",), runs=("c1",), values=np.array([[0.2]]), measure="P@10")
    assert draw(seeds(table, systems={"c": ["c1"]})) is None
