"""The square of all pairs: blue and orange where runs differ beyond chance, nothing where they cannot be told apart."""

from __future__ import annotations

import numpy as np
import pytest
from tests.report.charts.drawn import all_rows, rows_with

import toprung as tr
from toprung.analyses.significance.find import SignificanceGrid, significance
from toprung.data.matrices import ScoreTable
from toprung.report.charts.kinds.significance_grid import MOST_RUNS, draw
from toprung.report.charts.tokens import ONLY_OTHER, ONLY_THIS, RULE


def blocks_of(result: SignificanceGrid) -> list[tuple[str, str, str]]:
    return [(row["run"], row["kind"], row["others"]) for row in all_rows(draw(result)) if "others" in row]


def scores_of(values: list[list[float]], runs: tuple[str, ...], measure: str = "P@10") -> ScoreTable:
    ids = tuple(map(str, range(len(values))))
    return ScoreTable(query_ids=ids, runs=runs, values=np.array(values), measure=measure)


def test_neighbours_that_a_run_stands_to_alike_are_one_block(sure_late_never: tr.FirstRanks) -> None:
    assert blocks_of(significance(sure_late_never.reciprocal())) == [
        ("sure", "is better", "late and never"),
        ("late", "is worse", "sure"),
        ("late", "is better", "never"),
        ("never", "is worse", "sure and late"),
    ]


def test_blocks_stand_at_their_rows_and_columns(sure_late_never: tr.FirstRanks) -> None:
    rows = [row for row in all_rows(draw(significance(sure_late_never.reciprocal()))) if "others" in row]
    assert [(row["left"], row["right"], row["top"], row["bottom"]) for row in rows] == [
        (1, 3, 0, 1),
        (0, 1, 1, 2),
        (2, 3, 1, 2),
        (0, 2, 2, 3),
    ]


def test_pairs_that_cannot_be_told_apart_have_no_block() -> None:
    even = scores_of([[0.1, 0.2], [0.2, 0.1], [0.3, 0.3]], ("x", "y"))
    assert blocks_of(significance(even)) == []
    colours = draw(significance(even)).to_spec()["layer"][0]["encoding"]["color"]["scale"]
    assert dict(zip(colours["domain"], colours["range"], strict=True)) == {
        "is better": ONLY_THIS,
        "is worse": ONLY_OTHER,
        "cannot be told apart": RULE,
    }


def test_runs_stand_by_their_mean_and_a_lower_one_may_be_better() -> None:
    table = scores_of([[5.0, 1.0], [6.0, 2.0], [7.0, 2.0], [5.0, 1.0]] * 2, ("deep", "high"), measure="ESL")
    assert [(row["run"], row["mean"]) for row in rows_with(draw(significance(table)), "mean")] == [
        ("high", "1.5000"),
        ("deep", "5.7500"),
    ]
    assert blocks_of(significance(table))[0] == ("high", "is better", "deep")


@pytest.mark.parametrize(("runs", "columns"), [(("x", "y"), ["y", "x"]), (("a very long name", "y"), ["1", "2"])])
def test_columns_have_names_where_all_fit_and_else_numbers(runs: tuple[str, ...], columns: list[str]) -> None:
    table = scores_of([[0.1, 0.2], [0.2, 0.5], [0.3, 0.7]], runs)
    assert [row["text"] for row in all_rows(draw(significance(table))) if "text" in row] == columns


def many_runs(n_runs: int) -> SignificanceGrid:
    rng = np.random.default_rng(3)
    values = rng.normal(size=(30, 1)) + rng.normal(size=(30, n_runs)) + np.linspace(0, 4, n_runs)
    return significance(scores_of(values.tolist(), tuple(f"a run with number {n}" for n in range(n_runs))))


def test_a_hundred_runs_make_a_small_file() -> None:
    drawn = draw(many_runs(100)).to_inline_svg()
    assert len(drawn) < 600_000
    assert "a run with number 99" in drawn


def test_of_very_many_runs_the_first_are_drawn_and_that_is_said() -> None:
    figure = draw(many_runs(MOST_RUNS + 3))
    assert len(rows_with(figure, "mean")) == MOST_RUNS
    assert figure.caption.endswith("Shown are the first 120 of 123 runs.")


def test_the_caption_says_that_all_are_compared_at_once(sure_late_never: tr.FirstRanks) -> None:
    result = significance(sure_late_never.reciprocal())
    figure = draw(result)
    assert figure.finding == result.sentence
    assert figure.caption.endswith("All compared at once, at 0.05, over 40 queries.")
