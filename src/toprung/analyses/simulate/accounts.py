"""What does an attacker gain on hidden labels with many accounts? The worst that we know of, against one release.

For every query two documents compete for the first rank, one of which the labels call relevant: RR is 1 or ½, and
which one it is the attacker can only learn from what is shown. On new queries every such run deserves ¾; all that is
above is gained from the answers. An attacker may send each run from another account, so a ladder for each team starts
as often as there are accounts; the ladder of the board stands at ¾, where honest teams have brought it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from toprung.boards.disclosure.release import Release
from toprung.stats.finding import MEAN_DIGITS
from toprung.stats.inputs import Bools, Floats

FIRST, SECOND = 1.0, 0.5
DESERVED = (FIRST + SECOND) / 2
RIDGE = 0.05
"""Of the number of answers: how much of what they say is taken for noise."""


class Swapper:
    """An attacker who chooses, query by query, which of two documents comes first."""

    def __init__(self, n_queries: int, release: Release, *, accounts: int, rng: np.random.Generator) -> None:
        self._is_first: Bools = rng.random(n_queries) < 0.5
        start = release.on_hidden(n_queries)
        self._ladders = [start] * (1 if start.is_of_board else accounts)
        if start.is_of_board:
            self._ladders = [start.show(DESERVED)[1]]
        self._sent = 0
        self.n_queries = n_queries

    def submit(self, picks: Bools) -> float | None:
        """From the next account in turn."""
        per_query = self._score(picks)
        whose = self._sent % len(self._ladders)
        self._sent += 1
        told, self._ladders[whose] = self._ladders[whose].show(_mean(per_query), per_query)
        return told.shown

    def gain(self, picks: Bools) -> float:
        return _mean(self._score(picks)) - DESERVED

    def _score(self, picks: Bools) -> Floats:
        per_query: Floats = np.where(picks == self._is_first, FIRST, SECOND)
        return per_query


def regress(attacker: Swapper, *, submissions: int, rng: np.random.Generator) -> Bools:
    """Pick at random, then for each query what goes with high scores: the boosting attack of Blum and Hardt (2015).

    By ridge regression, which takes out what the other queries did.
    """
    told = [(picks, shown) for picks, shown in _try_at_random(attacker, submissions, rng) if shown is not None]
    guessed: Bools = rng.random(attacker.n_queries) < 0.5
    if len(told) < 2:
        return guessed
    sides = np.array([np.where(picks, 1.0, -1.0) for picks, _ in told])
    scores = np.array([shown for _, shown in told])
    among = sides @ sides.T / attacker.n_queries + RIDGE * len(told) / attacker.n_queries * np.eye(len(told))
    found: Bools = sides.T @ np.linalg.solve(among, scores - scores.mean()) > 0
    return found


def _try_at_random(attacker: Swapper, submissions: int, rng: np.random.Generator) -> list[tuple[Bools, float | None]]:
    tries = [rng.random(attacker.n_queries) < 0.5 for _ in range(submissions)]
    return [(picks, attacker.submit(picks)) for picks in tries]


def climb(attacker: Swapper, *, submissions: int, rng: np.random.Generator) -> Bools:
    """Change a few queries, or many, and keep what raises the score that is shown."""

    def change(kept: Bools, _: int) -> Bools:
        changed: Bools = kept ^ (rng.random(len(kept)) < 0.5 * len(kept) ** (rng.random() - 1))
        return changed

    return _climb(attacker, submissions, rng, change)


def leap(attacker: Swapper, *, submissions: int, rng: np.random.Generator) -> Bools:
    """Change up to half of the queries: what is needed to leap over a high step."""
    return _climb(attacker, submissions, rng, lambda kept, _: kept ^ (rng.random(len(kept)) < 0.5 * rng.random()))


def flip(attacker: Swapper, *, submissions: int, rng: np.random.Generator) -> Bools:
    """Change one query after the other, and keep what raises the score that is shown."""
    return _climb(attacker, submissions, rng, lambda kept, turn: kept ^ (np.arange(len(kept)) == turn % len(kept)))


def _climb(
    attacker: Swapper, submissions: int, rng: np.random.Generator, change: Callable[[Bools, int], Bools]
) -> Bools:
    kept: Bools = rng.random(attacker.n_queries) < 0.5
    best = attacker.submit(kept)
    for turn in range(submissions - 1):
        changed = rng.random(attacker.n_queries) < 0.5 if best is None else change(kept, turn)
        shown = attacker.submit(changed)
        if shown is not None and (best is None or shown > best):
            kept, best = changed, shown
    return kept


STRATEGIES: dict[str, Callable[..., Bools]] = {"regress": regress, "climb": climb, "leap": leap, "flip": flip}


@dataclass(frozen=True, kw_only=True)
class AttackGain:
    """What the best strategy gained in RR, in the mean over repetitions."""

    strategy: str
    gain: float


def worst_gain(
    release: Release, *, queries: int, accounts: int, submissions: int = 1_000, repeats: int = 10, seed: int = 0
) -> AttackGain:
    """The strategy that gains most against a release.

    >>> from toprung.boards.disclosure.release import read_release
    >>> worst_gain(read_release("board-ladder:auto"), queries=200, accounts=10, submissions=50, repeats=4).gain < 0.02
    True
    """
    seeds = [[seed, queries, repeat] for repeat in range(repeats)]
    found = []
    for name, strategy in STRATEGIES.items():
        gains = []
        for each in map(np.random.default_rng, seeds):
            attacker = Swapper(queries, release, accounts=accounts, rng=each)
            gains.append(attacker.gain(strategy(attacker, submissions=submissions, rng=each)))
        found.append(AttackGain(strategy=name, gain=float(np.mean(gains))))
    return max(found, key=lambda each: each.gain)


def _mean(per_query: Floats) -> float:
    return round(float(per_query.mean()), MEAN_DIGITS)
