"""Does a run gain more on the public queries than on the private ones? What fitting to the public queries looks like.

D = (s − r) on the public queries less (s − r) on the private ones, for a run s and a reference r. It is tested
one-sided (public gain larger) by a symmetric studentised bootstrap (Hall 1992): queries are drawn anew from each set,
and D is judged by its own standard error in every resample, whichever way it errs. Of the bootstraps tried on gains in
RR it is the one that holds its level with few private queries; one that follows the skew does not.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from toprung.errors import InputError
from toprung.stats.finding import MEAN_DIGITS
from toprung.stats.inputs import Floats, Seed, check_share
from toprung.stats.intervals import RESAMPLES
from toprung.stats.two_sets import TwoSets

LEVEL = 0.025
POWER = 0.8
SMALLEST_VARIANCE = 1e-24
"""Of a mean; below it there is only rounding."""


@dataclass(frozen=True, kw_only=True)
class Divergence:
    """How much more a run gains in public than in private, with its interval and one-sided p-value.

    ``error`` is the standard error of the estimate; without two queries on both sides it is NaN, and nothing is shown.
    """

    public_gain: float
    private_gain: float
    estimate: float
    low: float
    high: float
    confidence: float
    p: float
    error: float
    n_public: int
    n_private: int

    @property
    def smallest_seen(self) -> float:
        """The divergence that a single test at 0.025 sees with power 0.8."""
        return math.inf if math.isnan(self.error) else _quantiles(LEVEL, POWER) * self.error


def smallest_divergence_seen(
    *,
    sd_public: float,
    n_public: int,
    sd_private: float,
    n_private: int,
    level: float = LEVEL,
    power: float = POWER,
) -> float:
    """The divergence that a one-sided test sees with that power, by normal quantiles.

    The standard deviations are of the per-query gains over the reference.

    >>> round(smallest_divergence_seen(sd_public=0.58, n_public=5793, sd_private=0.58, n_private=45), 2)
    0.24
    """
    if min(sd_public, sd_private) < 0 or not math.isfinite(sd_public + sd_private):
        raise InputError(f"found standard deviations {sd_public:g} and {sd_private:g}; expected numbers from 0.")
    if min(n_public, n_private) < 1:
        return math.inf
    return _quantiles(level, power) * math.sqrt(sd_public**2 / n_public + sd_private**2 / n_private)


def find_divergences(
    public: ArrayLike,
    private: ArrayLike,
    sets: TwoSets | None = None,
    *,
    confidence: float = 0.95,
    resamples: int = RESAMPLES,
    rng: Seed = 0,
    on_progress: Callable[[str], None] = lambda _: None,
) -> list[Divergence]:
    """Test each column of per-query gains, public queries × comparisons against private queries × comparisons.

    Parameters
    ----------
    public, private
        The gain of a run over its reference on each query; NaN where a query does not count.
    sets
        Which rows of the two are the same query; none when left out.

    Returns
    -------
    list[Divergence]
        One for each column. Without two queries on both sides p is 1; gains that do not vary at all diverge (the least
        p there is) or do not (p = 1).

    Examples
    --------
    >>> found, = find_divergences([[0.3], [0.1], [0.2], [0.4]], [[0.1], [0.0], [0.1], [0.2]])
    >>> round(found.estimate, 2), found.low < found.estimate < found.high
    (0.15, True)

    """
    check_share(confidence, name="confidence")
    gains = _as_gains(public, "public"), _as_gains(private, "private")
    if gains[0].shape[1] != gains[1].shape[1]:
        raise InputError(
            f"found {gains[0].shape[1]} comparisons in public and {gains[1].shape[1]} in private; expected the same."
        )
    drawn_from = sets or TwoSets.of([f"+{row}" for row in range(len(gains[0]))], [str(i) for i in range(len(gains[1]))])
    if (drawn_from.n_public, drawn_from.n_private) != (len(gains[0]), len(gains[1])):
        raise InputError("sets: found other numbers of queries than the gains have; expected the same.")
    means = [_column_means(each) for each in gains]
    centred = gains[0] - means[0], gains[1] - means[1]
    as_they_are = np.ones((1, len(gains[0]))), np.ones((1, len(gains[1])))
    _, errors = _judge(as_they_are, centred, drawn_from)
    parts: list[Floats] = []
    for weights in drawn_from.draw(resamples, np.random.default_rng(rng)):
        parts.append(_studentise(*_judge(weights, centred, drawn_from)))
        on_progress(f"{sum(map(len, parts)):,} of {resamples:,} resamples")
    studentised = np.concatenate(parts)
    sizes = [(~np.isnan(each)).sum(axis=0).tolist() for each in gains]
    return [
        _conclude((means[0][i], means[1][i]), float(errors[0, i]), studentised[:, i], confidence, n)
        for i, n in enumerate(zip(*sizes, strict=True))
    ]


def _as_gains(values: ArrayLike, name: str) -> Floats:
    gains = np.asarray(values, dtype=np.float64)
    if gains.ndim != 2:
        raise InputError(f"{name}: found an array of {gains.ndim} dimensions; expected queries × comparisons.")
    return gains


def _column_means(gains: Floats) -> list[float]:
    columns = [column[~np.isnan(column)].tolist() for column in gains.T]
    return [math.fsum(column) / len(column) if column else math.nan for column in columns]


def _judge(weights: tuple[Floats, Floats], gains: tuple[Floats, Floats], sets: TwoSets) -> tuple[Floats, Floats]:
    """D and its standard error in each resample, from gains less their mean."""
    (public_weights, private_weights), (public, private) = weights, gains
    public_mean, public_variance, n_public = _moments(public_weights, public)
    private_mean, private_variance, n_private = _moments(private_weights, private)
    variance = public_variance + private_variance
    if sets.n_shared:
        a, b = public[sets.shared_public], private[sets.shared_private]
        counts = ~np.isnan(a) & ~np.isnan(b)
        a, b = np.where(counts, a, 0.0), np.where(counts, b, 0.0)
        drawn = public_weights[:, sets.shared_public]
        products = drawn @ (a * b) - private_mean * (drawn @ a) - public_mean * (drawn @ b)
        products += public_mean * private_mean * (drawn @ counts)
        sizes = np.sqrt(n_public * (n_public - 1) * n_private * (n_private - 1))
        variance -= 2 * np.divide(products, sizes, out=np.zeros_like(products), where=sizes > 0)
    variance = np.where(variance < SMALLEST_VARIANCE, 0.0 * variance, variance)  # NaN stays NaN
    return public_mean - private_mean, np.sqrt(variance)


def _moments(weights: Floats, gains: Floats) -> tuple[Floats, Floats, Floats]:
    """Mean, variance of the mean (NaN below two queries), and number of queries, in each resample."""
    counts = ~np.isnan(gains)
    filled = np.where(counts, gains, 0.0)
    n = weights @ counts
    mean = np.divide(weights @ filled, n, out=np.full(n.shape, np.nan), where=n > 0)
    spread = np.divide(weights @ filled**2, n, out=np.full(n.shape, np.nan), where=n > 0) - mean**2
    return mean, np.divide(spread, n - 1, out=np.full(n.shape, np.nan), where=n > 1), n


def _studentise(deviations: Floats, errors: Floats) -> Floats:
    """How many standard errors, either way: ∞ without a spread or without queries, which counts against D."""
    sizes = np.abs(deviations.round(MEAN_DIGITS))
    studentised = np.divide(sizes, errors, out=np.where(sizes == 0, 0.0, math.inf), where=errors > 0)
    studentised[np.isnan(deviations) | np.isnan(errors)] = math.inf
    return studentised


def _conclude(
    gains: tuple[float, float], error: float, studentised: Floats, confidence: float, n: tuple[int, int]
) -> Divergence:
    estimate = round(gains[0] - gains[1], MEAN_DIGITS)
    reach = math.nan
    p = 1.0
    if error > 0:
        beyond = (1 + int((studentised >= abs(estimate) / error).sum())) / (1 + len(studentised))
        p = beyond / 2 if estimate > 0 else 1 - beyond / 2
        reach = error * float(np.quantile(studentised, confidence, method="higher"))
    elif error == 0:  # nothing varies: it diverges, or it does not
        reach = 0.0
        p = 0.5 / (1 + len(studentised)) if estimate > 0 else 1.0
    return Divergence(
        public_gain=gains[0],
        private_gain=gains[1],
        estimate=estimate,
        low=estimate - reach,
        high=estimate + reach,
        confidence=confidence,
        p=p,
        error=error,
        n_public=n[0],
        n_private=n[1],
    )


def _quantiles(level: float, power: float) -> float:
    from scipy.special import ndtri

    check_share(level, name="level")
    check_share(power, name="power")
    return float(ndtri(1 - level) + ndtri(power))
