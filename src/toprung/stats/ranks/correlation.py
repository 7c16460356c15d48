"""How far do two orders of the same runs agree? Kendall's τ-b and τ_AP, for one pair of orders or for many at once.

τ counts pairs of runs that stand the same way round in both orders, less those that do not. τ_AP (Yilmaz, Aslam and
Robertson 2008) does so from the top down, so that a swap near the top of the order weighs more.

Orders are given as scores, the higher the better; scores alike to 12 digits are a tie.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from toprung.errors import InputError
from toprung.stats.finding import MEAN_DIGITS
from toprung.stats.inputs import Floats, Ints
from toprung.stats.kernel.compiled import has_kernel, kernel

type Correlation = Callable[[Floats, Floats], Floats]

CELLS_PER_CHUNK = 1 << 22


def kendall_tau(a: ArrayLike, b: ArrayLike) -> Floats:
    """τ-b of two orders of the same runs; ties leave both the pairs and their number.

    ``a`` and ``b`` are scores of runs, or trials × runs, which gives a τ for every trial. NaN where fewer than two
    runs can be ordered: one run, all alike, or a score that is NaN.

    >>> float(kendall_tau([0.9, 0.8, 0.7], [0.6, 0.4, 0.5]).round(6))
    0.333333
    """
    return _over_trials(a, b, _kendall_tau)


def tau_ap(order: ArrayLike, reference: ArrayLike) -> Floats:
    """τ_AP of an order against a reference: of those that stand above a run in ``order``, how many do so rightly?

    2/(m−1) · Σ C(i)/(i−1) − 1 over the ranks i = 2 … m of ``order``, C(i) being the runs above rank i that stand above
    it in ``reference`` too. It is weighted by the ranks of ``order``, so swapping the two may change it. Ties, in
    either, are broken at random and the mean over all ways of breaking them is given, in closed form (for ties in
    ``order`` alone this is τ_AP,a of Urbano and Marrero 2017); an order with ties therefore never reaches 1.

    Trials and NaN as in `kendall_tau`; all alike gives 0.

    >>> float(tau_ap([4, 3, 2, 1], [3, 4, 2, 1]).round(6)), float(tau_ap([4, 3, 2, 1], [4, 3, 1, 2]).round(6))
    (0.333333, 0.777778)
    """
    return _over_trials(order, reference, _tau_ap)


def _over_trials(a: ArrayLike, b: ArrayLike, correlate: Correlation) -> Floats:
    first, second = (np.round(np.asarray(each, dtype=np.float64), MEAN_DIGITS) for each in (a, b))
    if first.shape != second.shape or first.ndim not in (1, 2):
        raise InputError(
            f"found orders of shapes {first.shape} and {second.shape}; expected scores of the same runs in both."
        )
    x, y = np.atleast_2d(first), np.atleast_2d(second)
    n_runs = x.shape[1]
    found = np.full(len(x), np.nan)
    is_known = ~(np.isnan(x).any(axis=1) | np.isnan(y).any(axis=1)) & (n_runs > 1)
    rows = max(1, CELLS_PER_CHUNK // max(n_runs, 1) ** 2)
    known = np.flatnonzero(is_known)
    for start in range(0, len(known), rows):
        chunk = known[start : start + rows]
        found[chunk] = correlate(x[chunk], y[chunk])
    return found if first.ndim == 2 else found[0]


def _kendall_tau(a: Floats, b: Floats) -> Floats:
    found = _Standings.of(a, b)
    every = float(found.above.shape[1]) ** 2
    agreement = 2 * (found.rightly - found.above).sum(axis=1)
    pairs = (every - found.alike.sum(axis=1)) * (every - found.alike_there.sum(axis=1))
    tau: Floats = np.divide(agreement, np.sqrt(pairs), out=np.full(len(a), np.nan), where=pairs > 0)
    return tau


def _tau_ap(order: Floats, reference: Floats) -> Floats:
    found = _Standings.of(order, reference)
    above, alike = found.above, found.alike
    # A run among t alike below p others takes each of the places p+1 … p+t equally often. At place p+1+k all p stand
    # above it, and k of those alike, of which half do so rightly: over the group, every pair stands both ways round.
    harmonic = np.concatenate([[0.0], np.cumsum(1 / np.arange(1, order.shape[1] + 1))])
    reciprocals = np.where(above > 0, harmonic[above + alike - 1] - harmonic[np.maximum(above - 1, 0)], 0.0)
    places = np.where(above > 0, alike, alike - 1)  # the first place of all has nobody above it
    shares = (found.rightly / 2 * reciprocals + (places - above * reciprocals) / 2) / alike
    tau: Floats = 2 * shares.sum(axis=1) / (order.shape[1] - 1) - 1
    return tau


@dataclass(frozen=True, eq=False, kw_only=True)
class _Standings:
    """How each run stands to the others in an order and in a reference: trials × runs."""

    above: Ints
    alike: Ints
    """With the run itself."""
    rightly: Ints
    """Of those above, twice how many the reference puts above too, and once how many it puts alike."""
    alike_there: Ints
    """In the reference, with the run itself."""

    @classmethod
    def of(cls, order: Floats, reference: Floats) -> Self:
        if not has_kernel():
            return cls._by_comparing(order, reference)
        x, y = np.ascontiguousarray(order), np.ascontiguousarray(reference)
        counts = [np.empty(x.shape, dtype=np.int64) for _ in range(4)]
        kernel.count_orders(x, y, x.shape[1], *counts)
        return cls(above=counts[0], alike=counts[1], rightly=counts[2], alike_there=counts[3])

    @classmethod
    def _by_comparing(cls, order: Floats, reference: Floats) -> Self:
        is_above, is_above_there = (each[:, None, :] > each[:, :, None] for each in (order, reference))
        is_alike, is_alike_there = (each[:, None, :] == each[:, :, None] for each in (order, reference))
        rightly = np.count_nonzero(is_above & is_above_there, axis=2)
        return cls(
            above=np.count_nonzero(is_above, axis=2),
            alike=np.count_nonzero(is_alike, axis=2),
            rightly=2 * rightly + np.count_nonzero(is_above & is_alike_there, axis=2),
            alike_there=np.count_nonzero(is_alike_there, axis=2),
        )
