from __future__ import annotations

import itertools
import math
from collections import Counter
from math import comb, log2

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import toprung as tr
from toprung.scoring.measure import Measure
from toprung.scoring.rankings import CHUNK, MOST_CELLS, Rankings, improvements, longest_length, score_grades


def own(name: str) -> Measure:
    measure = tr.find_measure(name)
    assert isinstance(measure, Measure)
    return measure


def test_three_binary_documents_have_eight_rankings_in_the_order_of_their_grades() -> None:
    rankings = Rankings.of({1: 3}, 3)
    assert list(map(tuple, rankings.grades.tolist())) == list(itertools.product((0, 1), repeat=3))
    assert rankings.counts[:, 0].tolist() == [0, 1, 1, 2, 1, 2, 2, 3]


def test_documents_that_are_not_there_are_in_no_ranking() -> None:
    rankings = Rankings.of({2: 1, 5: 1}, 2)
    assert rankings.grades.tolist() == [[0, 0], [0, 2], [0, 5], [2, 0], [2, 5], [5, 0], [5, 2]]


@given(
    available=st.dictionaries(st.integers(1, 9), st.integers(0, 3), min_size=1, max_size=3),
    length=st.integers(1, 4),
)
def test_all_rankings_the_labels_allow_are_there_and_no_others(available: dict[int, int], length: int) -> None:
    allowed = [
        ranking
        for ranking in itertools.product([0, *sorted(available)], repeat=length)
        if all(count <= available.get(grade, length) for grade, count in Counter(ranking).items())
    ]
    rankings = Rankings.of(available, length)
    assert list(map(tuple, rankings.grades.tolist())) == allowed
    assert rankings.counts.tolist() == [[each.count(grade) for grade in sorted(available)] for each in allowed]


@pytest.mark.parametrize(
    ("measure", "values"),
    [
        # of 00, 01, 10, 11 with two relevant documents
        ("RR", [0, 1 / 2, 1, 1]),
        ("P@2", [0, 1 / 2, 1 / 2, 1]),
        ("R", [0, 1 / 2, 1 / 2, 1]),
        ("AP", [0, 1 / 4, 1 / 2, 1]),
        ("Success@1", [0, 0, 1, 1]),
        ("nDCG", [0, 1 / (log2(3) + 1), log2(3) / (log2(3) + 1), 1]),
        ("RBP(p=0.5)", [0, 1 / 4, 1 / 2, 3 / 4]),
        ("ERR", [0, 1 / 32, 1 / 16, 1 / 16 + 15 / 16 / 32]),
        ("ESL", [math.nan, 2, 1, 1]),
        ("NumRet", [2, 2, 2, 2]),
        ("NumRel", [2, 2, 2, 2]),
        ("Interval(of='AP')@2", [0, 1 / 3, 2 / 3, 1]),
    ],
)
def test_every_measure_is_computed_on_all_rankings_of_two(measure: str, values: list[float]) -> None:
    assert Rankings.of({1: 2}, 2).score(own(measure)) == pytest.approx(values, nan_ok=True)


def test_the_labels_are_the_same_for_every_ranking() -> None:
    # of grade 2, two documents; of grade 1, two: the ideal ranking is 2, 2, also where only 1, 1 was found
    rankings = Rankings.of({1: 2, 2: 2}, 2)
    values = dict(zip(map(tuple, rankings.grades.tolist()), rankings.score(own("nDCG@2")).tolist(), strict=True))
    assert values[2, 2] == pytest.approx(1)
    assert values[1, 1] == pytest.approx(1 / 2)


def test_more_rankings_than_are_scored_at_once_have_the_same_values() -> None:
    rankings = Rankings.of({1: 15}, 15)
    assert len(rankings) == 2 * CHUNK
    values = rankings.score(own("RR"))
    first = np.argmax(rankings.grades, axis=1) + 1
    assert values[1:] == pytest.approx(1 / first[1:])
    assert score_grades(own("RR"), rankings.grades[: CHUNK + 7], rankings.available) == pytest.approx(
        values[: CHUNK + 7]
    )


def test_no_rankings_have_no_values() -> None:
    assert score_grades(own("RR"), np.empty((0, 3), dtype=np.int32), {1: 3}).tolist() == []


@given(available=st.dictionaries(st.integers(1, 9), st.integers(0, 30), max_size=3), at_most=st.integers(0, 40))
def test_the_longest_length_is_the_last_whose_rankings_fit(available: dict[int, int], at_most: int) -> None:
    def count(length: int, caps: list[int]) -> int:
        if not caps:
            return 1
        return sum(comb(length, n) * count(length - n, caps[1:]) for n in range(min(caps[0], length) + 1))

    caps = list(available.values())
    longest = longest_length(available, at_most)
    assert count(longest, caps) * longest <= MOST_CELLS
    assert longest == at_most or count(longest + 1, caps) * (longest + 1) > MOST_CELLS


def test_rankings_that_are_too_many_are_refused_with_the_length_that_is_possible() -> None:
    with pytest.raises(tr.InputError) as refusal:
        Rankings.of({1: 30, 2: 30, 3: 30}, 30)
    assert str(refusal.value) == (
        "Found more rankings of 30 documents with 4 grades than can be tried; expected a length of at most 10."
    )


def test_one_relevant_document_can_be_tried_on_far_more_places() -> None:
    rankings = Rankings.of({1: 1}, 500)
    assert len(rankings) == 501
    assert sorted(rankings.score(own("ESL"))[1:].tolist()) == list(range(1, 501))


def steps(length: int, n_grades: int) -> set[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Every step up as grades; with 2 grades only changes of neighbours."""
    every = list(itertools.product(range(n_grades), repeat=length))
    return {
        (every[worse], every[better])
        for worse_places, better_places in improvements(length, n_grades)
        for worse, better in zip(worse_places.tolist(), better_places.tolist(), strict=True)
    }


def test_steps_of_two_binary_documents() -> None:
    assert steps(2, 2) == {((0, 0), (1, 0)), ((0, 0), (0, 1)), ((0, 1), (1, 1)), ((1, 0), (1, 1)), ((0, 1), (1, 0))}


def test_steps_change_places_over_others_where_neighbours_do_not_lead_there() -> None:
    # 1 0 2 to 2 0 1: by neighbours only 1 2 0 and 2 1 0 can be had
    assert ((1, 0, 2), (2, 0, 1)) in steps(3, 3)


@pytest.mark.parametrize(("length", "n_grades"), [(1, 2), (4, 2), (3, 3), (2, 5)])
def test_a_step_is_one_better_grade_or_one_change_of_places(length: int, n_grades: int) -> None:
    for worse, better in steps(length, n_grades):
        changed = [place for place in range(length) if worse[place] != better[place]]
        if len(changed) == 1:
            assert better[changed[0]] == worse[changed[0]] + 1
        else:
            upper, lower = changed
            assert (better[upper], better[lower]) == (worse[lower], worse[upper])
            assert better[upper] > better[lower]


@pytest.mark.parametrize(("length", "n_grades"), [(4, 2), (3, 3)])
def test_every_better_ranking_can_be_reached_by_steps(length: int, n_grades: int) -> None:
    reachable: dict[tuple[int, ...], set[tuple[int, ...]]] = {}
    for worse, better in steps(length, n_grades):
        reachable.setdefault(worse, set()).add(better)
    for ranking in itertools.product(range(n_grades), repeat=length):
        seen, todo = set(), [ranking]
        while todo:
            for better in reachable.get(todo.pop(), set()) - seen:
                seen.add(better)
                todo.append(better)
        for upper, lower in itertools.combinations(range(length), 2):
            if ranking[lower] > ranking[upper]:
                swapped = list(ranking)
                swapped[upper], swapped[lower] = ranking[lower], ranking[upper]
                assert tuple(swapped) in seen
        for other in itertools.product(range(n_grades), repeat=length):
            if other != ranking and all(b >= a for a, b in zip(ranking, other, strict=True)):
                assert other in seen
