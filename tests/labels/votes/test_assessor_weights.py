"""How much is an assessor's vote worth?"""

from __future__ import annotations

from collections.abc import Sequence
from math import log

import numpy as np
import pytest
from scipy.optimize import minimize
from tests.labels.builders import votes

from toprung.data.judgments import Choice, Judgment
from toprung.labels.votes.assessor_weights import estimate_accuracies, expected_right, to_weights
from toprung.labels.votes.outcomes import votes_of


def simulate(accuracies: dict[str, float], n_pairs: int, seed: int = 1) -> list[Judgment]:
    """Every assessor judges every pair; the first answer is the better one, and stands on either side."""
    rng = np.random.default_rng(seed)
    made = []
    for number in range(n_pairs):
        for name, accuracy in accuracies.items():
            is_right, is_left = rng.random() < accuracy, rng.random() < 0.5
            left, right = ("a", "b") if is_left else ("b", "a")
            choice = Choice.LEFT if is_right == is_left else Choice.RIGHT
            made.append(
                Judgment(
                    judgment_id=f"{number}-{name}",
                    query_id=f"q{number}",
                    left=left,
                    right=right,
                    choice=choice,
                    assessor=name,
                )
            )
    return made


def test_accuracies_are_found_again() -> None:
    true = {"sharp": 0.95, "fair": 0.8, "so-so": 0.65, "coin": 0.5, "steady": 0.85}
    found = estimate_accuracies(simulate(true, 1500))
    # 1,500 votes each: a standard error of at most 0.013, and three of them.
    assert found == pytest.approx(true, abs=0.04)


def surprise(accuracies: Sequence[float], made: Sequence[Judgment], golds: Sequence[tuple[str, bool]]) -> float:
    """Minus the log of how probable all answers are, either answer of a pair being the better one, and of the prior:
    as if each had been right four times and wrong once.
    """
    of = dict(zip(sorted({vote.assessor for vote in made}), accuracies, strict=True))
    sides: dict[str, list[float]] = {}
    for vote in made:
        a, b = sides.setdefault(vote.query_id, [0.5, 0.5])
        right, wrong = of[vote.assessor], 1 - of[vote.assessor]
        sides[vote.query_id] = [a * right, b * wrong] if vote.winner == "a" else [a * wrong, b * right]
    total = sum(log(a + b) for a, b in sides.values())
    total += sum(log(of[name] if is_right else 1 - of[name]) for name, is_right in golds)
    return -total - sum(4 * log(each) + log(1 - each) for each in accuracies)


@pytest.mark.parametrize("seed", [1, 2])
def test_accuracies_are_the_most_probable_ones(seed: int) -> None:
    """Found by SciPy from the likelihood alone, without expectation–maximisation."""
    made = simulate({"u": 0.9, "v": 0.7, "w": 0.6, "x": 0.8}, 40, seed)
    golds = [("u", True), ("u", True), ("w", False)]
    best = minimize(surprise, [0.8] * 4, args=(made, golds), bounds=[(0.01, 0.99)] * 4, tol=1e-12)
    assert list(estimate_accuracies(made, golds).values()) == pytest.approx(best.x, abs=1e-4)


def test_answers_expected_to_be_right_are_those_of_one_by_one() -> None:
    """Of each pair the odds that its first answer is the better one, from all votes; each vote then for itself."""
    made = simulate({"x": 0.9, "y": 0.7, "z": 0.6}, 30)
    golds = [("y", True), ("y", False)]
    accuracies = estimate_accuracies(made, golds)
    odds: dict[str, float] = {}
    for vote in made:
        worth = accuracies[vote.assessor] / (1 - accuracies[vote.assessor])
        odds[vote.query_id] = odds.get(vote.query_id, 1.0) * (worth if vote.winner == "a" else 1 / worth)
    first = {query: each / (1 + each) for query, each in odds.items()}
    plain = {name: float(sum(is_right for whose, is_right in golds if whose == name)) for name in accuracies}
    for vote in made:
        plain[vote.assessor] += first[vote.query_id] if vote.winner == "a" else 1 - first[vote.query_id]
    right, counted = expected_right(made, golds)
    assert right == pytest.approx(plain, abs=1e-6)
    assert counted == {"x": 30, "y": 32, "z": 30}


def test_answers_that_are_not_used_tell_of_their_assessors_and_of_nobody_else() -> None:
    """Five who take the worse answer would outvote two who read; answers on pairs without a vote tell nothing."""
    read = simulate({"ann": 0.95, "bob": 0.95}, 40)
    bots = simulate(dict.fromkeys("uvwxy", 0.0), 40)
    alone = simulate({"z": 1.0}, 50)[40:]
    found, before = estimate_accuracies(read, unused=[*bots, *alone]), estimate_accuracies(read)
    assert {name: found[name] for name in before} == pytest.approx(before)
    assert max(found[name] for name in "uvwxy") < 0.2
    assert estimate_accuracies([*read, *bots])["ann"] < 0.2, "as votes they would have their way"
    right, counted = expected_right(read, [], unused=[*bots, *alone])
    assert (counted["ann"], counted["u"], counted["z"], right["z"]) == (40, 40, 0, 0)


def test_the_order_of_votes_changes_nothing() -> None:
    made = simulate({"x": 0.9, "y": 0.7, "z": 0.6}, 50)
    assert estimate_accuracies(made[::-1]) == pytest.approx(estimate_accuracies(made), abs=1e-6)


def test_nobody_is_ever_sure_to_be_right_or_wrong() -> None:
    found = estimate_accuracies(simulate({"x": 1.0, "y": 1.0}, 5))
    assert all(0.5 < accuracy < 1 for accuracy in found.values())


def test_who_only_ties_is_believed_as_anyone_unseen() -> None:
    assert estimate_accuracies(list(votes_of(votes("q a b tie x")))) == {"x": 0.8}


def test_a_vote_weighs_the_log_odds_of_being_right() -> None:
    weights = to_weights({"even": 0.5, "good": 0.75, "better": 0.9, "wrong": 0.2})
    assert weights["even"] == weights["wrong"] == 0
    assert weights["better"] / weights["good"] == pytest.approx(np.log(9) / np.log(3))
    assert (weights["better"] + weights["good"]) / 2 == pytest.approx(1)


def test_equal_assessors_weigh_one() -> None:
    assert to_weights({"x": 0.8, "y": 0.8}) == pytest.approx({"x": 1, "y": 1})
