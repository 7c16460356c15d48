"""The order of a run, decided once."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toprung.data.ordered import OrderedRows, order_rows

Row = tuple[str, str, int, float]


def scored(*rows: Row) -> pl.DataFrame:
    return pl.DataFrame(rows, schema=["query_id", "doc_id", "rank", "score"], orient="row")


def ranked(*rows: tuple[str, str, int]) -> pl.DataFrame:
    return pl.DataFrame(rows, schema=["query_id", "doc_id", "rank"], orient="row")


def documents(rows: OrderedRows) -> list[str]:
    return rows.frame["doc_id"].to_list()


def test_scores_fall() -> None:
    rows = order_rows(scored(("q1", "a", 1, 0.1), ("q1", "b", 2, 0.3), ("q1", "c", 3, 0.2)))
    assert documents(rows) == ["b", "c", "a"]
    assert rows.ranks.tolist() == [1, 2, 3]
    assert rows.ranks.dtype == np.int32


def test_equal_scores_fall_by_document() -> None:
    rows = order_rows(scored(("q1", "a", 1, 1.0), ("q1", "b", 2, 1.0), ("q1", "c", 3, 2.0), ("q1", "é", 4, 1.0)))
    assert documents(rows) == ["c", "é", "b", "a"]


def test_minus_nought_equals_nought() -> None:
    rows = order_rows(scored(("q1", "a", 1, 0.0), ("q1", "c", 2, -0.0), ("q1", "b", 3, 0.0)))
    assert documents(rows) == ["c", "b", "a"]
    assert rows.tie_groups().tolist() == [0, 3]


def test_rows_of_a_query_come_together_where_it_first_stands() -> None:
    rows = order_rows(scored(("q2", "a", 1, 0.1), ("q1", "a", 1, 0.5), ("q2", "b", 2, 0.9), ("q1", "b", 2, 0.6)))
    assert rows.query_ids.to_list() == ["q2", "q1"]
    assert rows.starts.tolist() == [0, 2, 4]
    assert rows.frame["query_id"].to_list() == ["q2", "q2", "q1", "q1"]
    assert documents(rows) == ["b", "a", "b", "a"]
    assert rows.ranks.tolist() == [1, 2, 1, 2]


def test_only_the_query_that_is_out_of_order_is_sorted() -> None:
    rows = order_rows(
        scored(("q1", "a", 1, 0.9), ("q1", "b", 2, 0.8), ("q2", "a", 1, 0.1), ("q2", "b", 2, 0.2), ("q3", "a", 1, 0.3))
    )
    assert rows.frame.rows() == [
        ("q1", "a", 1, 0.9),
        ("q1", "b", 2, 0.8),
        ("q2", "b", 2, 0.2),
        ("q2", "a", 1, 0.1),
        ("q3", "a", 1, 0.3),
    ]


def test_a_score_that_rises_from_one_query_to_the_next_moves_nothing() -> None:
    rows = order_rows(scored(("q1", "a", 1, 0.1), ("q2", "b", 1, 0.9), ("q3", "a", 1, 0.9)))
    assert documents(rows) == ["a", "b", "a"]
    assert rows.tie_groups().tolist() == [0, 1, 2, 3], "equal scores of two queries are no tie"


def test_tie_groups_begin_where_the_score_or_the_query_changes() -> None:
    rows = order_rows(
        scored(("q1", "a", 1, 2.0), ("q1", "b", 2, 1.0), ("q1", "c", 3, 1.0), ("q2", "a", 1, 1.0), ("q2", "b", 2, 1.0))
    )
    assert rows.tie_groups().tolist() == [0, 1, 3, 5]


def test_nearly_equal_scores_tie_in_32_bits_only() -> None:
    frame = scored(("q1", "a", 1, 0.100000001), ("q1", "b", 2, 0.1))
    assert documents(order_rows(frame)) == ["a", "b"]
    rows = order_rows(frame, float32_ties=True)
    assert documents(rows) == ["b", "a"]
    assert rows.tie_groups().tolist() == [0, 2]
    assert rows.frame["score"].to_list() == [0.1, 0.100000001], "the frame keeps the scores as written"


def test_without_scores_the_ranks_decide_and_nothing_ties() -> None:
    rows = order_rows(ranked(("q1", "a", 9), ("q1", "b", 2), ("q2", "a", 1)))
    assert documents(rows) == ["b", "a", "a"]
    assert rows.ranks.tolist() == [2, 9, 1]
    assert rows.scores is None
    assert rows.tie_groups().tolist() == [0, 1, 2, 3]
    assert rows.contradicting_queries().tolist() == []


@pytest.mark.parametrize(
    ("ranks", "contradicts"),
    [
        ([1, 2, 3, 4], False),
        ([0, 1, 2, 3], False),
        ([5, 50, 60, 700], False),
        ([1, 3, 2, 4], False),
        ([1, 2, 2, 3], False),
        ([2, 1, 3, 4], True),
        ([1, 2, 3, 3], True),
        ([1, 1, 2, 3], True),
        ([4, 3, 2, 1], True),
        ([9, 2, 3, 4], True),
    ],
)
def test_ranks_contradict_when_they_do_not_rise_from_one_score_to_the_next(ranks: list[int], contradicts: bool) -> None:
    scores = [0.9, 0.5, 0.5, 0.1]  # the second and third document tie
    frame = scored(*((("q1", f"d{i}", rank, score)) for i, (rank, score) in enumerate(zip(ranks, scores, strict=True))))
    assert order_rows(frame).contradicting_queries().tolist() == ([0] if contradicts else [])


def test_each_query_contradicts_for_itself() -> None:
    rows = order_rows(
        scored(("q1", "a", 7, 2.0), ("q1", "b", 8, 1.0), ("q2", "a", 2, 2.0), ("q2", "b", 1, 1.0), ("q3", "a", 1, 1.0))
    )
    assert rows.contradicting_queries().tolist() == [1]


def test_a_frame_without_ranks_contradicts_nothing() -> None:
    frame = scored(("q1", "a", 2, 2.0), ("q1", "b", 1, 1.0)).drop("rank")
    assert order_rows(frame).contradicting_queries().tolist() == []


a_row = st.tuples(
    st.sampled_from(["q1", "q2", "q3"]),
    st.sampled_from(["a", "b", "c", "é", "ｄ", "😀", "aa"]),
    st.integers(1, 5),
    st.sampled_from([-1.0, -0.0, 0.0, 0.1, 0.100000001, 2.0]),
)


@settings(max_examples=150)
@given(rows=st.lists(a_row, min_size=1, max_size=15, unique_by=lambda row: row[:2]), float32_ties=st.booleans())
def test_any_rows_come_in_the_order_of_a_plain_sort(rows: list[Row], float32_ties: bool) -> None:
    def score_of(row: Row) -> float:
        return float(np.float32(row[3])) if float32_ties else row[3]

    queries = list(dict.fromkeys(row[0] for row in rows))
    expected = sorted(rows, key=lambda row: (score_of(row), row[1].encode()), reverse=True)
    expected.sort(key=lambda row: queries.index(row[0]))
    assert order_rows(scored(*rows), float32_ties=float32_ties).frame.rows() == expected


def test_the_top_of_ordered_rows_keeps_queries_together() -> None:
    rows = order_rows(
        scored(("q1", "a", 1, 0.1), ("q1", "b", 2, 0.3), ("q1", "c", 3, 0.2), ("q2", "d", 1, 1.0), ("q3", "e", 1, 2.0))
    ).top(2)
    assert documents(rows) == ["b", "c", "d", "e"]
    assert rows.query_ids.to_list() == ["q1", "q2", "q3"]
    assert rows.starts.tolist() == [0, 2, 3, 4]
    assert rows.ranks.tolist() == [1, 2, 1, 1]
    assert rows.scores is not None
    assert rows.scores.tolist() == [0.3, 0.2, 1.0, 2.0]


def test_a_query_whose_written_ranks_begin_below_the_top_is_not_in_it() -> None:
    rows = order_rows(ranked(("q1", "a", 7), ("q2", "b", 1))).top(3)
    assert rows.query_ids.to_list() == ["q2"]
    assert documents(rows) == ["b"]


def test_rows_know_the_ranks_that_their_ties_would_allow() -> None:
    # Scores of q1: 5, 3, 3, 3, 1; of q2: 1, which is the same as the row above and yet no tie.
    rows = order_rows(
        scored(
            *(("q1", "a", 1, 5.0), ("q1", "d", 2, 3.0), ("q1", "c", 3, 3.0), ("q1", "b", 4, 3.0), ("q1", "e", 5, 1.0)),
            ("q2", "a", 1, 1.0),
        )
    )
    first, last = rows.tie_ranks(np.array([5, 0, 2, 4]))
    assert first.tolist() == [1, 1, 2, 5]
    assert last.tolist() == [1, 1, 4, 5]
