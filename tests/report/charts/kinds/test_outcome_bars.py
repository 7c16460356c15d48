"""Outcome bars: six parts in a fixed order, wins from the left edge and losses from the right."""

from __future__ import annotations

import numpy as np
import pytest
from tests.report.charts.drawn import facts_of, told_by, words_of

from toprung.analyses.compare.find import Comparisons, compare
from toprung.data.matrices import FirstRanks
from toprung.report.charts.figure import Figure
from toprung.report.charts.kinds.outcome_bars import MOST_BARS, draw
from toprung.report.charts.svg.marks import RectMark
from toprung.report.charts.tokens import BETTER, NEITHER, ONLY_OTHER, ONLY_THIS, SAME, WORSE

# Of 20 queries: A, then B. Only B finds 3; both find it, B higher, on 5, the same on 4, A higher on 2; only A on 1.
PAIR = [(0, 1)] * 3 + [(2, 1)] * 5 + [(3, 3)] * 4 + [(0, 0)] * 5 + [(1, 4)] * 2 + [(7, 0)]


def ranks_of(*columns: list[int], names: str = "ABC") -> FirstRanks:
    values = np.array(columns, dtype=np.int32).T
    ids = tuple(map(str, range(len(values))))
    return FirstRanks(query_ids=ids, runs=tuple(names[: len(columns)]), values=values, cutoff=10)


@pytest.fixture
def pair() -> Comparisons:
    return compare(ranks_of([a for a, _ in PAIR], [b for _, b in PAIR]), resamples=20)


@pytest.fixture
def against_a() -> Comparisons:
    a, b = [a for a, _ in PAIR], [b for _, b in PAIR]
    return compare(ranks_of(a, b, a), resamples=20)


def names_of(figure: Figure) -> list[str]:
    """Of the rows."""
    return list(dict.fromkeys(row["pair"] for row in facts_of(figure)))


def test_the_order_and_the_colours_are_fixed(pair: Comparisons) -> None:
    figure = draw(pair)
    assert figure is not None
    bars = told_by(figure, RectMark)
    assert [bar.look.fill for bar in bars] == [ONLY_THIS, BETTER, SAME, NEITHER, WORSE, ONLY_OTHER]
    assert [(row["part"], row["share"], row["queries"]) for row in facts_of(figure)] == [
        ("only B found it", "15.0%", "3"),
        ("both found it, B higher", "25.0%", "5"),
        ("both found it, same rank", "20.0%", "4"),
        ("neither found it", "25.0%", "5"),
        ("both found it, A higher", "10.0%", "2"),
        ("only A found it", "5.0%", "1"),
    ]
    percent = figure.drawing.width / 100
    assert [bar.left / percent for bar in bars] == pytest.approx([0, 15, 40, 60, 85, 95])
    assert [bar.right / percent for bar in bars] == pytest.approx([15, 40, 60, 85, 95, 100], abs=0.2)


def test_totals_stand_at_both_ends(pair: Comparisons) -> None:
    figure = draw(pair)
    assert figure is not None
    assert words_of(figure)[:2] == ["◄ B does better: 40.0%", "A does better: 15.0% ►"]
    assert figure.finding == ("Of 20 queries, B does better on 40.0% and A on 15.0%; on the others they do the same.")


def test_a_part_without_queries_is_not_drawn_but_said() -> None:
    figure = draw(compare(ranks_of([1, 2], [2, 2]), resamples=20))
    assert figure is not None
    assert [row["part"] for row in facts_of(figure)] == [
        "both found it, same rank",
        "both found it, A higher",
    ]
    assert [text for text in words_of(figure) if text.endswith(("query", "queries"))] == [
        *("0 queries", "0 queries", "1 query", "0 queries", "1 query", "0 queries")
    ]


def test_what_is_rounded_away_goes_to_the_middle() -> None:
    # Three of seven each way and one the same: 42.9%, 14.3% and 42.9% add up to 100.1%.
    figure = draw(compare(ranks_of([2] * 3 + [1] * 4, [1] * 4 + [2] * 3), resamples=20))
    assert figure is not None
    b_higher, same, a_higher = told_by(figure, RectMark)
    width = figure.drawing.width
    assert (b_higher.left, a_higher.right) == (0, width)
    assert same.left == pytest.approx(0.429 * width)
    assert a_higher.left == pytest.approx(0.571 * width)


def test_all_runs_against_one_have_a_row_each_and_their_totals(against_a: Comparisons) -> None:
    figure = draw(against_a)
    assert figure is not None
    assert words_of(figure)[:6] == ["B", "40.0%", "15.0%", "C", "0.0%", "0.0%"]
    assert {"◄ this run does better", "A does better ►"} <= set(words_of(figure))
    assert figure.finding == (
        "Against A, the share of queries on which a run does better goes from 0.0% (C) to 40.0% (B)."
    )


def test_pairs_of_several_runs_name_both() -> None:
    figure = draw(compare(ranks_of([1, 2], [2, 2], [2, 1]), pairs=[("A", "B"), ("B", "C")], resamples=20))
    assert figure is not None
    assert names_of(figure) == ["B against A", "C against B"]
    assert figure.finding == "In 2 pairs B does better on 0.0% to 50.0% of the queries."


def test_one_pair_under_two_measures_has_a_row_for_each() -> None:
    first, second = ranks_of([1, 2], [2, 2]), ranks_of([1, 2], [2, 1])
    deeper = FirstRanks(query_ids=second.query_ids, runs=second.runs, values=second.values, cutoff=10, mth=2)
    figure = draw(compare([first, deeper], resamples=20))
    assert figure is not None
    assert names_of(figure) == ["B, RR@10", "B, RR(mth=2)@10"]


def test_of_very_many_pairs_the_first_are_drawn_and_that_is_said() -> None:
    n_runs = MOST_BARS + 2
    names = tuple(f"r{number}" for number in range(n_runs))
    values = np.tile(np.array([[1], [2]], dtype=np.int32), (1, n_runs))
    figure = draw(compare(FirstRanks(query_ids=("1", "2"), runs=names, values=values, cutoff=10), resamples=2))
    assert figure is not None
    assert len(names_of(figure)) == MOST_BARS
    assert figure.caption.endswith("Shown are the first 120 of 121 pairs.")


def test_scores_alone_do_not_tell_outcomes() -> None:
    assert draw(compare(ranks_of([1, 2], [2, 2]).reciprocal(), resamples=20)) is None
