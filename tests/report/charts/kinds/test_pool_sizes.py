from __future__ import annotations

from tests.report.charts.drawn import rows_with

from toprung.analyses.pools.find import PoolReport, describe_pools
from toprung.labels.pools.pool import Pool
from toprung.report.charts.kinds.pool_sizes import NO_LABEL, SETTLED, TO_COMPARE, draw


def pools(*sizes: int, unvouched: int = 0) -> PoolReport:
    """Pools of these sizes with a label, and some of one answer that is none."""
    labelled = [Pool(query_id=f"q{place}", items=tuple(map(str, range(n))), label="0") for place, n in enumerate(sizes)]
    without = [Pool(query_id=f"u{place}", items=("0",), label=None) for place in range(unvouched)]
    return describe_pools([*labelled, *without])


def test_bars_start_at_zero_and_end_at_their_counts() -> None:
    figure = draw(pools(1, 1, 2, 3, 3, 6))
    bars = [(row["items"], row["base"], row["top"], row["kind"]) for row in rows_with(figure, "base", "top")]
    assert bars == [(1, 0, 2, SETTLED), (2, 0, 1, TO_COMPARE), (3, 0, 2, TO_COMPARE), (6, 0, 1, TO_COMPARE)]
    assert [row["shown"] for row in rows_with(figure, "shown")] == ["2", "1", "2", "1"]


def test_one_answer_that_is_no_label_is_not_settled() -> None:
    bars = rows_with(draw(pools(1, 1, 2, unvouched=3)), "base", "top")
    assert [(row["kind"], row["base"], row["top"]) for row in bars if row["items"] == 1] == [
        (SETTLED, 0, 2),
        (NO_LABEL, 2, 5),
    ]


def test_the_finding_says_mean_median_and_pairs() -> None:
    """16 items in 6 pools; 0 + 0 + 1 + 3 + 3 + 15 pairs."""
    assert draw(pools(1, 1, 2, 3, 3, 6)).finding == (
        "6 queries, 2 of them settled: a pool holds 2.67 items in the mean, 2.5 in the median, which makes 22 pairs."
    )


def test_one_kind_needs_no_legend_and_many_sizes_no_counts() -> None:
    figure = draw(pools(*range(2, 90)))
    (bars,) = figure.to_spec()["layer"]
    assert bars["encoding"]["fill"]["legend"] is None
    figure.chart.to_dict()  # held to the schema of Vega-Lite


def test_the_axis_of_few_queries_counts_in_whole_ones() -> None:
    spec = draw(pools(2, 2, 3)).to_spec()
    assert spec["layer"][0]["encoding"]["y"]["axis"]["values"] == [0, 1, 2]
