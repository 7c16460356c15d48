"""How much is an assessor's vote worth? One-coin Dawid–Skene: each is right with a probability of their own.

Expectation–maximisation (Dawid & Skene 1979, with one parameter for each assessor): the chance that each pair goes to
its first answer, given the accuracies, and the accuracies, given those chances. A vote then weighs the log odds of its
assessor's accuracy, so that the sign of a sum of votes is the likelier winner. An assessor who is right less often
than not would weigh less than nothing; their votes weigh nothing instead.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from toprung.data.judgments import Choice, Judgment

ROUNDS = 200
CONVERGED = 1e-9
RIGHT_BEFORE, WRONG_BEFORE = 4.0, 1.0
"""What is believed of an assessor nobody has seen: as if they had been right four times and wrong once. Keeps the
accuracy of one who judged few pairs away from 0 and 1, and tells right from its mirror image."""


def estimate_accuracies(votes: Sequence[Judgment]) -> dict[str, float]:
    """How often each assessor is right, as far as the votes of the others tell. Ties tell nothing."""
    decided = [vote for vote in votes if vote.choice is not Choice.TIE]
    names = sorted({vote.assessor for vote in votes})
    if not decided:
        return dict.fromkeys(names, RIGHT_BEFORE / (RIGHT_BEFORE + WRONG_BEFORE))
    index_of = {name: index for index, name in enumerate(names)}
    pairs: dict[tuple[str, str, str], int] = {}
    assessor = np.array([index_of[vote.assessor] for vote in decided])
    pair_of = np.empty(len(decided), dtype=np.int64)
    is_first = np.empty(len(decided), dtype=bool)
    for number, vote in enumerate(decided):
        a, b = (vote.left, vote.right) if vote.left < vote.right else (vote.right, vote.left)
        pair_of[number] = pairs.setdefault((vote.query_id, a, b), len(pairs))
        is_first[number] = vote.winner == a
    found = _expect_and_maximise(assessor, pair_of, is_first, len(names), len(pairs))
    return {name: float(found[index]) for name, index in index_of.items()}


def to_weights(accuracies: Mapping[str, float]) -> dict[str, float]:
    """The log odds of being right, never below zero, scaled so that the mean assessor of any worth weighs one."""
    odds = {name: max(0.0, math.log(share / (1 - share))) for name, share in accuracies.items()}
    worth = [value for value in odds.values() if value > 0]
    mean = math.fsum(worth) / len(worth) if worth else 1.0
    return {name: value / mean for name, value in odds.items()}


def _expect_and_maximise(
    assessor: NDArray[np.int64], pair_of: NDArray[np.int64], is_first: NDArray[np.bool_], n_assessors: int, n_pairs: int
) -> NDArray[np.float64]:
    n_votes = np.bincount(assessor, minlength=n_assessors)
    accuracy = np.full(n_assessors, RIGHT_BEFORE / (RIGHT_BEFORE + WRONG_BEFORE))
    sign = np.where(is_first, 1.0, -1.0)
    for _ in range(ROUNDS):
        log_odds = np.log(accuracy / (1 - accuracy))
        evidence = np.bincount(pair_of, weights=sign * log_odds[assessor], minlength=n_pairs)
        first_is_better = 1 / (1 + np.exp(-np.clip(evidence, -500, 500)))
        right = np.where(is_first, first_is_better[pair_of], 1 - first_is_better[pair_of])
        total = np.bincount(assessor, weights=right, minlength=n_assessors) + RIGHT_BEFORE
        before, accuracy = accuracy, total / (n_votes + RIGHT_BEFORE + WRONG_BEFORE)
        if np.abs(accuracy - before).max() < CONVERGED:
            break
    return accuracy
