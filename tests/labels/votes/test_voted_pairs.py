"""Votes as columns: some of the pairs are what those pairs would be by themselves."""

from __future__ import annotations

import random

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from toprung.data.judgments import Choice, Judgment, Judgments
from toprung.labels.votes.outcomes import columns_of, resolve_pairs
from toprung.labels.votes.voted_pairs import VotedPairs


def some_judgments(rng: random.Random) -> Judgments:
    pairs = [(f"q{rng.randrange(4)}", *rng.sample("abcd", 2)) for _ in range(rng.randrange(1, 20))]
    return Judgments.of(
        Judgment(judgment_id=str(number), query_id=query, left=left, right=right, choice=rng.choice(list(Choice)[:2]))
        for number, (query, left, right) in enumerate(pairs)
    )


def fields_of(votes: VotedPairs) -> dict[str, list[object]]:
    return {name: list(value) for name, value in vars(votes).items()}


@given(rng=st.randoms(use_true_random=False))
def test_some_pairs_are_as_if_no_other_had_been_judged(rng: random.Random) -> None:
    outcomes = resolve_pairs(some_judgments(rng))
    is_kept = [rng.random() < 0.6 for _ in outcomes]
    alone = {pair: outcomes[pair] for pair, does in zip(outcomes, is_kept, strict=True) if does}
    found = columns_of(outcomes).select(np.array(is_kept, dtype=np.bool_))
    assert fields_of(found) == fields_of(columns_of(alone))
