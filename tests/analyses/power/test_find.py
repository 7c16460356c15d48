"""What could these queries show?"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import toprung as tr
from toprung.analyses.power.find import Power, power
from toprung.analyses.power.words import MOST_ROWS
from toprung.report.render import OutputFormat, render


def table_of(columns: dict[str, Sequence[float]], measure: str = "AP") -> tr.ScoreTable:
    values = np.array(list(columns.values()), dtype=np.float64).T.reshape(-1, len(columns))
    query_ids = tuple(f"q{row:04d}" for row in range(len(values)))
    return tr.ScoreTable(query_ids=query_ids, runs=tuple(columns), values=values, measure=measure)


def random_table(n_runs: int, n_queries: int = 40, *, seed: int = 0) -> tr.ScoreTable:
    rng = np.random.default_rng(seed)
    values = rng.uniform(size=(n_queries, 1)) + rng.normal(0, 0.1, size=n_runs) + rng.normal(size=(n_queries, n_runs))
    return table_of({f"r{run:03d}": values[:, run] for run in range(n_runs)})


@pytest.fixture
def alike() -> tr.ScoreTable:
    """B − A is ±.01, 50 times each."""
    return table_of({"a": [0.0] * 100, "b": [0.01, -0.01] * 50})


# A is ahead of B by 1, 2, 3, 2 (mean 2, variance 2/3) and of C by 0, 0, 4, 0 (mean 1, variance 4).
THREE = {"c": [5.0, 5, 1, 5], "a": [5.0, 5, 5, 5], "b": [4.0, 3, 2, 3]}


def test_the_equivalence_of_the_statistics_page(alike: tr.ScoreTable) -> None:
    found = power(alike, margin=0.002)
    assert found.equivalence_p == pytest.approx([0.024676], abs=5e-7)
    assert found.table.rows[0][-2:] == ("0.025", "equivalent")
    assert found.table.header[-1] == "within ±0.002"
    assert found.sentence.endswith("; they are shown to be equivalent within ±0.002.")
    assert power(alike, margin=0.002, alpha=0.02).table.rows[0][-1] == "not shown"
    assert power(alike, margin=0.001).sentence.endswith("; that they are equivalent within ±0.001 is not shown.")


def power_by_t(effect: float, n: int) -> float:
    critical, shift = stats.t.isf(0.025, n - 1), effect * math.sqrt(n)
    return float(stats.nct.sf(critical, n - 1, shift) + stats.nct.cdf(-critical, n - 1, shift))


def least_queries(effect: float) -> int:
    return next(n for n in range(2, 1_000) if power_by_t(effect, n) >= 0.8)


def test_figures_of_each_pair_by_hand() -> None:
    found = power(table_of(THREE), difference=0.5)
    assert found.runs == ("a", "c", "b")  # means 5, 4, 3
    frame = found.to_frame()
    assert frame.select("a", "b", "delta").rows() == [("a", "c", -1.0), ("a", "b", -2.0), ("c", "b", -1.0)]
    assert frame["sd"].to_list() == pytest.approx([2, math.sqrt(2 / 3), math.sqrt(2)])
    # the fewest n at which a t-test, noncentral by √n / 2, √n · 2/√(2/3) and so on, finds it 8 times in 10
    assert frame["needed_for_delta"].to_list()[:2] == [least_queries(0.5), least_queries(2 / math.sqrt(2 / 3))]
    assert frame["needed_for_difference"].to_list()[:2] == [least_queries(0.25), least_queries(0.5 / math.sqrt(2 / 3))]
    assert frame.schema["needed_for_delta"] == frame.schema["needed_for_difference"] == pl.Int64
    assert [power_by_t(d / sd, 4) for d, sd in frame.select("detectable", "sd").rows()] == pytest.approx([0.8] * 3)
    assert frame["power_for_difference"][0] == pytest.approx(power_by_t(0.25, 4))
    low, high = stats.ttest_1samp([-1, -2, -3, -2], 0).confidence_interval()
    assert (frame["delta_low"][1], frame["delta_high"][1]) == pytest.approx((low, high))


def test_a_baseline_is_compared_with_every_run() -> None:
    found = power(table_of(THREE), baseline="b")
    assert found.to_frame().select("a", "b", "delta").rows() == [("b", "a", 2.0), ("b", "c", 1.0)]


def test_of_a_measure_where_lower_is_better_the_lowest_comes_first() -> None:
    assert power(table_of(THREE, "ESL@10")).runs == ("b", "c", "a")


def test_the_sentence_of_one_pair_names_it(alike: tr.ScoreTable) -> None:
    assert power(alike, difference=0.004).sentence == (
        "With 100 queries, a difference in AP of 0.0028 between b and a would be found with a power of 0.8; "
        "one of 0.004 with a power of 0.98."
    )


def test_the_sentence_of_many_pairs_tells_the_median_and_the_middle() -> None:
    found = power(random_table(5), margin=0.9)
    low, median, high = np.quantile(found.found.detectable, [0.05, 0.5, 0.95])
    assert found.is_equivalent is not None
    count = int(found.is_equivalent.sum())
    assert found.sentence == (
        f"With 40 queries, a difference in AP of {median:.4f} would be found with a power of 0.8 in the median of "
        f"10 pairs ({low:.4f} to {high:.4f} in 90% of them); {count} of 10 pairs are shown to be equivalent within "
        "±0.9."
    )


def test_observed_power_is_never_shown(alike: tr.ScoreTable) -> None:
    without = power(alike)
    assert "power_for_difference" not in without.to_frame().columns
    assert without.power_for_difference is None
    assert any("at the observed one it would say no more than the p-value" in note for note in without.notes)
    chosen = power(alike, difference=0.01)
    assert any(note.startswith("Power is that of the chosen difference, 0.01, not") for note in chosen.notes)


def test_few_pairs_are_all_in_the_table_and_many_are_cut_to_those_with_the_best() -> None:
    assert len(power(random_table(6)).table.rows) == 15
    many = power(random_table(20))
    assert len(many.table.rows) == MOST_ROWS
    assert {row[0] for row in many.table.rows} == {many.runs[0]}
    assert many.notes[0] == (
        f"Shown: 15 of 190 pairs, runs against {many.runs[0]}, the best by AP; CSV and JSON have all."
    )
    assert many.to_frame().height == 190
    assert len(json.loads(render(many, OutputFormat.JSON))["pairs"]["a"]) == 190
    against = power(random_table(20), baseline="r007")
    assert against.notes[0].startswith("Shown: 15 of 19 pairs, runs against r007, the baseline;")
    seven = power(random_table(7))
    assert [row[0] for row in seven.table.rows] == [seven.runs[0]] * 6


def test_the_table_is_no_wider_than_a_page() -> None:
    found = power(random_table(20), difference=0.02, margin=0.01)
    assert max(map(len, found.table.to_text().splitlines())) <= 120


def test_pairs_without_spread_are_left_out_of_what_could_be_shown() -> None:
    found = power(table_of({"a": [0.1, 0.2, 0.3], "b": [0.1, 0.2, 0.3], "c": [0.5, 0.9, 0.4]}), difference=0.1)
    assert "in the median of 2 pairs" in found.sentence
    same = found.to_frame().row(2, named=True)
    assert (same["a"], same["b"]) == ("a", "b")
    assert same["detectable"] is same["needed_for_delta"] is same["power_for_difference"] is None
    assert found.table.rows[2][5:] == ("–", "–", "–", "–")
    assert (
        "Left out where it needs a spread: 1 pair in which every query differs by the same amount, or none does."
    ) in found.notes
    assert json.loads(render(found, OutputFormat.JSON))["pairs"]["detectable"][2] is None
    alone = power(table_of({"a": [0.1, 0.2, 0.3], "b": [0.2, 0.3, 0.4], "c": [0.5, 0.9, 0.4]}), baseline="b")
    assert alone.sentence.endswith(" would be found with a power of 0.8 in the only pair with spread.")


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        ({"a": [0.1, 0.2], "b": [0.1, 0.2]}, "Both runs have the same AP on every query: "),
        ({"a": [0.1, 0.2], "b": [0.1, 0.2], "c": [0.1, 0.2]}, "All 3 runs have the same AP on every query: "),
        ({"a": [1e-300, 2e-300], "b": [3e-300, 1e-300]}, "Both runs have the same AP on every query: "),
        ({"a": [0.1, 0.2], "b": [0.2, 0.3]}, "In the pair every query differs by the same amount: "),
        ({"a": [0.1, 0.2], "b": [0.2, 0.3], "c": [0, 0.1]}, "In all 3 pairs every query differs by the same amount: "),
    ],
)
def test_without_any_spread_nothing_is_said_to_be_found(columns: dict[str, Sequence[float]], said: str) -> None:
    found = power(table_of(columns), difference=0.1)
    assert found.sentence == f"{said}without any spread, what the queries could show cannot be told."


def test_two_queries_show_very_little() -> None:
    found = power(table_of({"a": [0.1, 0.2], "b": [0.3, 0.2]}))
    # t on one degree of freedom must exceed 12.7: a difference of 11.5 standard deviations, not of 2
    assert found.found.detectable == pytest.approx(16.334 / math.sqrt(2) * found.found.sd, rel=1e-4)
    none = power(table_of({"a": [0.1, 0.2], "b": [0.3, 0.2], "c": [0.2, 0.2]}), alpha=1e-6)
    assert none.sentence == (
        "With 2 queries, no difference, be it ever so large, is found with a power of 0.8 at 1e-06."
    )
    assert render(none, OutputFormat.JSON)


@pytest.mark.parametrize(("measure", "is_ordinal"), [("AP", True), ("P@10", False), ("thumbs", False)])
def test_what_a_mean_takes_for_granted_is_an_assumption_and_forbids_nothing(measure: str, is_ordinal: bool) -> None:
    found = power(table_of(THREE, measure))
    assert "permitted" not in str(found)
    assert any("an ordinal scale does not grant" in each for each in found.explanation.assumptions) is is_ordinal


def test_few_queries_get_a_caution(alike: tr.ScoreTable) -> None:
    # 1 / √(2 · 3) = 41%
    said = "From 4 queries an sd is known to about ±41%, and so is what rests on it."
    assert said in power(table_of(THREE)).notes
    assert not any("an sd is known to about" in note for note in power(alike).notes)


def test_runs_picked_for_their_difference_need_more_queries_than_told(alike: tr.ScoreTable) -> None:
    assert any("the difference is too large and the number too small" in note for note in power(alike).notes)


def test_provenance_and_remarks_are_passed_on() -> None:
    labels = {f"q{i}": {"d": 1} for i in range(6)}
    runs = {"whole": {query: {"d": 1.0} for query in labels}, "partial": {"q0": {"d": 1.0}}}
    table = tr.evaluate(labels, runs, "RR").first_ranks(10).reciprocal()
    found = power(table, baseline="whole", difference=0.1, margin=0.2, alpha=0.1, power=0.9)
    assert "partial: 5 labelled queries missing." in found.notes
    assert found.to_dict()["provenance"] == {
        "measure": "RR@10",
        "scores_digest": table.digest,
        "n_queries": 6,
        "n_runs": 2,
        "n_pairs": 1,
        "baseline": "whole",
        "difference": 0.1,
        "margin": 0.2,
        "alpha": 0.1,
        "power": 0.9,
        "toprung": tr.__version__,
    }


@settings(max_examples=15)
@given(seed=st.integers(0, 1_000))
def test_the_order_of_runs_and_queries_changes_nothing(seed: int) -> None:
    table = random_table(4, 12, seed=seed)
    rng = np.random.default_rng(seed)
    rows, columns = rng.permutation(12), rng.permutation(4)
    shuffled = tr.ScoreTable(
        query_ids=tuple(table.query_ids[row] for row in rows),
        runs=tuple(table.runs[column] for column in columns),
        values=table.values[rows][:, columns],
        measure=table.measure,
    )
    options = {"difference": 0.1, "margin": 0.2}
    assert power(table, **options).to_dict() == power(shuffled, **options).to_dict()  # type: ignore[arg-type]


def test_a_difference_as_large_as_the_detectable_one_is_found_with_that_power() -> None:
    found = power(random_table(2, 500))
    detectable = float(found.found.detectable[0])
    again = power(random_table(2, 500), difference=detectable)
    assert again.power_for_difference == pytest.approx([0.8], abs=1e-4)
    assert again.needed_for_difference == pytest.approx([500], abs=1)


@pytest.mark.parametrize(
    ("table", "options", "message"),
    [
        (table_of({"a": [1.0, 2.0]}), {}, "Found 1 run; expected at least two"),
        (table_of({"a": [1.0], "b": [2.0]}), {}, "Found 1 query; expected at least 2"),
        (table_of({"a": [1.0, np.nan], "b": [2.0, 1]}, "ESL@9"), {}, "without a value of ESL@9"),
        (table_of(THREE), {"baseline": "d"}, "Found no run 'd'; expected one of c, a, b"),
        (table_of(THREE), {"difference": 0}, "difference: found 0; expected a number above 0"),
        (table_of(THREE), {"difference": math.inf}, "difference: found inf"),
        (table_of(THREE), {"margin": -0.1}, "margin: found -0.1"),
        (table_of(THREE), {"alpha": 0}, "alpha: found 0"),
        (table_of(THREE), {"power": 80}, "power: found 80"),
        (table_of(THREE), {"power": 0.04}, "power: found 0.04; expected more than alpha, 0.05"),
    ],
)
def test_what_cannot_be_planned_is_refused(table: tr.ScoreTable, options: dict[str, object], message: str) -> None:
    with pytest.raises(tr.InputError, match=message):
        power(table, **options)  # type: ignore[arg-type]


def test_real_runs_are_found_as_often_as_promised(shared_data: Path) -> None:
    """Draw queries from a real pair anew: the share of draws a t-test finds is near the power promised."""
    table = tr.read_scores(shared_data / "score-matrices" / "adhoc8_ap.csv", measure="AP").select(["run95", "run83"])
    d = table.values[:, 1] - table.values[:, 0]
    needed = int(power(table).found.needed[0])
    drawn = np.random.default_rng(0).choice(d, size=(4_000, needed))
    p = stats.ttest_1samp(drawn, 0, axis=1).pvalue
    # drawn from the pilot itself, the spread is smaller by (n − 1) / n
    assert float(np.mean(p <= 0.05)) == pytest.approx(0.8, abs=0.03)


def test_its_repr_counts() -> None:
    assert repr(power(table_of(THREE))) == "Power(3 runs, 3 pairs, 4 queries)"
    assert isinstance(power(table_of(THREE)), Power)
