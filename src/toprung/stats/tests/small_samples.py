"""What is the signed-rank p of many pairs, when there are too few queries for the normal approximation?"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from toprung.stats.inputs import Bools, Floats, round_differences
from toprung.stats.tests.sign_flips import flipped_p
from toprung.stats.tests.signed_rank import Method, UsedMethod, choose_method, pad_weights

USED_METHODS: tuple[UsedMethod, ...] = ("asymptotic", "exact", "permutation")

type MethodCodes = NDArray[np.int8]


def signed_rank_p(
    differences: Floats, asymptotic_p: Floats, *, method: Method, resamples: int, seed: int
) -> tuple[Floats, MethodCodes]:
    """The p-value of each row of differences (NaN = left out), and the position in ``USED_METHODS`` of its method.

    Equal to ``signed_rank_test`` row by row.
    """
    rounded = round_differences(differences)
    n = (~np.isnan(rounded)).sum(axis=1)
    signed_ranks, is_simple = _rank_rows(rounded)
    rows = zip(n.tolist(), is_simple.tolist(), strict=True)
    used = [choose_method(method, n=size, is_simple=simple) for size, simple in rows]
    codes = np.array([USED_METHODS.index(each) for each in used], dtype=np.int8)
    p = asymptotic_p.copy()
    exact = np.flatnonzero(codes == USED_METHODS.index("exact"))
    w_plus = np.where(signed_ranks > 0, signed_ranks, 0).sum(axis=1)
    p[exact] = [exact_p(w, int(size)) for w, size in zip(w_plus[exact], n[exact], strict=True)]
    permuted = codes == USED_METHODS.index("permutation")
    for size in np.unique(n[permuted]):
        same = np.flatnonzero(permuted & (n == size))
        weights = -np.sort(-np.abs(signed_ranks[same]), axis=1)[:, :size]
        lean = signed_ranks[same].sum(axis=1)
        p[same] = flipped_p(pad_weights(weights, n=int(size)), lean, resamples=resamples, seed=seed)
    return p, codes


def exact_p(w_plus: float, n: int) -> float:
    """The exact two-sided p of W⁺ over n differences without ties or zeros.

    >>> exact_p(11, 5), exact_p(21, 6)
    (0.4375, 0.03125)
    """
    smaller = int(min(w_plus, n * (n + 1) // 2 - w_plus))
    return min(1.0, 2 * float(_null_distribution(n)[smaller]))


@lru_cache(maxsize=64)
def _null_distribution(n: int) -> Floats:
    """P(W⁺ ≤ w) for every w: each rank is in or out, one after the other."""
    chance = np.ones(1)
    for rank in range(1, n + 1):
        longer = np.pad(chance, (0, rank))
        longer[rank:] += chance
        chance = longer / 2
    return np.cumsum(chance)


def _rank_rows(rounded: Floats) -> tuple[Floats, Bools]:
    """Signed mid-ranks of each row, 0 for zeros and what is left out; and which rows have neither ties nor zeros."""
    from scipy.stats import rankdata

    sizes = np.abs(np.nan_to_num(rounded))
    n_unranked = (sizes == 0).sum(axis=1, keepdims=True)
    ranks = np.where(sizes > 0, rankdata(sizes, axis=1) - n_unranked, 0.0)
    ordered = np.sort(sizes, axis=1)
    has_ties = ((ordered[:, 1:] == ordered[:, :-1]) & (ordered[:, 1:] > 0)).any(axis=1)
    return np.where(np.nan_to_num(rounded) < 0, -ranks, ranks), ~has_ties & ~(rounded == 0).any(axis=1)
