from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import toprung as tr
from toprung.analyses.frontier.find import frontier
from toprung.data.matrices import ScoreTable
from toprung.report.charts.cost_axes import HEIGHT, WIDTH, CostAxes
from toprung.report.charts.kinds.frontier import draw
from toprung.report.charts.tokens import MARK, PAPER, TOP

X, Y, Z = [0.1, 0.3, 0.2, 0.2] * 3, [0.2, 0.3, 0.1, 0.4] * 3, [0.9, 0.8, 0.9, 0.7] * 3
NAME = "<script>alert(1)</script> שלום"


def table_of(measure: str = "P@10", **columns: list[float]) -> ScoreTable:
    values = np.array(list(columns.values())).T
    query_ids = tuple(map(str, range(len(values))))
    return ScoreTable(query_ids=query_ids, runs=tuple(columns), values=values, measure=measure)


def spec_of(found: tr.Frontier) -> dict[str, Any]:
    return draw(found).to_spec()


def rows_with(spec: dict[str, Any], field: str) -> list[dict[str, Any]]:
    return next(rows for rows in spec["datasets"].values() if rows and field in rows[0])


@pytest.fixture
def shown() -> tr.Frontier:
    """The runs x and z are on the front, y is dominated by z: see tests/analyses/frontier/test_find.py."""
    return frontier(table_of(x=X, y=Y, z=Z), costs={"x": 1.0, "y": 50.0, "z": 2.0})


def test_marks_say_what_is_shown_of_each_run(shown: tr.Frontier) -> None:
    kinds = {row["run"]: row["kind"] for row in rows_with(spec_of(shown), "kind")}
    on_front = "on the front, does better than every cheaper run"
    assert kinds == {"x": on_front, "z": on_front, "y": "dominated beyond chance"}


def test_what_cannot_be_told_apart_is_hollow() -> None:
    spec = spec_of(frontier(table_of(x=X, y=Y), costs={"x": 1.0, "y": 2.0}))
    marks = next(layer for layer in spec["layer"] if "fill" in layer["encoding"])
    looks = dict(
        zip(marks["encoding"]["fill"]["scale"]["domain"], marks["encoding"]["fill"]["scale"]["range"], strict=True)
    )
    assert looks["on the front, cannot be told apart from a cheaper run"] == PAPER
    assert looks["on the front, does better than every cheaper run"] == TOP


def test_runs_off_the_front_are_grey(shown: tr.Frontier) -> None:
    marks = next(layer for layer in spec_of(shown)["layer"] if "fill" in layer["encoding"])
    scale = marks["encoding"]["stroke"]["scale"]
    assert dict(zip(scale["domain"], scale["range"], strict=True))["dominated beyond chance"] == MARK


def test_the_staircase_goes_through_the_front_to_the_right_edge(shown: tr.Frontier) -> None:
    spec = spec_of(shown)
    line = next(layer for layer in spec["layer"] if layer["mark"]["type"] == "line")
    steps = spec["datasets"][line["data"]["name"]]
    assert [(step["cost"], step["score"]) for step in steps[:2]] == [
        (1.0, pytest.approx(0.2)),
        (2.0, pytest.approx(0.825)),
    ]
    assert steps[2]["score"] == steps[1]["score"]
    assert steps[2]["cost"] > 50
    assert line["mark"]["color"] == TOP


def test_runs_on_the_front_are_named_in_its_colour(shown: tr.Frontier) -> None:
    names = {row["name"]: row["colour"] for row in rows_with(spec_of(shown), "name")}
    assert names["x"] == names["z"] == TOP
    assert names["y"] != TOP


def test_costs_of_a_decade_and_more_go_by_factors(shown: tr.Frontier) -> None:
    marks = next(layer for layer in spec_of(shown)["layer"] if "fill" in layer["encoding"])
    assert marks["encoding"]["x"]["scale"]["type"] == "log"
    assert marks["encoding"]["x"]["axis"]["values"] == [1, 2, 5, 10, 20, 50]
    near = spec_of(frontier(table_of(x=X, y=Y), costs={"x": 1.0, "y": 9.0}))
    marks = next(layer for layer in near["layer"] if "fill" in layer["encoding"])
    assert marks["encoding"]["x"]["scale"]["type"] == "linear"


def test_where_less_is_better_axis_and_caption_say_so() -> None:
    figure = draw(frontier(table_of("ESL@10", x=X, z=Z), costs={"x": 1.0, "z": 2.0}, by="latency"))
    assert "ESL@10 (less is better)" in str(figure.to_spec())
    assert figure.caption.startswith("Line: the lowest ESL@10 to be had at each latency.")


def test_names_are_shown_and_escaped() -> None:
    svg = draw(frontier(table_of(**{NAME: X, "z": Z}), costs={NAME: 1.0, "z": 2.0})).to_svg()
    assert "<script>" not in svg
    assert "&lt;script&gt;alert(1)" in svg


def test_a_hundred_runs_draw_the_intervals_of_the_front_alone() -> None:
    rng = np.random.default_rng(0)
    values = rng.random((30, 100))
    runs = tuple(f"run-{number}" for number in range(100))
    table = ScoreTable(query_ids=tuple(map(str, range(30))), runs=runs, values=values, measure="P@10")
    found = frontier(table, costs={run: 1.0 + number for number, run in enumerate(runs)})
    figure = draw(found)
    assert len(rows_with(figure.to_spec(), "high")) == len(found.front)
    assert "intervals of the scores on the front" in figure.caption


def test_one_query_has_no_intervals_to_draw() -> None:
    one = ScoreTable(query_ids=("1",), runs=("a", "b"), values=np.array([[0.1, 0.9]]), measure="P@10")
    assert draw(frontier(one, costs={"a": 1.0, "b": 2.0})).to_svg().startswith("<svg")


def test_costs_may_lie_twenty_decades_apart() -> None:
    figure = draw(frontier(table_of(x=X, z=Z), costs={"x": 1e-12, "z": 1e15}))
    marks = next(layer for layer in figure.to_spec()["layer"] if "fill" in layer["encoding"])
    assert len(marks["encoding"]["x"]["axis"]["values"]) <= 14
    assert figure.to_svg().startswith("<svg")


class TestPlaces:
    AXES = CostAxes.around([1, 100], [0.0, 1.0], cost_title="cost", score_title="P@10")

    def test_a_cost_in_the_middle_of_two_factors_stands_in_the_middle(self) -> None:
        across, down = self.AXES.to_points(10, 0.5)
        assert (across, down) == (pytest.approx(WIDTH / 2), pytest.approx(HEIGHT / 2))

    def test_no_name_stands_nearer_to_another_mark(self) -> None:
        """Two marks of one cost, so near that a name beside one would stand beside the other."""
        found = frontier(table_of(a=[0.50, 0.51, 0.5, 0.5], b=[0.48, 0.5, 0.5, 0.5], z=[0.0, 0.0, 0.1, 0.0]),
                         costs={"a": 2.0, "b": 2.0, "z": 1.0})  # fmt: skip
        spec = spec_of(found)
        names = {row["name"]: row for row in rows_with(spec, "name")}
        marks = {row["run"]: row["score"] for row in rows_with(spec, "kind")}
        assert marks["a"] > marks["b"]
        assert names["a"]["y"] < names["b"]["y"]  # points from the top
