"""Whose votes can be trusted?"""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import expit
from tests.labels.builders import votes

from toprung.data.judgments import Choice, Judgment, Judgments, Pair
from toprung.labels.doubt.assessors import resolve_by_accuracy
from toprung.labels.doubt.prior import StrengthPrior


def made_votes(accuracies: dict[str, float], *, n_queries: int, seed: int) -> Judgments:
    """Each assessor judges all pairs of four answers of every query."""
    rng = np.random.default_rng(seed)
    rows = []
    for query in range(n_queries):
        strengths = dict(zip("abcd", rng.normal(0, 1.5, size=4), strict=True))
        for one, other in ("ab", "ac", "ad", "bc", "bd", "cd"):
            for name, accuracy in accuracies.items():
                is_left = rng.random() < expit(strengths[one] - strengths[other])
                if rng.random() > accuracy:
                    is_left = not is_left
                rows.append(
                    Judgment(
                        judgment_id=f"{len(rows)}",
                        query_id=f"q{query}",
                        left=one,
                        right=other,
                        choice=Choice.LEFT if is_left else Choice.RIGHT,
                        assessor=name,
                    )
                )
    return Judgments.of(rows)


def test_a_careless_assessor_is_told_from_careful_ones() -> None:
    given = {"ann": 0.95, "bob": 0.95, "coin": 0.5}
    found = resolve_by_accuracy(made_votes(given, n_queries=60, seed=3)).accuracies
    assert found["coin"] < 0.65
    assert min(found["ann"], found["bob"]) > 0.8


def surprise(at: np.ndarray, judgments: Judgments, names: list[str], items: list[tuple[str, str]]) -> float:
    """Minus the log of how probable strengths and accuracies are, from the first words of `labels.doubt.assessors`."""
    strengths = dict(zip(items, at, strict=False))
    accuracies = dict(zip(names, expit(at[len(items) :]), strict=True))
    total = -0.5 * sum(each * each for each in strengths.values())  # a penalty of 1
    total += sum(4 * np.log(each) + np.log(1 - each) for each in accuracies.values())
    for vote in judgments.current:
        other = vote.right if vote.winner == vote.left else vote.left
        p = expit(strengths[vote.query_id, str(vote.winner)] - strengths[vote.query_id, other])
        accuracy = accuracies[vote.assessor]
        total += np.log(accuracy * p + (1 - accuracy) * (1 - p))
    return float(-total)


def test_strengths_and_accuracies_are_the_most_probable_ones() -> None:
    """Found by SciPy from the likelihood alone, without expectation–maximisation."""
    judgments = made_votes({"ann": 0.95, "bob": 0.85, "coin": 0.5}, n_queries=5, seed=3)
    names, items = ["ann", "bob", "coin"], list(product([f"q{query}" for query in range(5)], "abcd"))
    start = np.concatenate([np.zeros(len(items)), np.full(len(names), np.log(4))])
    best = minimize(surprise, start, args=(judgments, names, items), tol=1e-10)
    found = resolve_by_accuracy(judgments, prior=StrengthPrior(penalty=1.0)).accuracies
    assert [found[name] for name in names] == pytest.approx(expit(best.x[len(items) :]), abs=0.005)


def test_votes_of_a_careless_assessor_count_less() -> None:
    judgments = made_votes({"ann": 0.95, "bob": 0.95, "coin": 0.5}, n_queries=60, seed=3)
    outcomes = resolve_by_accuracy(judgments).outcomes
    assert all(each.wins_a + each.wins_b == pytest.approx(each.n) for each in outcomes.values())
    against_coin = [
        outcomes[vote.pair]
        for vote in judgments.current
        if vote.assessor == "coin"
        and all(
            other.choice is not vote.choice
            for other in judgments.current
            if other.pair == vote.pair and other is not vote
        )
    ]
    # two to one: the two have more than two votes, for the third was probably not meant
    assert np.mean([max(each.wins_a, each.wins_b) for each in against_coin]) > 2.2


def test_golds_count_as_known() -> None:
    gold = Pair("g", "bad", "good")
    rows = list(votes("q1 a b left ann\nq1 a b left bob").current)
    rows += [
        Judgment(
            judgment_id=f"g{name}{number}",
            query_id="g",
            left="bad",
            right="good",
            choice=Choice.RIGHT if name == "ann" else Choice.LEFT,
            assessor=name,
            is_gold=True,
        )
        for name in ("ann", "bob")
        for number in range(10)
    ]
    found = resolve_by_accuracy(Judgments.of(rows), known_golds={gold: "good"}).accuracies
    # the prior is four right and one wrong; ten golds right or wrong, and the vote as far as it was meant
    assert found["ann"] == pytest.approx((4 + 10 + 1) / 16, abs=0.05)
    assert found["bob"] == pytest.approx((4 + 0 + 0.3) / 16, abs=0.05)
