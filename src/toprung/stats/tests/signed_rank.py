"""Do the differences, ranked by size, lean to one side? The Wilcoxon signed-rank test (WSR)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from toprung.errors import InputError, check_choice
from toprung.stats.finding import Finding, sign_of
from toprung.stats.inputs import Floats, Seed, as_pair, round_differences
from toprung.stats.tests.average_ranks import AverageRanks, two_sided_p
from toprung.stats.tests.sign_flips import RESAMPLES, flipped_p

type UsedMethod = Literal["asymptotic", "exact", "permutation"]
type Method = Literal["auto", "asymptotic", "exact", "permutation"]

METHODS: tuple[Method, ...] = ("auto", "asymptotic", "exact", "permutation")
# From this many queries on, "auto" trusts the normal approximation.
ENOUGH_QUERIES = 50


@dataclass(frozen=True, kw_only=True)
class SignedRank(Finding):
    """``statistic`` is z; ``w_plus`` and ``w_minus`` sum the ranks of the differences for B and for A.

    ``n`` counts all queries, ``method`` is the one that gave p.
    """

    w_plus: float
    w_minus: float
    method: UsedMethod


def signed_rank_test(
    a: ArrayLike, b: ArrayLike, *, method: Method = "auto", resamples: int = RESAMPLES, rng: Seed = 0
) -> SignedRank:
    """``scipy.stats.wilcoxon(round(B − A, 10), zero_method="wilcox", correction=False)``.

    "auto" is the asymptotic test from 50 queries on; with fewer it is exact if there are neither ties nor zeros,
    else a permutation test seeded by ``rng``. The other methods do as they are told, and "exact" refuses ties
    and zeros. Without any difference p = 1.

    >>> found = signed_rank_test([0, 0, 0, 4, 0], [1, 2, 3, 0, 5])
    >>> found.p, found.method, found.w_plus, found.w_minus
    (0.4375, 'exact', 11.0, 4.0)
    """
    first, second = as_pair(a, b)
    rounded = round_differences(second - first)
    differences = rounded[rounded != 0]
    used = choose_method(method, n=len(rounded), is_simple=_is_simple(rounded))
    ranked = AverageRanks.of(np.abs(differences))
    signed_ranks = np.copysign(ranked.ranks, differences)
    lean = signed_ranks.sum()
    w_plus = float(signed_ranks[signed_ranks > 0].sum())
    z, p = _z_and_p(differences, ranked, used)
    if used == "permutation":
        weights = pad_weights(signed_ranks[None, :], n=len(rounded))
        p = float(flipped_p(weights, np.array([lean]), resamples=resamples, seed=rng)[0])
    return SignedRank(
        statistic=abs(z) * sign_of(lean),
        p=p,
        n=len(rounded),
        direction=sign_of(lean),
        w_plus=w_plus,
        w_minus=w_plus - float(lean),
        method=used,
    )


def choose_method(method: Method, *, n: int, is_simple: bool) -> UsedMethod:
    """What "auto" stands for; ``is_simple`` says that no differences are zero or tied."""
    check_choice(method, METHODS, name="method")
    if method == "exact" and not is_simple:
        raise InputError(
            "method: found 'exact' on differences with ties or zeros; expected neither. Use 'permutation' or 'auto'."
        )
    if method != "auto":
        return method
    if n >= ENOUGH_QUERIES:
        return "asymptotic"
    return "exact" if is_simple else "permutation"


def pad_weights(weights: Floats, *, n: int) -> Floats:
    """Rows as wide as the queries, and never narrower than a small sample: the same seed gives them the same flips."""
    width = max(n, ENOUGH_QUERIES - 1)
    return np.pad(weights, ((0, 0), (0, width - weights.shape[1])))


def _is_simple(rounded: Floats) -> bool:
    return bool(rounded.all()) and len(np.unique(np.abs(rounded))) == len(rounded)


def _z_and_p(differences: Floats, ranked: AverageRanks, used: UsedMethod) -> tuple[float, float]:
    if not len(differences):
        return 0.0, 1.0
    n = len(differences)
    spread = math.sqrt((n * (n + 1) * (2 * n + 1) - ranked.tie_term / 2) / 24)
    z = (float(ranked.ranks[differences > 0].sum()) - n * (n + 1) / 4) / spread
    if used != "exact":
        return z, two_sided_p(z)
    from scipy.stats import wilcoxon

    return z, float(wilcoxon(differences, zero_method="wilcox", method="exact").pvalue)
