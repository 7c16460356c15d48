"""Was a subset drawn at random? What a random one would rarely look like, with its p-value.

Neither test can show that a subset is random; a small p shows that it is hardly so.
"""

from __future__ import annotations

from math import comb

import numpy as np

from toprung.stats.inputs import Bools, Floats
from toprung.stats.products import multiply

PERMUTATIONS = 4_999
CELLS_PER_BLOCK = 1 << 20


def differs_from_rest_p(values: Floats, is_chosen: Bools, *, permutations: int = PERMUTATIONS, seed: int = 0) -> float:
    """Of rows × columns: how often would rows drawn at random differ as much from the rest in any column?

    Columns are standardised; p = (b + 1) / (m + 1) over m random subsets of the same size (Fisher and Pitman).

    >>> values = np.arange(20.0)[:, None]
    >>> differs_from_rest_p(values, values[:, 0] < 6) < 0.001, differs_from_rest_p(values, values[:, 0] % 3 == 1) > 0.5
    (True, True)
    """
    n, n_chosen = len(values), int(np.count_nonzero(is_chosen))
    spread = values.std(axis=0)
    standard = ((values - values.mean(axis=0)) / np.where(spread > 0, spread, 1.0))[:, spread > 0]
    if not 0 < n_chosen < n or not standard.shape[1]:
        return 1.0
    observed = float(np.abs(standard[is_chosen].sum(axis=0)).max())
    rng, as_far = np.random.default_rng(seed), 0
    rows = max(1, CELLS_PER_BLOCK // n)
    for start in range(0, permutations, rows):
        keys = rng.random((min(rows, permutations - start), n))
        is_drawn = keys <= np.partition(keys, n_chosen - 1, axis=1)[:, n_chosen - 1 : n_chosen]
        largest = np.abs(multiply(is_drawn.astype(np.float64), standard)).max(axis=1)
        as_far += int(np.count_nonzero(largest >= observed * (1 - 1e-12)))
    return (as_far + 1) / (permutations + 1)


def few_blocks_p(is_chosen: Bools) -> float:
    """In how few blocks do the chosen stand? The chance that as many drawn at random stand in no more (exact).

    >>> few_blocks_p(np.array([True, True, False, False, False])), few_blocks_p(np.array([True, False, True, False]))
    (0.4, 1.0)
    """
    n, chosen = len(is_chosen), int(np.count_nonzero(is_chosen))
    if not chosen:
        return 1.0
    blocks = int(np.count_nonzero(is_chosen[1:] & ~is_chosen[:-1])) + int(is_chosen[0])
    ways = sum(comb(chosen - 1, each - 1) * comb(n - chosen + 1, each) for each in range(1, blocks + 1))
    return ways / comb(n, chosen)
