"""What does a sketch tell of two runs? Nearly the same ones are always alike by it, others hardly ever."""

from __future__ import annotations

import random

import pytest

from toprung.boards.policy import SmallChanges
from toprung.data.run import Run
from toprung.web.services.runs.sketch import FEWEST_SHARED, N_QUERIES, choose_queries, likeness, sketch_of

QUERIES = [f"q{number}" for number in range(400)]
RULE = SmallChanges()
Lists = dict[str, list[str]]


def random_lists(seed: int) -> Lists:
    drawn = random.Random(seed)
    return {query: [f"{query}-{number}" for number in drawn.sample(range(1_000), 10)] for query in QUERIES}


def sketch(lists: Lists, key: bytes = b"of this server") -> dict[str, list[str]]:
    run = Run.from_dict({query: {doc: -rank for rank, doc in enumerate(docs)} for query, docs in lists.items()})
    return sketch_of(run, choose_queries(QUERIES, key))


def test_a_run_that_is_like_the_other_on_a_third_of_the_queries_is_alike() -> None:
    one, other = random_lists(1), random_lists(2)
    changed = {query: one[query] if place % 3 else other[query] for place, query in enumerate(QUERIES)}
    third = {query: other[query] if place % 3 else one[query] for place, query in enumerate(QUERIES)}
    assert likeness(sketch(one), sketch(changed), RULE) > likeness(sketch(one), sketch(third), RULE) > 0
    assert likeness(sketch(one), sketch(one), RULE) == pytest.approx(1 / RULE.identical)


def test_a_run_whose_neighbours_change_places_everywhere_is_alike() -> None:
    one = random_lists(1)
    swapped = {query: [*docs[:4], docs[5], docs[4], *docs[6:]] for query, docs in one.items()}
    assert likeness(sketch(one), sketch(swapped), RULE) > 1


def test_runs_of_their_own_are_not_alike() -> None:
    assert likeness(sketch(random_lists(1)), sketch(random_lists(2)), RULE) == 0


def test_nobody_knows_the_queries_without_the_key_and_they_stay_when_others_come() -> None:
    chosen = choose_queries(QUERIES, b"of this server")
    assert len(chosen) == N_QUERIES
    assert len(chosen & choose_queries(QUERIES, b"of another")) < FEWEST_SHARED
    more = choose_queries([*QUERIES, "new"], b"of this server")
    assert len(chosen & more) >= N_QUERIES - 1
    one = random_lists(1)
    assert likeness(sketch(one), sketch(one, b"of another"), RULE) == 0, "another server's sketches say nothing"
