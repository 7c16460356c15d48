"""How much is an assessor's vote worth? One-coin Dawid–Skene: each is right with a probability of their own.

Expectation–maximisation (Dawid & Skene 1979, with one parameter for each assessor): the chance that each pair goes to
its first answer, given the accuracies, and the accuracies, given those chances. A vote then weighs the log odds of its
assessor's accuracy, so that the sign of a sum of votes is the likelier winner. An assessor who is right less often
than not would weigh less than nothing; their votes weigh nothing instead.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from toprung.data.judgments import Choice, Judgment

ROUNDS = 200
CONVERGED = 1e-9
RIGHT_BEFORE, WRONG_BEFORE = 4.0, 1.0
"""What is believed of an assessor nobody has seen: as if they had been right four times and wrong once. Keeps the
accuracy of one who judged few pairs away from 0 and 1, and tells right from its mirror image."""


type KnownAnswer = tuple[str, bool]
"""Whose answer to a gold, and whether it is right."""


def estimate_accuracies(
    votes: Sequence[Judgment], golds: Sequence[KnownAnswer] = (), *, unused: Sequence[Judgment] = ()
) -> dict[str, float]:
    """How often each assessor is right, as far as the votes of the others and golds tell. Ties tell nothing.

    Answers that are ``unused`` tell of their assessors and not of the pairs: they are held against the votes.
    """
    decided = _decided(votes, unused)
    names = sorted({*(vote.assessor for vote in (*votes, *unused)), *(name for name, _ in golds)})
    if not names:
        return {}
    index_of = {name: index for index, name in enumerate(names)}
    pairs: dict[tuple[str, str, str], int] = {}
    assessor = np.array([index_of[vote.assessor] for vote in decided], dtype=np.int64)
    pair_of = np.empty(len(decided), dtype=np.int64)
    is_first = np.empty(len(decided), dtype=bool)
    for number, vote in enumerate(decided):
        a, b = (vote.left, vote.right) if vote.left < vote.right else (vote.right, vote.left)
        pair_of[number] = pairs.setdefault((vote.query_id, a, b), len(pairs))
        is_first[number] = vote.winner == a
    whose = np.array([index_of[name] for name, _ in golds], dtype=np.int64)
    known = _Known(
        right=np.bincount(whose, weights=[is_right for _, is_right in golds], minlength=len(names)),
        n=np.bincount(whose, minlength=len(names)),
    )
    is_used = np.arange(len(decided)) < sum(vote.choice is not Choice.TIE for vote in votes)
    found = _expect_and_maximise(assessor, pair_of, is_first, is_used, known)
    return {name: float(found[index]) for name, index in index_of.items()}


def _decided(votes: Sequence[Judgment], unused: Sequence[Judgment]) -> list[Judgment]:
    """The votes for a side, then the unused answers for a side of which a vote tells whether they are right."""
    for_a_side = [vote for vote in votes if vote.choice is not Choice.TIE]
    told = {vote.pair for vote in for_a_side}
    return for_a_side + [each for each in unused if each.choice is not Choice.TIE and each.pair in told]


def expected_right(
    votes: Sequence[Judgment], golds: Sequence[KnownAnswer], *, unused: Sequence[Judgment] = ()
) -> tuple[dict[str, float], Counter[str]]:
    """Of each assessor how many answers are expected to be right, and of how many; without what was believed before."""
    accuracies = estimate_accuracies(votes, golds, unused=unused)
    counted = Counter(vote.assessor for vote in _decided(votes, unused))
    counted.update(name for name, _ in golds)
    right = {
        name: min(float(n), max(0.0, accuracies[name] * (n + RIGHT_BEFORE + WRONG_BEFORE) - RIGHT_BEFORE))
        for name in accuracies
        for n in (counted[name],)
    }
    return right, counted


def to_weights(accuracies: Mapping[str, float]) -> dict[str, float]:
    """The log odds of being right, never below zero, scaled so that the mean assessor of any worth weighs one."""
    odds = {name: max(0.0, math.log(share / (1 - share))) for name, share in accuracies.items()}
    worth = [value for value in odds.values() if value > 0]
    mean = math.fsum(worth) / len(worth) if worth else 1.0
    return {name: value / mean for name, value in odds.items()}


@dataclass(frozen=True, eq=False, kw_only=True)
class _Known:
    """Golds of each assessor: how many were answered right, and how many there were."""

    right: NDArray[np.float64]
    n: NDArray[np.int64]


def _expect_and_maximise(
    assessor: NDArray[np.int64],
    pair_of: NDArray[np.int64],
    is_first: NDArray[np.bool_],
    is_used: NDArray[np.bool_],
    golds: _Known,
) -> NDArray[np.float64]:
    n_assessors = len(golds.n)
    n_known = np.bincount(assessor, minlength=n_assessors) + golds.n
    accuracy = np.full(n_assessors, RIGHT_BEFORE / (RIGHT_BEFORE + WRONG_BEFORE))
    sign = np.where(is_first, 1.0, -1.0) * is_used
    for _ in range(ROUNDS):
        log_odds = np.log(accuracy / (1 - accuracy))
        evidence = np.bincount(pair_of, weights=sign * log_odds[assessor])
        first_is_better = 1 / (1 + np.exp(-np.clip(evidence, -500, 500)))
        right = np.where(is_first, first_is_better[pair_of], 1 - first_is_better[pair_of])
        total = np.bincount(assessor, weights=right, minlength=n_assessors) + golds.right + RIGHT_BEFORE
        before, accuracy = accuracy, total / (n_known + RIGHT_BEFORE + WRONG_BEFORE)
        if np.abs(accuracy - before).max() < CONVERGED:
            break
    return accuracy
