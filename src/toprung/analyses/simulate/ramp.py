"""How is a board climbed whose best is low? Answer few queries, add a block at a time, and keep the picks that rise.

Each block is there to pass the step of the ladder by its answers; among many tries it is the luckiest that passes. Once
every query is answered, picks are swapped. With one document alone for a query, its luck counts twice in what is shown.
"""

from __future__ import annotations

import numpy as np

from toprung.analyses.simulate.swapper import FIRST, Swapper
from toprung.stats.inputs import Bools


def ramp(
    attacker: Swapper, *, submissions: int, rng: np.random.Generator, block: float, is_alone: bool = False
) -> Bools:
    """``block`` is what it deserves, in steps of the ladder."""
    n = attacker.n_queries
    deserved = FIRST / 2 if is_alone else attacker.deserved
    size = max(1, round(block * attacker.needed / deserved * n))
    kept: Bools = rng.random(n) < 0.5
    order = rng.permutation(n)
    reached, best, height = 0, None, attacker.start
    for _ in range(submissions):
        to = min(n, reached + size if best is not None else round(height / deserved * n) + size)
        changed = kept.copy()
        if reached < n:
            changed[order[reached:to]] = rng.random(to - reached) < 0.5
        else:
            changed ^= rng.random(n) < 0.5 * rng.random()
        answered = np.zeros(n, dtype=bool)
        answered[order[:to]] = True
        shown = attacker.submit(changed, answered, is_alone=is_alone)
        if shown is not None and (best is None or shown >= best):
            kept, best, reached = changed, shown, to
    return kept
