"""A figure stays small and whole, whatever scores, costs and dates it is drawn of."""

from __future__ import annotations

import re
import resource
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from xml.etree.ElementTree import fromstring

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.every_result import make_results
from tests.report.charts.drawn import figure_with, words_of

import toprung as tr
from toprung.analyses.leaderboard.find import leaderboard
from toprung.analyses.timeline.published import score_timeline
from toprung.data.matrices import LARGEST_SCORE
from toprung.data.submissions import DatedEntry, PublishedBoard
from toprung.report.charts.catalogue import all_kinds, kinds_of
from toprung.report.charts.scatter import Name, Scatter
from toprung.report.charts.svg.drawing import MOST_MARKS, Drawing
from toprung.report.charts.svg.marks import RuleMark, TextMark
from toprung.report.charts.svg.setting import MOST_ROWS, PHONE, PLAIN, ChartSetting
from toprung.report.page.bars import Axis, Interval
from toprung.result import Result

N = 24
LARGEST_SVG = 60_000
"""Characters; figures of three runs take a few thousand."""
LARGEST_SIDE = 5_000
PLACES = ("d", "x", "y", "cx", "cy", "width", "height", "viewBox")
NO_NUMBER = re.compile("nan|inf")
RUNS = ("first", "second", "third")
GIGABYTE = 1 << 30
RNG = np.random.default_rng(1)
BASE = np.round(0.8 * RNG.random((N, 1)), 2)


def columns(*shifts: float) -> NDArray[np.float64]:
    return np.hstack([BASE + shift for shift in shifts])


SCORES = {
    "equal": columns(0, 0, 0),
    "equal up to rounding": columns(0, 1e-17, 5e-17) + 0.1,
    "constant": np.full((N, 3), 0.3),
    "zero": np.zeros((N, 3)),
    "the same difference everywhere": columns(0, 0.1, 0.2),
    "one query": columns(0, 0.1, 0.3)[:1],
    "negative": -columns(0, 0.1, 0.2),
    "as small as numbers are": RNG.integers(0, 3, (N, 3)) * 5e-324,
    "tiny": columns(0, 0.1, 0.2) * 1e-17,
    "huge": columns(0, 0.1, 0.2) * LARGEST_SCORE,
    "huge and alike": columns(0, 1e-15, 2e-15) * LARGEST_SCORE,
    "huge on both sides": RNG.choice([-1.0, 1.0], (N, 3)) * LARGEST_SCORE,
    "far apart": RNG.choice([1e-17, 1.0, 1e7], (N, 3)),
    "far from zero": 1e7 + columns(0, 0.1, 0.2),
}


@pytest.fixture(autouse=True)
def little_memory() -> Iterator[None]:
    """At most a gigabyte more than there is, so that a figure without end fails a test and not the machine."""
    before = resource.getrlimit(resource.RLIMIT_DATA)
    status = Path("/proc/self/status")
    if not status.exists():  # only Linux tells
        yield
        return
    taken = next(int(line.split()[1]) for line in status.read_text().splitlines() if line.startswith("VmData:"))
    resource.setrlimit(resource.RLIMIT_DATA, (taken * 1024 + GIGABYTE, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_DATA, before)


def table(values: NDArray[np.float64], prefix: str = "q") -> tr.ScoreTable:
    ids = tuple(f"{prefix}{row}" for row in range(len(values)))
    return tr.ScoreTable(query_ids=ids, runs=RUNS, values=values, measure="score")


def draw_all(result: Result, *, largest: int = LARGEST_SVG) -> set[str]:
    """Every figure of a result, wide and narrow, held to what holds for each; which kinds there were."""
    kinds = set()
    for kind in kinds_of(result.to_draw()):
        for setting in (PLAIN, ChartSetting(width=PHONE)):
            figure = kind.draw(result.to_draw(), setting)
            if figure is None:
                continue
            kinds.add(kind.name)
            drawn = figure.to_svg()
            assert len(drawn) < largest, kind.name
            picture = fromstring(drawn)
            places = (value for each in picture.iter() for name, value in each.attrib.items() if name in PLACES)
            assert not any(NO_NUMBER.search(value) for value in places), kind.name
            *_, wide, high = map(float, picture.attrib["viewBox"].split())
            assert 0 < wide < LARGEST_SIDE, kind.name
            assert 0 < high < LARGEST_SIDE, kind.name
    return kinds


def results_of(values: NDArray[np.float64]) -> Iterator[Result]:
    scores = table(values)
    yield leaderboard(scores)
    yield tr.timeline(scores, rule="score")
    yield tr.frontier(scores, costs=dict(zip(RUNS, (1.0, 2.0, 2.5), strict=True)))
    yield tr.seeds(scores, systems={"system": RUNS[:2], "other": RUNS[2:]})
    yield tr.queries(scores, a="first", b="third")
    yield tr.stability(scores, trials=20)
    yield tr.compare(scores, resamples=20)
    yield tr.significance(scores)
    other = table(np.round(RNG.random(values.shape), 2), "p")
    yield tr.holdout(scores, other)
    yield tr.holdout(other, scores)
    yield tr.holdout(scores, table(values, "p"), reference="first")


@pytest.mark.parametrize("said", SCORES)
def test_figures_of_any_scores_are_small_and_whole(said: str) -> None:
    for result in results_of(SCORES[said]):
        draw_all(result)


def test_every_kind_of_figure_is_small_and_whole() -> None:
    drawn = {kind for result in make_results().values() for kind in draw_all(result)}
    assert drawn == {kind.name for kind in all_kinds()}


@pytest.mark.parametrize(
    "costs", [(1.0, 1.0, 1.0), (1.0, 1.0 + 2e-16, 1.0 + 4e-16), (1e-12, 1.0, 1e15), (0.1, 1e8, 1e9)]
)
def test_figures_of_any_costs_are_small_and_whole(costs: tuple[float, ...]) -> None:
    found = tr.frontier(table(columns(0, 0.1, 0.2)), costs=dict(zip(RUNS, costs, strict=True)))
    assert draw_all(found) == {"cost"}


@pytest.mark.parametrize("scores", [(0.3, 0.3), (0.3, 0.1 + 0.2), (LARGEST_SCORE, -LARGEST_SCORE), (0.0, 5e-324)])
@pytest.mark.parametrize("days", [(date(2020, 1, 1),) * 2, (date.min, date.max)])
def test_figures_of_any_published_leaderboard_are_small_and_whole(
    scores: tuple[float, float], days: tuple[date, date]
) -> None:
    entries = tuple(
        DatedEntry(run_id=f"{place}", name=f"{place}", team="", date=day, score=score, line=place)
        for place, (score, day) in enumerate(zip(scores, days, strict=True))
    )
    board = PublishedBoard(
        source="board.csv", digest="", score_column="score", other_score_columns=(), entries=entries,
        n_without_date=0, n_without_score=0,
    )  # fmt: skip
    assert draw_all(score_timeline(board)) == {"score-timeline"}


def many_runs(n: int) -> tr.ScoreTable:
    values = np.tile(np.linspace(0.2, 0.8, n), (2, 1)) + np.array([[0.0], [0.1]])
    return tr.ScoreTable(
        query_ids=("q1", "q2"), runs=tuple(f"run {place:05}" for place in range(n)), values=values, measure="score"
    )


def test_a_figure_with_a_row_for_each_run_draws_the_first_thousand_and_says_so() -> None:
    figure = tr.plot(many_runs(MOST_ROWS + 1))
    assert figure.caption.endswith("Drawn: the first 1,000 of 1,001 runs.")
    assert len({row["run"] for row in figure.rows}) == MOST_ROWS
    assert "Drawn:" not in tr.plot(many_runs(3)).caption


def test_many_runs_share_their_columns_among_fewer_queries() -> None:
    rng = np.random.default_rng(1)
    ids = tuple(f"q{place:03}" for place in range(240))
    for n_runs, n_columns in ((100, 240), (200, 120)):
        runs = tuple(f"run {place}" for place in range(n_runs))
        matrix = tr.ScoreTable(query_ids=ids, runs=runs, values=rng.random((240, n_runs)), measure="score")
        said = f"240 queries in {n_columns} groups, the hardest at the left"
        assert (said in words_of(tr.plot(matrix))) == (n_columns < 240)


def test_marks_above_the_limit_are_left_out_from_below_and_the_caption_says_how_many() -> None:
    drawing = Drawing(width=100, height=100)
    drawing.rule((0, 0), (100, 0))
    for place in range(MOST_MARKS + 5):
        drawing.point(place % 100, 50, facts={"run": place})
    figure = figure_with(drawing)
    assert figure.caption == "Look. Not drawn: 6 marks, for a figure holds at most 40,000."
    assert len(figure.drawing.marks) == MOST_MARKS
    assert [row["run"] for row in figure.rows[:1]] == [6]  # the axis stays, and what lies on top
    assert isinstance(figure.drawing.marks[0], RuleMark)


def test_texts_alone_are_held_to_the_limit_too() -> None:
    drawing = Drawing(width=100, height=100)
    drawing.column((("a", float(place)) for place in range(MOST_MARKS + 5)), x=0)
    assert len(figure_with(drawing).drawing.marks) == MOST_MARKS


def test_a_name_keeps_clear_of_a_steep_line_and_needs_no_memory_for_what_is_beyond_the_plot() -> None:
    plot = Scatter.around([0.0, 1.0], [0.0, 1.0], x_title="before", y_title="after")
    drawing = Drawing(width=plot.width, height=plot.height)
    plot.draw_names(drawing, [Name(text="name", x=0.5, y=0.5)], [(0.5, 0.5)], [((0.0, -1e13), (1.0, 1e13))])
    (name,) = (mark.box for mark in drawing.marks if isinstance(mark, TextMark))
    middle, _ = plot.to_points(0.5, 0.5)
    assert name.right <= middle - 2 or name.left >= middle + 2


def test_a_png_has_fewer_pixels_for_each_point_where_a_drawing_is_large() -> None:
    pytest.importorskip("vl_convert")
    for high, pixels in ((400, 800 * 800), (120_000, 50_000_000)):
        drawn = figure_with(Drawing(width=392, height=high - 8)).to_png(scale=2)
        wide, tall = (int.from_bytes(drawn[start : start + 4]) for start in (16, 20))
        assert wide * tall == pytest.approx(pixels, rel=0.02)


def test_intervals_in_rows_of_a_page_that_are_equal_but_for_rounding_share_one_axis() -> None:
    exact, near = (Interval(value=score, low=score, high=score) for score in (0.3, 0.1 + 0.2))
    axis = Axis.of([exact, near], top=near, confidence=0.95)
    assert axis.holds(exact)
    assert axis.holds(near)
    assert 2 <= len(axis.ticks) <= 5
    assert axis.decimals <= 3
