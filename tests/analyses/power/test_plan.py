"""How many queries should a collection have?"""

from __future__ import annotations

import json
import math

import pytest
from scipy import stats

import toprung as tr
from toprung.analyses.power.plan import plan
from toprung.report.render import OutputFormat, render


def test_the_minimum_detectable_difference_of_the_statistics_page() -> None:
    found = plan(sd=0.58, queries=5793)
    assert found.detectable == pytest.approx(0.021349, abs=5e-7)
    assert found.needed is found.power_for_difference is None
    assert found.table.header == ("queries", "detectable")
    assert ("5,793", "0.0213") in found.table.rows


def test_a_difference_needs_so_many_queries() -> None:
    # ((1.959964 + 0.841621) × .3 / .02)² = 1,765.998
    found = plan(sd=0.3, difference=0.02)
    assert found.needed == 1766
    assert found.detectable is None
    assert found.sentence == "A difference of 0.02 needs 1,766 queries at an sd of 0.3 and a power of 0.8."
    assert ("1,766", "0.0200", "0.80") in found.table.rows


def test_few_queries_are_planned_by_the_t_test() -> None:
    # G*Power: 34 queries for an effect of 0.5, 10 for one of 1, at .05 and a power of .8
    assert plan(sd=0.2, difference=0.1).needed == 34
    assert plan(sd=0.1, difference=0.1).needed == 10
    found = plan(sd=1.0, queries=3, difference=2.0)
    assert found.power_for_difference == pytest.approx(
        stats.nct.sf(stats.t.isf(0.025, 2), 2, 2 * math.sqrt(3))
        + stats.nct.cdf(stats.t.ppf(0.025, 2), 2, 2 * math.sqrt(3))
    )
    assert plan(sd=1.0, queries=3, difference=found.detectable).power_for_difference == pytest.approx(0.8, abs=1e-4)


def test_both_are_told_together() -> None:
    found = plan(sd=0.3, queries=200, difference=0.02)
    assert found.sentence == (
        "With 200 queries and an sd of 0.3, a difference of 0.0597 would be found with a power of 0.8; one of 0.02 "
        "would be found with a power of 0.16, and needs 1,766 queries."
    )
    assert found.sizes == (50, 100, 200, 400, 800, 1766)


def test_four_times_the_queries_halve_the_detectable_difference() -> None:
    details = {row["queries"]: row["detectable"] for row in plan(sd=1, queries=4000).to_frame().to_dicts()}
    assert details[16000] == pytest.approx(details[4000] / 2)
    assert list(details) == [1000, 2000, 4000, 8000, 16000]


def test_tiny_plans_begin_at_two_queries() -> None:
    assert plan(sd=0.001, difference=1).sizes == (2, 4, 8)
    assert plan(sd=0.1, queries=2).sizes == (2, 4, 8)


def test_two_queries_at_a_tiny_level_show_nothing() -> None:
    found = plan(sd=0.3, queries=2, difference=0.1, alpha=1e-6)
    assert found.sentence.startswith(
        "With 2 queries, no difference, be it ever so large, is found with a power of 0.8 at 1e-06; one of 0.1 "
    )
    assert json.loads(render(found, OutputFormat.JSON))["detectable"] is None


@pytest.mark.parametrize("output_format", list(OutputFormat))
def test_every_format_holds_the_figures(output_format: OutputFormat) -> None:
    assert "400" in render(plan(sd=1, queries=100, difference=0.5), output_format)


def test_json_says_what_was_assumed() -> None:
    back = json.loads(render(plan(sd=0.5, queries=100, alpha=0.01, power=0.9), OutputFormat.JSON))
    assert back["provenance"] == {
        "sd": 0.5,
        "queries": 100,
        "difference": None,
        "alpha": 0.01,
        "power": 0.9,
        "toprung": tr.__version__,
    }
    assert back["needed_for_difference"] is None


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"sd": 0.3}, "Found neither queries nor a difference"),
        ({"sd": 0, "queries": 9}, "sd: found 0"),
        ({"sd": float("nan"), "queries": 9}, "sd: found nan"),
        (
            {"sd": 1e300, "queries": 9},
            r"sd: found 1e\+300; expected a standard deviation above 0, from 1e-12 to 1e\+08",
        ),
        ({"sd": 0.3, "queries": 10**400}, "queries: found a number of 401 digits; expected from 2"),
        ({"sd": 0.3, "difference": 1e-300}, r"difference: found 1e-300; expected one that 1e\+15 queries can show"),
        ({"sd": 0.3, "queries": 9, "power": 0.05}, "power: found 0.05; expected more than alpha, 0.05"),
        ({"sd": 0.3, "queries": 1}, "queries: found 1; expected from 2 to"),
        ({"sd": 0.3, "difference": 0}, "difference: found 0"),
        ({"sd": 0.3, "queries": 9, "alpha": 2}, "alpha: found 2"),
        ({"sd": 0.3, "queries": 9, "power": 1}, "power: found 1"),
    ],
)
def test_what_cannot_be_planned_is_refused(options: dict[str, float], message: str) -> None:
    with pytest.raises(tr.InputError, match=message):
        plan(**options)  # type: ignore[arg-type]
