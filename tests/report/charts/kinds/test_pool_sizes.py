from __future__ import annotations

from tests.report.charts.drawn import legend_of, marks_of, told_by

from toprung.analyses.pools.find import PoolReport, describe_pools
from toprung.labels.pools.pool import Pool
from toprung.report.charts.figure import Figure
from toprung.report.charts.kinds.pool_sizes import NO_LABEL, SETTLED, TO_COMPARE, draw
from toprung.report.charts.svg.marks import RectMark, TextMark


def pools(*sizes: int, unvouched: int = 0) -> PoolReport:
    """Pools of these sizes with a label, and some of one answer that is none."""
    labelled = [Pool(query_id=f"q{place}", items=tuple(map(str, range(n))), label="0") for place, n in enumerate(sizes)]
    without = [Pool(query_id=f"u{place}", items=("0",), label=None) for place in range(unvouched)]
    return describe_pools([*labelled, *without])


def bars_of(figure: Figure, *, most: int) -> list[tuple[str, float, float, str]]:
    """Items, where a bar begins and ends in queries, and its kind; the axis ends at ``most``."""
    a_query = figure.drawing.height / most
    return [
        (
            str(bar.facts["items"]),
            round(most - bar.bottom / a_query, 6),
            round(most - bar.top / a_query, 6),
            str(bar.facts["kind"]),
        )
        for bar in told_by(figure, RectMark)
    ]


def test_bars_start_at_zero_and_end_at_their_counts() -> None:
    figure = draw(pools(1, 1, 2, 3, 3, 6))
    assert bars_of(figure, most=2) == [
        ("1 items", 0, 2, SETTLED),
        ("2 items", 0, 1, TO_COMPARE),
        ("3 items", 0, 2, TO_COMPARE),
        ("6 items", 0, 1, TO_COMPARE),
    ]


def test_one_answer_that_is_no_label_is_not_settled() -> None:
    bars = bars_of(draw(pools(1, 1, 2, unvouched=3)), most=5)
    assert bars[:2] == [("1 items", 0, 2, SETTLED), ("1 items", 2, 5, NO_LABEL)]


def test_the_finding_says_mean_median_and_pairs() -> None:
    """16 items in 6 pools; 0 + 0 + 1 + 3 + 3 + 15 pairs."""
    assert draw(pools(1, 1, 2, 3, 3, 6)).finding == (
        "6 queries, 2 of them settled: a pool holds 2.67 items in the mean, 2.5 in the median, which makes 22 pairs."
    )


def test_one_kind_needs_no_legend_and_many_sizes_no_counts() -> None:
    figure = draw(pools(*range(2, 90)))
    assert legend_of(figure) == {}
    assert not [
        mark for mark in marks_of(figure, TextMark) if mark.align == "center" and mark.y < figure.drawing.height
    ]


def test_the_axis_of_few_queries_counts_in_whole_ones() -> None:
    texts = marks_of(draw(pools(2, 2, 3)), TextMark)
    assert [mark.text for mark in texts if mark.align == "right" and mark.x < 0] == ["0", "1", "2"]
