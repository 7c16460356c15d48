"""How much is an assessor's vote worth?"""

from __future__ import annotations

import numpy as np
import pytest
from tests.labels.builders import votes

from toprung.data.judgments import Choice, Judgment
from toprung.labels.votes.assessor_weights import estimate_accuracies, to_weights
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
