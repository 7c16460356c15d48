"""Tie bounds against brute force: every way to break the ties of small random runs."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import toprung as tr
from toprung.scoring.measure import Aggregate
from toprung.scoring.tie_bounds import bounds_of_answered_mean

DOCS = ["a", "b", "c", "d", "e", "f"]
Ranking = tuple[int | None, ...]

labels_of_query = st.dictionaries(st.sampled_from(DOCS), st.integers(-1, 4), min_size=1)
scores_of_query = st.dictionaries(st.sampled_from(DOCS), st.sampled_from([1.0, 2.0, 3.0]), min_size=1)


@st.composite
def runs_and_labels(draw: st.DrawFn) -> tuple[dict[str, dict[str, float]], dict[str, dict[str, int]]]:
    """Up to three queries; the first is in the run and has a relevant document, others may lack either."""
    labels = draw(st.lists(labels_of_query, min_size=1, max_size=3))
    labels[0][draw(st.sampled_from(DOCS))] = draw(st.integers(1, 4))
    run = [draw(scores_of_query), *(draw(st.none() | scores_of_query) for _ in labels[1:])]
    names = [f"q{number}" for number in range(len(labels))]
    return (
        {name: scores for name, scores in zip(names, run, strict=True) if scores is not None},
        dict(zip(names, labels, strict=True)),
    )


def rankings(scores: Mapping[str, float], labels: Mapping[str, int]) -> set[Ranking]:
    """The grades down the ranking, for every way to break ties."""
    groups = [
        [labels.get(doc) for doc in scores if scores[doc] == score] for score in sorted(set(scores.values()))[::-1]
    ]
    orders = itertools.product(*(set(itertools.permutations(group)) for group in groups))
    return {tuple(itertools.chain(*order)) for order in orders}


def figures(values_of_queries: Sequence[set[float]], aggregate: Aggregate) -> Iterator[float]:
    """The run's figure, for every combination of what its queries may have."""
    for values in itertools.product(*values_of_queries):
        counted = [value for value in values if not math.isnan(value)]
        if aggregate is Aggregate.SUM:
            yield sum(counted)
        elif counted:
            yield sum(counted) / len(counted)


@settings(max_examples=60, deadline=None)
@given(given_data=runs_and_labels())
def test_the_bounds_are_the_lowest_and_highest_over_all_ways_to_break_ties(
    naive_measures: dict[str, Callable[[Any], float]],
    to_query: Callable[..., Any],
    given_data: tuple[dict[str, dict[str, float]], dict[str, dict[str, int]]],
) -> None:
    run, labels = given_data
    scored = {query_id: docs for query_id, docs in labels.items() if max(docs.values()) >= 1}
    highest = max(max(docs.values()) for docs in scored.values())
    possible = [
        [to_query(ranking, list(docs.values()), highest) for ranking in rankings(run.get(query_id, {}), docs)]
        for query_id, docs in scored.items()
    ]
    evaluation = tr.evaluate(labels, run, list(naive_measures))
    for measure, score in zip(evaluation.measures, evaluation.scores, strict=True):
        naive = naive_measures[str(measure)]
        values = [{round(naive(query), 13) for query in queries} for queries in possible]
        every_figure = list(figures([_one_nan(each) for each in values], measure.aggregate))
        if not every_figure:
            assert math.isnan(score.value), measure
            continue
        assert score.tie_low == pytest.approx(min(every_figure), abs=1e-12), measure
        assert score.tie_high == pytest.approx(max(every_figure), abs=1e-12), measure


def _one_nan(values: set[float]) -> set[float]:
    """NaN is unlike itself, so a set may hold many."""
    numbers = {value for value in values if not math.isnan(value)}
    return numbers if len(numbers) == len(values) else numbers | {math.nan}


@settings(max_examples=60, deadline=None)
@given(given_data=runs_and_labels())
def test_every_measure_is_its_naive_reading_with_ties_by_doc_id_descending(
    naive_measures: dict[str, Callable[[Any], float]],
    to_query: Callable[..., Any],
    given_data: tuple[dict[str, dict[str, float]], dict[str, dict[str, int]]],
) -> None:
    run, labels = given_data
    highest = max(max(docs.values()) for docs in labels.values())
    evaluation = tr.evaluate(labels, run, list(naive_measures))
    for measure, naive in naive_measures.items():
        table = evaluation.score_table(measure)
        for query_id, value in zip(table.query_ids, table.values[:, 0].tolist(), strict=True):
            scores, docs = run.get(query_id, {}), labels[query_id]
            order = sorted(scores, key=lambda doc: (scores[doc], doc), reverse=True)
            query = to_query([docs.get(doc) for doc in order], list(docs.values()), highest)
            assert value == pytest.approx(naive(query), abs=1e-12, nan_ok=True), (measure, query_id)


@settings(max_examples=60, deadline=None)
@given(given_data=runs_and_labels())
@example(  # NCG@2 is (1 + 2/6 + 1) / 3 however a and b of q0 stand: no rounding may set value and bounds apart
    given_data=(
        {"q0": {"a": 1.0, "b": 1.0}, "q1": {"a": 1.0}, "q2": {"a": 1.0}},
        {"q0": {"a": 1}, "q1": {"a": 2, "b": 4}, "q2": {"a": 1}},
    )
)
def test_no_figure_lies_outside_its_bounds(
    naive_measures: dict[str, object],
    given_data: tuple[dict[str, dict[str, float]], dict[str, dict[str, int]]],
) -> None:
    run, labels = given_data
    for score in tr.evaluate(labels, run, list(naive_measures)).scores:
        if not math.isnan(score.value):
            assert score.tie_low is not None
            assert score.tie_high is not None
            assert score.tie_low <= score.value <= score.tie_high, score.measure


def test_a_run_without_ties_cannot_be_moved() -> None:
    evaluation = tr.evaluate({"q1": {"a": 1}}, {"q1": {"a": 1.0, "b": 2.0}}, ["RR", "ESL", "NumRet"])
    assert [(score.value, score.tie_low, score.tie_high) for score in evaluation.scores] == [
        (0.5, 0.5, 0.5),
        (2, 2, 2),
        (2, 2, 2),
    ]


def test_ties_of_unlabelled_documents_move_nothing() -> None:
    run = {"q1": {"x": 3.0, "y": 3.0, "a": 2.0}}
    (score,) = tr.evaluate({"q1": {"a": 1}}, run, "RR").scores
    assert score.tie_low == score.value == score.tie_high == pytest.approx(1 / 3)


def test_ties_among_the_first_three_move_rr_from_a_third_to_1() -> None:
    (score,) = tr.evaluate({"q1": {"b": 1}}, {"q1": {"a": 5.0, "b": 5.0, "c": 5.0, "d": 1.0}}, "RR").scores
    assert (score.tie_low, score.value, score.tie_high) == (pytest.approx(1 / 3), 0.5, 1)  # c, b, a, d


def test_ties_across_the_cutoff_decide_whether_a_query_counts_for_esl() -> None:
    labels = {"q1": {"a": 1}, "q2": {"a": 1}}
    run = {"q1": {"a": 9.0}, "q2": {"x": 9.0, "a": 5.0, "b": 5.0, "c": 5.0}}
    (score,) = tr.evaluate(labels, run, "ESL@3").scores
    # q1 is answered at 1; a of q2 at 2, 3 or, as it is (c, b, a), not among the first 3
    assert (score.value, score.tie_low, score.tie_high) == (1, 1, (1 + 3) / 2)


def test_ties_of_one_query_alone_may_leave_no_esl_at_all() -> None:
    (score,) = tr.evaluate({"q1": {"a": 1}}, {"q1": {"a": 5.0, "b": 5.0}}, "ESL@1").scores
    assert math.isnan(score.value)  # b stands first
    assert (score.tie_low, score.tie_high) == (1, 1)  # if there is one, it is 1


@pytest.mark.parametrize(
    ("shortest", "longest", "cutoff", "expected"),
    [
        ([2.0, 4.0], [3.0, 6.0], None, (3.0, 4.5)),  # always answered: the two means
        ([1.0, 5.0], [math.nan, 5.0], 10, (3.0, 7.5)),  # with q1 at 1: 3; at the cutoff: (10 + 5) / 2
        ([7.0, 2.0], [math.nan, 2.0], 8, (2.0, 5.0)),  # lowest without q1; highest with it at 8
        ([3.0, 6.0], [math.nan, math.nan], 9, (3.0, 9.0)),  # lowest with the first alone
        ([6.0, 3.0], [math.nan, math.nan], 9, (3.0, 9.0)),  # and with the second, in whichever order they stand
        ([math.nan], [math.nan], 5, (math.nan, math.nan)),
    ],
)
def test_the_extremes_of_a_mean_over_answered_queries(
    shortest: list[float], longest: list[float], cutoff: int | None, expected: tuple[float, float]
) -> None:
    bounds = bounds_of_answered_mean(np.array(shortest), np.array(longest), cutoff)
    assert bounds == pytest.approx(expected, nan_ok=True)
