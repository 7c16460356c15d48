"""How far do two orders of the same runs agree? Kendall's τ-b and τ_AP, for one pair of orders or for many at once.

τ counts pairs of runs that stand the same way round in both orders, less those that do not. τ_AP (Yilmaz, Aslam and
Robertson 2008) does so from the top down, so that a swap near the top of the order weighs more.

Orders are given as scores, the higher the better; scores alike to 12 digits are a tie.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from toprung.errors import InputError
from toprung.stats.finding import MEAN_DIGITS
from toprung.stats.inputs import Floats

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
    x, y = _sides(a), _sides(b)
    agreement = (x * y).sum(axis=(1, 2))
    pairs = np.abs(x).sum(axis=(1, 2)) * np.abs(y).sum(axis=(1, 2))
    found: Floats = np.divide(agreement, np.sqrt(pairs), out=np.full(len(a), np.nan), where=pairs > 0)
    return found


def _tau_ap(order: Floats, reference: Floats) -> Floats:
    sides = _sides(order)
    is_above = sides > 0  # [trial, i, j]: j stands above i
    above = is_above.sum(axis=2)
    alike = (sides == 0).sum(axis=2)  # with the run itself
    rightly = (is_above * (_sides(reference) + 1) / 2).sum(axis=2)
    # A run among t alike below p others takes each of the places p+1 … p+t equally often. At place p+1+k all p stand
    # above it, and k of those alike, of which half do so rightly: over the group, every pair stands both ways round.
    harmonic = np.concatenate([[0.0], np.cumsum(1 / np.arange(1, order.shape[1] + 1))])
    reciprocals = np.where(above > 0, harmonic[above + alike - 1] - harmonic[np.maximum(above - 1, 0)], 0.0)
    places = np.where(above > 0, alike, alike - 1)  # the first place of all has nobody above it
    shares = (rightly * reciprocals + (places - above * reciprocals) / 2) / alike
    found: Floats = 2 * shares.sum(axis=1) / (order.shape[1] - 1) - 1
    return found


def _sides(scores: Floats) -> Floats:
    """For each trial and runs i, j: +1 where j is above i, −1 where it is below."""
    sides: Floats = np.sign(scores[:, None, :] - scores[:, :, None])
    return sides
