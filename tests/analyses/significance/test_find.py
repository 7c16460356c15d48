"""Which of many runs differ beyond chance?"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats

import toprung as tr
from toprung.analyses.significance.find import (
    MOST_LETTERED_RUNS,
    SignificanceGrid,
    count_steps,
    significance,
)
from toprung.analyses.significance.grid_tests import TESTS
from toprung.boards.engine.top_group import find_top_group
from toprung.report.render import OutputFormat, render
from toprung.stats.tests.corrections import CORRECTIONS
from toprung.words.wording import fit_names

DEMO = Path(__file__).parents[3] / "demo" / "lin2021_reconstruction.csv.gz"


def table_of(columns: dict[str, Sequence[float]], measure: str = "P@10") -> tr.ScoreTable:
    values = np.array(list(columns.values()), dtype=np.float64).T.reshape(-1, len(columns))
    query_ids = tuple(f"q{row:04d}" for row in range(len(values)))
    return tr.ScoreTable(query_ids=query_ids, runs=tuple(columns), values=values, measure=measure)


def random_table(n_runs: int, n_queries: int, *, seed: int = 0, spread: float = 0.1) -> tr.ScoreTable:
    rng = np.random.default_rng(seed)
    ease = rng.uniform(size=(n_queries, 1))
    skill = rng.normal(0, spread, size=n_runs)
    values = np.clip(ease + skill + rng.normal(0, 0.2, size=(n_queries, n_runs)), 0, 1).round(1)
    return table_of({f"r{run:03d}": values[:, run] for run in range(n_runs)})


@pytest.fixture(scope="module")
def reconstruction() -> SignificanceGrid:
    return significance(tr.read_ranks(DEMO, cutoff=100).reciprocal())


@pytest.fixture
def three() -> SignificanceGrid:
    """Means .20, .25, .825; z is above both others on each of 12 queries, x and y differ by .05 ± .08."""
    columns = {"x": [0.1, 0.3, 0.2, 0.2], "y": [0.2, 0.3, 0.1, 0.4], "z": [0.9, 0.8, 0.9, 0.7]}
    return significance(table_of({run: values * 3 for run, values in columns.items()}))


def scipy_p(test: str, a: NDArray[np.float64], b: NDArray[np.float64]) -> float:
    difference = np.round(b - a, 10)
    found = {
        "wrs": lambda: stats.ranksums(b, a),
        "wsr": lambda: stats.wilcoxon(difference, zero_method="wilcox", correction=False, method="asymptotic"),
        "t": lambda: stats.ttest_rel(b, a),
        "sign": lambda: stats.binomtest(int((difference > 0).sum()), int((difference != 0).sum())),
    }[test]()
    return float(found.pvalue)


@pytest.mark.parametrize("test", TESTS)
def test_raw_p_is_that_of_scipy_pair_by_pair(test: str) -> None:
    table = random_table(6, 80)
    grid = significance(table)
    expected = [scipy_p(test, table.values[:, a], table.values[:, b]) for a, b in combinations(range(6), 2)]
    assert grid.p[test, "raw"] == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("correction", CORRECTIONS)
def test_the_family_of_a_correction_is_all_pairs_of_one_test(correction: str) -> None:
    grid = significance(random_table(5, 60))
    for test in TESTS:
        assert (grid.p[test, correction] == CORRECTIONS[correction](grid.p[test, "raw"])).all()
    assert grid.provenance["family"] == "all pairs of this report, per test"
    said = "Tests and corrections are for information and decide nothing; family of each correction: all 10 pairs"
    assert f"{said} of this report, test by test." in grid.notes


def test_a_difference_is_the_later_run_less_the_earlier_with_its_t_interval(three: SignificanceGrid) -> None:
    row = three.to_frame().row(1, named=True)
    assert (row["a"], row["b"], row["n"]) == ("x", "z", 12)
    assert row["delta"] == pytest.approx(0.625)
    interval = stats.ttest_rel([0.9, 0.8, 0.9, 0.7] * 3, [0.1, 0.3, 0.2, 0.2] * 3).confidence_interval(0.95)
    assert (row["delta_low"], row["delta_high"]) == pytest.approx((interval.low, interval.high))
    assert (row["a_mean"], row["b_mean"]) == pytest.approx((0.2, 0.825))


def test_the_sentence_counts_pairs_and_names_who_stands_apart(three: SignificanceGrid) -> None:
    assert str(three).splitlines()[0] == (
        "Of 3 pairs, 2 differ beyond chance, all compared at once; z is better than all others."
    )


def test_the_sentence_says_that_nothing_can_be_told_apart() -> None:
    grid = significance(table_of({"x": [1, 0, 0, 1], "y": [0, 1, 1, 0], "z": [0, 1, 0, 1]}))
    assert grid.sentence == (
        "Of 3 pairs, none differs beyond chance, all compared at once; "
        "no run can be told apart from x, the first by P@10."
    )
    assert grid.groups == (("x", "y", "z"),)


def test_two_runs_are_told_with_difference_interval_p_and_n() -> None:
    # B is above A on each of 4 queries: of 16 sign patterns 2 are as far apart. On 8 queries 2 of 256 are.
    four = significance(table_of({"old": [0.1, 0.3, 0.2, 0.2], "new": [0.9, 0.8, 0.9, 0.7]}))
    assert four.sentence == (
        "new and old cannot be told apart in P@10: the difference is +0.6250 (95% 0.3863 to 0.8637), p = 0.125, "
        "4 queries."
    )
    assert "Sign test: p = 0.125." in four.notes
    eight = significance(table_of({"old": [0.0] * 8, "new": [step / 10 for step in range(1, 9)]}))
    assert eight.sentence == (
        "new is better than old in P@10: the difference is +0.4500 (95% 0.2452 to 0.6548), p = 0.0078, 8 queries."
    )


def test_two_runs_given_the_other_way_round_tell_the_same() -> None:
    columns = {"old": [0.1, 0.3, 0.2, 0.2] * 2, "new": [0.9, 0.8, 0.9, 0.7] * 2}
    assert significance(table_of(dict(reversed(columns.items())))).sentence == significance(table_of(columns)).sentence


def test_one_query_gives_no_interval_and_tells_nothing_apart() -> None:
    grid = significance(table_of({"x": [0.2], "y": [0.7]}))
    assert "cannot be told apart" in grid.sentence
    assert "(95% – to –), p = 1.000, 1 query." in grid.sentence
    assert grid.to_frame()["delta_low"].to_list() == [None]
    assert json.loads(json.dumps(grid.to_dict(), allow_nan=False))["pairs"]["delta_high"] == [None]


def test_runs_are_ordered_by_mean_and_by_name_where_means_agree() -> None:
    # .1 + .2 + .3 and .3 + .2 + .1 differ in floating point
    grid = significance(table_of({"b": [0.1, 0.2, 0.3], "a": [0.3, 0.2, 0.1], "c": [0.9, 0.9, 0.9]}))
    assert grid.ordered_runs == ("c", "a", "b")


def test_a_measure_that_is_better_when_lower_is_ordered_and_judged_so() -> None:
    grid = significance(table_of({"slow": [9.0, 8.0, 9.0, 7.0] * 2, "fast": [1.0, 3.0, 2.0, 2.0] * 2}, "ESL@10"))
    assert grid.ordered_runs == ("fast", "slow")
    assert grid.sentence.startswith("fast is better than slow in ESL@10")


def test_letters_are_shared_exactly_by_runs_that_cannot_be_told_apart(reconstruction: SignificanceGrid) -> None:
    assert reconstruction.letters is not None
    letters = dict(zip(reconstruction.ordered_runs, reconstruction.letters.letters, strict=True))
    top = find_top_group(tr.read_ranks(DEMO, cutoff=100))
    for a, b in combinations(reconstruction.runs, 2):
        assert bool(set(letters[a]) & set(letters[b])) == (top.relation(a, b) == 0)


def test_the_reconstruction_reads_as_a_person_would_say_it(reconstruction: SignificanceGrid) -> None:
    assert reconstruction.sentence == (
        "Of 78 pairs, 35 differ beyond chance, all compared at once; "
        "R12, R11, R10, R9 and R8 cannot be told apart from R13, the first by RR@100."
    )
    first = reconstruction.table.rows[0]
    assert first == ("R13", "0.4532", "1–6", "a", "7", "0", "R12, R11, R10, R9 and R8")
    assert all(len(line) <= 100 for line in reconstruction.table.to_text().splitlines())
    assert "R13 to R8 (a)" in reconstruction.notes[1]


def test_counts_of_pairs_stand_as_a_table_of_their_own(reconstruction: SignificanceGrid) -> None:
    assert reconstruction.tables[1] == (
        "For information: significant pairs by each test, of 78",
        reconstruction.counts_table,
    )
    assert "rank-sum test      54          36    39                  51\n" in str(reconstruction)
    in_latex = render(reconstruction, OutputFormat.LATEX)
    assert r"paired t-test & 55 & 31 & 33 & 48 \\" in in_latex
    counts = reconstruction.to_dict()["counts"]
    assert len(counts) == 16
    assert counts[10] == {"test": "t", "correction": "holm", "significant": 33}


@pytest.mark.parametrize(("measure", "is_ordinal"), [("AP", True), ("P@10", False), ("thumbs", False)])
def test_what_a_mean_takes_for_granted_is_an_assumption_and_forbids_nothing(measure: str, is_ordinal: bool) -> None:
    grid = significance(replace(random_table(3, 20), measure=measure))
    assert "permitted" not in str(grid)
    assert any("an ordinal scale does not grant" in each for each in grid.explanation.assumptions) is is_ordinal


def test_tests_and_corrections_decide_nothing() -> None:
    table = random_table(4, 60)
    grid = significance(table, tests=["sign"], corrections=["bh"])
    assert (grid.relations == significance(table).relations).all()
    columns = grid.to_frame().columns
    assert [name for name in columns if name.startswith(("wrs", "wsr", "t_"))] == []
    assert "sign_p_bh" in columns


def test_a_constant_difference_is_flagged() -> None:
    grid = significance(table_of({"x": [0.1, 0.2, 0.3], "y": [0.3, 0.4, 0.5]}))
    assert any("every query differs by the same amount" in note for note in grid.notes)
    assert grid.to_frame()["t_is_constant"].to_list() == [True]


def test_few_queries_are_said_to_be_tested_exactly_or_by_permutation(three: SignificanceGrid) -> None:
    assert any(note.startswith("Signed ranks of fewer than 50 queries") for note in three.notes)
    assert set(three.to_frame()["wsr_method"]) <= {"exact", "permutation"}


def test_the_words_insignificant_and_equal_are_never_used(
    reconstruction: SignificanceGrid, three: SignificanceGrid
) -> None:
    for grid in (reconstruction, three):
        said = f"{grid} {' '.join(grid.notes)}".lower()
        assert "insignificant" not in said
        assert "equal" not in said


def test_the_same_seed_gives_the_same_bytes_and_the_order_of_queries_never_shows() -> None:
    table = random_table(5, 30)
    order = np.random.default_rng(1).permutation(30)
    renamed = tr.ScoreTable(
        query_ids=table.query_ids, runs=table.runs, values=table.values[order], measure=table.measure
    )
    as_text = json.dumps(significance(table, seed=3).to_dict())
    assert json.dumps(significance(table, seed=3).to_dict()) == as_text
    of_renamed = json.dumps(significance(renamed, seed=3).to_dict())
    assert of_renamed.replace(renamed.digest, table.digest) == as_text  # only the digest tells them apart


@settings(max_examples=30)
@given(
    values=st.integers(2, 5).flatmap(
        lambda runs: st.lists(
            st.lists(st.sampled_from([0.0, 0.25, 1 / 3, 0.5, 1.0]), min_size=runs, max_size=runs),
            min_size=1,
            max_size=12,
        )
    )
)
def test_reversing_the_runs_flips_every_sign_and_no_p(values: list[list[float]]) -> None:
    matrix = np.array(values)
    columns = {f"r{run}": matrix[:, run].tolist() for run in range(matrix.shape[1])}
    forth = significance(table_of(columns)).to_frame()
    back = significance(table_of(dict(reversed(columns.items())))).to_frame()
    there = {frozenset((row["a"], row["b"])): row for row in forth.iter_rows(named=True)}
    assert len(back) == len(forth)
    for row in back.iter_rows(named=True):
        other = there[frozenset((row["a"], row["b"]))]
        assert row["delta"] == pytest.approx(-other["delta"])
        for name, value in row.items():
            if name.endswith("_direction"):
                assert value == -other[name]
            elif "_p" in name:
                assert value == pytest.approx(other[name])


def test_many_runs_have_a_row_each_without_letters_and_every_pair_in_the_frame() -> None:
    n_runs = MOST_LETTERED_RUNS + 1
    grid = significance(random_table(n_runs, 60))
    assert grid.letters is None
    assert grid.groups == ()
    assert len(grid.table.rows) == n_runs
    assert "letters" not in grid.table.header
    assert f"Letters: left out, for {n_runs} runs would need too many to be read." in grid.notes
    assert len(grid.to_frame()) == n_runs * (n_runs - 1) // 2
    assert grid.to_dict()["runs"][0]["letters"] is None


def test_a_row_counts_all_runs_that_were_compared_as_its_ranks_do() -> None:
    """Of four runs two are in the grid: z is better than all others, y and x cannot be told apart, w is last."""
    columns = {"w": [0.0, 0.1, 0.0], "x": [0.4, 0.6, 0.5], "y": [0.5, 0.5, 0.6], "z": [0.9, 1.0, 0.9]}
    every = table_of({run: values * 6 for run, values in columns.items()})
    first = table_of({run: columns[run] * 6 for run in ("y", "z")})
    rows = {row.run: row for row in significance(first, top=find_top_group(every, alpha=0.05, seed=0)).rows}
    assert [(row.rank_low, row.rank_high, row.better_than, row.worse_than) for row in (rows["z"], rows["y"])] == [
        (1, 1, 3, 0),
        (2, 3, 1, 1),
    ]
    assert rows["y"].cannot_be_told_apart_from == ("x",)


def test_progress_is_told_once_a_block() -> None:
    told: list[str] = []
    significance(random_table(4, 10), on_progress=told.append)
    assert told == ["6 pairs"]
    assert (count_steps(2), count_steps(1000)) == (1, 31)


def test_everything_survives_json(three: SignificanceGrid) -> None:
    back = json.loads(json.dumps(three.to_dict(), allow_nan=False))
    assert [row["letters"] for row in back["runs"]] == ["a", "b", "b"]
    assert back["groups"] == [["z"], ["y", "x"]]
    assert back["pairs"]["a"] == ["x", "x", "y"]
    assert back["provenance"]["n_queries"] == 12
    assert back["provenance"]["toprung"] == tr.__version__


def test_names_that_do_not_fit_are_counted() -> None:
    assert fit_names(["alpha", "beta", "gamma"], width=30) == "alpha, beta and gamma"
    assert fit_names(["alpha", "beta", "gamma"], width=18) == "alpha and 2 more"
    assert fit_names(["a-name-that-is-far-too-long", "b"], width=5) == "a-name-that-is-far-too-long and 1 more"


@pytest.mark.parametrize(
    ("columns", "options", "message"),
    [
        ({"x": [1.0, 0.0]}, {}, "Found 1 run; expected at least two"),
        ({"x": [], "y": []}, {}, "Found 0 queries; expected at least 1"),
        ({"x": [1.0, np.nan], "y": [1.0, 0.0]}, {}, "Found queries without a value of P@10"),
        ({"x": [1.0], "y": [0.0]}, {"tests": ["u"]}, "test: found 'u'; expected one of wrs, wsr, t, sign"),
        ({"x": [1.0], "y": [0.0]}, {"tests": []}, "test: found 'none'"),
        ({"x": [1.0], "y": [0.0]}, {"corrections": ["tukey"]}, "correction: found 'tukey'"),
        ({"x": [1.0], "y": [0.0]}, {"alpha": 1.5}, "alpha: found 1.5"),
    ],
)
def test_what_cannot_be_tested_is_refused(
    columns: dict[str, list[float]], options: dict[str, object], message: str
) -> None:
    with pytest.raises(tr.InputError, match=message):
        significance(table_of(columns), **options)  # type: ignore[arg-type]
