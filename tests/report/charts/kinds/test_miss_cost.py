"""The cost of a miss: the line, its band, and where the two runs break even."""

from __future__ import annotations

import numpy as np
import pytest
from tests.report.charts.drawn import marks_of, words_of

from toprung.analyses.compare.find import Comparisons, compare
from toprung.data.matrices import FirstRanks
from toprung.report.charts.kinds.miss_cost import draw
from toprung.report.charts.svg.marks import LineMark, PointMark, TextMark


def compared(a: list[int], b: list[int], cutoff: int | None = 100) -> Comparisons:
    values = np.array([a, b], dtype=np.int32).T
    ids = tuple(map(str, range(len(values))))
    return compare(FirstRanks(query_ids=ids, runs=("A", "B"), values=values, cutoff=cutoff), resamples=20)


# B reads 1, 3, 4 and 0 ranks more and misses one query fewer: 2 − c/4, zero at 8.
A, B = [1, 2, 0, 3], [2, 5, 4, 3]


def test_the_line_is_the_mean_difference_at_every_cost() -> None:
    figure = draw(compared(A, B))
    assert figure is not None
    (band, line) = marks_of(figure, LineMark)
    # Straight from 2 ranks at no cost to −48 at 200, which the ticks of the axis tell.
    ticks = {text.text: text.y for text in marks_of(figure, TextMark) if text.align == "right" and text.x < 0}
    a_rank = (ticks["−100"] - ticks["0"]) / 100
    (left, top), (right, bottom) = line.points[0], line.points[-1]
    assert (left, right) == (0, figure.drawing.width)
    assert [top - ticks["0"], bottom - ticks["0"]] == pytest.approx([-2 * a_rank, 48 * a_rank])
    above, below = band.points[: len(line.points)], band.points[: len(line.points) - 1 : -1]
    for (_, high), (_, mean), (_, low) in zip(above, line.points, below, strict=True):
        assert high < mean < low, "in points from the top"


def test_the_break_even_is_marked_and_named() -> None:
    figure = draw(compared(A, B))
    assert figure is not None
    (ring,) = marks_of(figure, PointMark)
    assert ring.x == pytest.approx(figure.drawing.width * 8 / 200)
    assert "break-even: a miss costs 8.0 ranks, undetermined" in words_of(figure)  # zero is in the band at every cost
    assert {"▲ A is cheaper", "▼ B is cheaper"} <= set(words_of(figure))
    assert "100: all read, nothing found" in words_of(figure)


def test_the_finding_says_who_is_cheaper_and_where_that_is_not_shown() -> None:
    figure = draw(compared(A, B))
    assert figure is not None
    assert figure.finding == (
        "On these queries B is the cheaper to read if a miss costs more than 8.0 ranks, A if less; "
        "the 95% band holds zero at every cost, so neither is shown to be the cheaper."
    )
    turned = draw(compared(B, A))
    assert turned is not None
    assert turned.finding.startswith("On these queries A is the cheaper to read if a miss costs more than 8.0 ranks")


def test_where_the_band_leaves_zero_out_the_finding_says_so() -> None:
    sooner = draw(compared([5, 6, 7, 8, 9, 5, 0], [1, 1, 3, 2, 4, 1, 0]))
    assert sooner is not None
    assert sooner.finding == (
        "On these queries B is the cheaper to read, whatever a miss costs; the 95% band leaves zero out at every cost."
    )
    assert not any("break-even" in text for text in words_of(sooner))


def test_a_band_that_holds_zero_somewhere_names_the_ends_of_fieller_s_set() -> None:
    result = compared([1] * 40 + [0] * 12, [4] * 30 + [3] * 10 + [2] * 11 + [0])
    breakdown = result.pairs[0].breakdown
    assert breakdown is not None
    assert breakdown.break_even.cost.kind == "interval"
    low, high = breakdown.break_even.cost.low, breakdown.break_even.cost.high
    figure = draw(result)
    assert figure is not None
    assert f"the 95% band holds zero from {low:.1f} to {high:.1f} ranks, so neither" in figure.finding
    said = [text for text in words_of(figure) if text.startswith("break-even")]
    assert said == [
        f"break-even: a miss costs {breakdown.break_even.cost.estimate:.1f} ranks (95% {low:.1f} to {high:.1f})"
    ]


def test_a_break_even_out_of_all_proportion_is_only_said() -> None:
    # B reads 90 more on 99 queries and finds one more: 8,911 ranks, over ten times the cutoff.
    figure = draw(compared([10] * 99 + [0], [100] * 99 + [1]))
    assert figure is not None
    assert "break-even: a miss costs 8911.0 ranks, off the scale" in words_of(figure)
    assert "200" in words_of(figure)
    assert "250" not in words_of(figure)


def test_without_a_cutoff_nobody_knows_when_all_is_read() -> None:
    figure = draw(compared(A, B, cutoff=None))
    assert figure is not None
    assert not any("all read" in text for text in words_of(figure))


@pytest.mark.parametrize(("a", "b"), [([1, 2, 0], [1, 2, 0]), ([3], [1])])
def test_where_there_is_nothing_to_choose_there_is_nothing_to_draw(a: list[int], b: list[int]) -> None:
    assert draw(compared(a, b)) is None
