"""The square of all pairs: blue and orange where runs differ beyond chance, nothing where they cannot be told apart."""

from __future__ import annotations

import numpy as np
import pytest
from tests.report.charts.drawn import legend_of, marks_of, told_by, words_of

import toprung as tr
from toprung.analyses.significance.find import SignificanceGrid, significance
from toprung.data.matrices import ScoreTable
from toprung.report.charts.kinds.significance_grid import HIGHEST_ROW, MOST_RUNS, WIDEST_CELL, draw
from toprung.report.charts.svg.marks import RectMark, TextMark
from toprung.report.charts.tokens import ONLY_OTHER, ONLY_THIS, RULE


def blocks_of(result: SignificanceGrid) -> list[tuple[str, str]]:
    return [(str(rect.facts["run"]), str(rect.facts["kind"])) for rect in told_by(draw(result), RectMark)]


def scores_of(values: list[list[float]], runs: tuple[str, ...], measure: str = "P@10") -> ScoreTable:
    ids = tuple(map(str, range(len(values))))
    return ScoreTable(query_ids=ids, runs=runs, values=np.array(values), measure=measure)


def test_neighbours_that_a_run_stands_to_alike_are_one_block(sure_late_never: tr.FirstRanks) -> None:
    assert blocks_of(significance(sure_late_never.reciprocal())) == [
        ("sure", "is better than late and never"),
        ("late", "is worse than sure"),
        ("late", "is better than never"),
        ("never", "is worse than sure and late"),
    ]


def test_blocks_stand_at_their_rows_and_columns(sure_late_never: tr.FirstRanks) -> None:
    rects = told_by(draw(significance(sure_late_never.reciprocal())), RectMark)
    wide, high = WIDEST_CELL, HIGHEST_ROW
    assert [(rect.left / wide, rect.right / wide, rect.top / high, rect.bottom / high) for rect in rects] == [
        (1, 3, 0, 1),
        (0, 1, 1, 2),
        (2, 3, 1, 2),
        (0, 2, 2, 3),
    ]


def test_pairs_that_cannot_be_told_apart_have_no_block() -> None:
    even = scores_of([[0.1, 0.2], [0.2, 0.1], [0.3, 0.3]], ("x", "y"))
    assert blocks_of(significance(even)) == []
    assert legend_of(draw(significance(even))) == {
        "is better": ONLY_THIS,
        "is worse": ONLY_OTHER,
        "cannot be told apart": RULE,
    }


def test_runs_stand_by_their_mean_and_a_lower_one_may_be_better() -> None:
    table = scores_of([[5.0, 1.0], [6.0, 2.0], [7.0, 2.0], [5.0, 1.0]] * 2, ("deep", "high"), measure="ESL")
    texts = {mark.text: mark.y for mark in marks_of(draw(significance(table)), TextMark) if mark.y > 0}
    assert texts["high"] == texts["1.5000"] < texts["deep"] == texts["5.7500"]
    assert blocks_of(significance(table))[0] == ("high", "is better than deep")


@pytest.mark.parametrize(("runs", "columns"), [(("x", "y"), ["y", "x"]), (("a very long name", "y"), ["1", "2"])])
def test_columns_have_names_where_all_fit_and_else_numbers(runs: tuple[str, ...], columns: list[str]) -> None:
    table = scores_of([[0.1, 0.2], [0.2, 0.5], [0.3, 0.7]], runs)
    assert [mark.text for mark in marks_of(draw(significance(table)), TextMark) if mark.align == "center"] == columns


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
    assert sum(word.startswith("a run") for word in words_of(figure)) == MOST_RUNS
    assert figure.caption.endswith("Shown are the first 120 of 123 runs.")


def test_the_caption_says_that_all_are_compared_at_once(sure_late_never: tr.FirstRanks) -> None:
    result = significance(sure_late_never.reciprocal())
    figure = draw(result)
    assert figure.finding == result.sentence
    assert figure.caption.endswith("All compared at once, at 0.05, over 40 queries.")
