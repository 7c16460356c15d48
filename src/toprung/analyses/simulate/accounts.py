"""What does an attacker gain on hidden labels with many accounts? The worst that we know of, against one release."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from toprung.analyses.simulate.ramp import ramp
from toprung.analyses.simulate.swapper import Swapper
from toprung.boards.disclosure.luck import HALF
from toprung.boards.disclosure.release import Release
from toprung.stats.inputs import Bools

RIDGE = 0.05
"""Of the number of answers: how much of what they say is taken for noise."""


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


LEARNERS: dict[str, Callable[..., Bools]] = {"regress": regress, "climb": climb, "leap": leap, "flip": flip}
RAMPS: dict[str, Callable[..., Bools]] = {
    "short ramp": partial(ramp, block=0.7),
    "ramp": partial(ramp, block=1.0),
    "long ramp": partial(ramp, block=1.6),
    "ramp of one document": partial(ramp, block=0.7, is_alone=True),
    "long ramp of one document": partial(ramp, block=1.2, is_alone=True),
}
STRATEGIES = LEARNERS | RAMPS
STARTS = (0.0, 1 / 3, 2 / 3, 0.94, 1.0)
"""Where the best of the board stands, as a share of what the attacker deserves."""
CONFIRMED = 10
"""The strategy that gained most is tried anew so many times as often: the most of many is lucky."""


def worst_gain(
    release: Release,
    *,
    queries: int,
    accounts: int,
    submissions: int = 1_000,
    repeats: int = 10,
    seed: int = 0,
    spread: float = HALF,
    starts: Sequence[float] = STARTS,
) -> float:
    """What the strategy that gains most against a release does gain in the mean, from whichever of the starts.

    >>> from toprung.boards.disclosure.release import read_release
    >>> worst_gain(read_release("board-ladder:auto"), queries=200, accounts=10, submissions=50, repeats=4) < 0.03
    True
    """
    if release.is_of_board:
        settings = [(name, start) for name in STRATEGIES for start in starts]
    else:  # it starts nowhere, so there is nothing to climb
        settings = [(name, 1.0) for name in LEARNERS]

    def mean_gain(name: str, start: float, *, stage: int, times: int) -> float:
        gains = []
        for repeat in range(times):
            rng = np.random.default_rng([seed, queries, stage, repeat])
            attacker = Swapper(queries, release, accounts=accounts, rng=rng, spread=spread, start=start)
            gains.append(attacker.gain(STRATEGIES[name](attacker, submissions=submissions, rng=rng)))
        return float(np.mean(gains))

    name, start = max(settings, key=lambda each: mean_gain(*each, stage=0, times=repeats))
    return mean_gain(name, start, stage=1, times=CONFIRMED * repeats)
