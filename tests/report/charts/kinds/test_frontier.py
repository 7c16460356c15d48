from __future__ import annotations

import math

import numpy as np
import pytest
from tests.report.charts.drawn import facts_of, legend_of, marks_of, told_by, words_of

import toprung as tr
from toprung.analyses.frontier.find import frontier
from toprung.data.matrices import ScoreTable
from toprung.report.charts.cost_axes import HEIGHT, WIDTH, CostAxes
from toprung.report.charts.figure import Figure
from toprung.report.charts.kinds.frontier import BAR, draw
from toprung.report.charts.svg.marks import LineMark, PointMark, RuleMark, TextMark
from toprung.report.charts.tokens import MARK, PAPER, TOP

X, Y, Z = [0.1, 0.3, 0.2, 0.2] * 3, [0.2, 0.3, 0.1, 0.4] * 3, [0.9, 0.8, 0.9, 0.7] * 3
NAME = "<script>alert(1)</script> שלום"


def table_of(measure: str = "P@10", **columns: list[float]) -> ScoreTable:
    values = np.array(list(columns.values())).T
    query_ids = tuple(map(str, range(len(values))))
    return ScoreTable(query_ids=query_ids, runs=tuple(columns), values=values, measure=measure)


@pytest.fixture
def shown() -> tr.Frontier:
    """The runs x and z are on the front, y is dominated by z: see tests/analyses/frontier/test_find.py."""
    return frontier(table_of(x=X, y=Y, z=Z), costs={"x": 1.0, "y": 50.0, "z": 2.0})


ON_FRONT = "on the front, does better than every cheaper run"


def test_marks_say_what_is_shown_of_each_run(shown: tr.Frontier) -> None:
    kinds = {row["run"]: row["kind"] for row in facts_of(draw(shown))}
    assert kinds == {"x": ON_FRONT, "z": ON_FRONT, "y": "dominated beyond chance"}


def test_what_cannot_be_told_apart_is_hollow() -> None:
    figure = draw(frontier(table_of(x=X, y=Y), costs={"x": 1.0, "y": 2.0}))
    looks = {mark.facts["kind"]: mark.look.fill for mark in told_by(figure, PointMark)}
    assert looks == {"on the front, cannot be told apart from a cheaper run": PAPER, ON_FRONT: TOP} == legend_of(figure)


def test_runs_off_the_front_are_grey(shown: tr.Frontier) -> None:
    assert {mark.facts["run"]: mark.look.stroke for mark in told_by(draw(shown), PointMark)}["y"] == MARK


def test_the_staircase_goes_through_the_front_to_the_right_edge(shown: tr.Frontier) -> None:
    figure = draw(shown)
    places = {mark.facts["run"]: (mark.x, mark.y) for mark in told_by(figure, PointMark)}
    (line,) = marks_of(figure, LineMark)
    (x, low), (z, high) = places["x"], places["z"]
    assert line.points == ((x, low), (z, low), (z, high), (WIDTH, high))
    assert line.look.stroke == TOP
    # Costs from 1 to 50 by factors, with a twentieth of that way at each end.
    assert (x, z) == pytest.approx((WIDTH * 0.05 / 1.1, WIDTH * (0.05 + math.log(2) / math.log(50)) / 1.1))


def test_runs_on_the_front_are_named_in_its_colour(shown: tr.Frontier) -> None:
    names = {mark.text: mark.look.fill for mark in marks_of(draw(shown), TextMark)}
    assert names["x"] == names["z"] == TOP
    assert names["y"] != TOP


def ticks_of(figure: Figure) -> list[str]:
    return [mark.text for mark in marks_of(figure, TextMark) if mark.align == "center" and mark.y > HEIGHT]


def test_costs_of_a_decade_and_more_go_by_factors(shown: tr.Frontier) -> None:
    assert ticks_of(draw(shown)) == ["1", "2", "5", "10", "20", "50"]
    near = draw(frontier(table_of(x=X, y=Y), costs={"x": 1.0, "y": 9.0}))
    assert ticks_of(near) == ["2", "4", "6", "8"]


def test_where_less_is_better_axis_and_caption_say_so() -> None:
    figure = draw(frontier(table_of("ESL@10", x=X, z=Z), costs={"x": 1.0, "z": 2.0}, by="latency"))
    assert "ESL@10 (less is better)" in words_of(figure)
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
    assert len([rule for rule in marks_of(figure, RuleMark) if rule.look.width == BAR]) == len(found.front)
    assert "intervals of the scores on the front" in figure.caption


def test_one_query_has_no_intervals_to_draw() -> None:
    one = ScoreTable(query_ids=("1",), runs=("a", "b"), values=np.array([[0.1, 0.9]]), measure="P@10")
    assert draw(frontier(one, costs={"a": 1.0, "b": 2.0})).to_svg().startswith("<svg")


def test_costs_may_lie_twenty_decades_apart() -> None:
    figure = draw(frontier(table_of(x=X, z=Z), costs={"x": 1e-12, "z": 1e15}))
    assert len(ticks_of(figure)) <= 14
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
        figure = draw(found)
        names = {mark.text: mark.y for mark in marks_of(figure, TextMark)}
        marks = {mark.facts["run"]: mark.y for mark in told_by(figure, PointMark)}
        assert marks["a"] < marks["b"]  # points from the top
        assert names["a"] < names["b"]
