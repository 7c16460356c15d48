"""Does a run gain more on the public queries than on the private ones? What fitting to the public queries looks like.

D = (s − r) on the public queries less (s − r) on the private ones, for a run s and a reference r. It is tested
one-sided (public gain larger) by a studentised permutation: all queries are dealt anew into two sets of the same sizes,
and D is judged by its own standard error in every deal. Where a run gains alike on both, public and private queries
could change places, and the level holds exactly, however skewed the gains are and however few the private queries. In
simulation 0.025 gave 0.000 to 0.029 with 15 to 200 private queries, for gains in RR and for rare one-way gains, where
bootstraps of the same statistic gave up to 0.06 with 45 and 0.39 with 15.

Where the two sets have the same mean gain and otherwise differ (other labels, another kind of queries), it holds with
many queries (Janssen 1997): 0.02 to 0.03 for gains in RR of half or twice the spread, but 0.04 with 200, 0.09 with 45
and 0.40 with 15 private queries if gains are rare and large in private alone. The interval of 0.95 covers 0.94 to 0.96
from 45 private queries on, and with 15 for gains in RR; 0.68 with 15 for rare ones.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from toprung.errors import InputError
from toprung.stats.finding import MEAN_DIGITS
from toprung.stats.inputs import Floats, Seed, check_share
from toprung.stats.intervals.bootstrap import RESAMPLES, column_means
from toprung.stats.kernel.compiled import has_kernel
from toprung.stats.models.chosen_rows import sum_chosen
from toprung.stats.models.two_sets import FEWEST_QUERIES, TwoSets
from toprung.stats.products import multiply
from toprung.workers import IN_PROCESS, Workers

LEVEL = 0.025
POWER = 0.8
SMALLEST_VARIANCE, SMALLEST_SHARE = 1e-24, 1e-12
"""Of a mean, and of what the two sides, or all queries as one, vary by; below either there is only rounding."""
STATISTIC_DIGITS, END_DIGITS = 9, 8
"""Deals of the same gains must give the same statistic, and one that is as large as D an interval that ends at 0."""


COLUMNS_PER_BLOCK = 256
"""Tested together, and by one worker; each block deals anew, from the same seed. Bounds what deals take of memory."""
STEPS_PER_CELL = 1 / 4
"""Of ``Workers.if_worth``: three matrix products, many products of which are made at once."""


@dataclass(frozen=True, kw_only=True)
class Divergence:
    """How much more a run gains in public than in private, with its interval and one-sided p-value.

    ``error`` is the standard error of the estimate; without two queries on both sides it is NaN, and nothing is shown.
    ``smallest_seen`` is the divergence that the test sees with power 0.8 if it is the first of Holm's steps, by
    Student's t with the smaller side's degrees of freedom; ∞ below eight queries on a side.
    """

    public_gain: float
    private_gain: float
    estimate: float
    low: float
    high: float
    confidence: float
    p: float
    error: float
    smallest_seen: float
    n_public: int
    n_private: int

    @property
    def gains_in_public_only(self) -> bool:
        """Above the reference in public, and not in private; a description, not a test."""
        return self.public_gain > 0 >= self.private_gain


def resamples_for(n_tests: int) -> int:
    """Enough that the least p-value still counts after Holm's correction: at most 0.005 for the first."""
    return max(2 * RESAMPLES, 200 * n_tests)


def find_divergences(
    public: ArrayLike,
    private: ArrayLike,
    sets: TwoSets | None = None,
    *,
    n_tests: int = 1,
    confidence: float = 0.95,
    resamples: int | None = None,
    rng: Seed = 0,
    workers: Workers = IN_PROCESS,
) -> list[Divergence]:
    """Test each column of per-query gains, public queries × comparisons against private queries × comparisons.

    Parameters
    ----------
    public, private
        The gain of a run over its reference on each query; NaN where a query does not count.
    sets
        Which rows of the two are the same query; none when left out.
    n_tests
        How many tests will be corrected together: it decides what can be seen, and how many resamples are drawn.
    confidence
        Of the intervals, which leave as much out above as below: one of 0.95 is above 0 where p is at most 0.025.

    Returns
    -------
    list[Divergence]
        One for each column. Without two queries on both sides p is 1.

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
    dealt_to = sets or TwoSets.of([f"+{row}" for row in range(len(gains[0]))], [str(i) for i in range(len(gains[1]))])
    if (dealt_to.n_public, dealt_to.n_private) != (len(gains[0]), len(gains[1])):
        raise InputError("sets: found other numbers of queries than the gains have; expected the same.")
    n_deals, n_columns = resamples or resamples_for(n_tests), gains[0].shape[1]
    test = partial(
        _test_columns,
        gains,
        dealt_to,
        np.random.default_rng(rng),
        n_deals=n_deals,
        confidence=confidence,
        n_tests=n_tests,
    )
    blocks = [slice(start, start + COLUMNS_PER_BLOCK) for start in range(0, max(n_columns, 1), COLUMNS_PER_BLOCK)]
    chosen = workers.if_worth(n_deals * sum(each.size for each in gains) * STEPS_PER_CELL)
    return [each for found in chosen.map(test, blocks) for each in found]


def _test_columns(
    gains: tuple[Floats, Floats],
    dealt_to: TwoSets,
    seeded: np.random.Generator,
    columns: slice,
    *,
    n_deals: int,
    confidence: float,
    n_tests: int,
) -> list[Divergence]:
    """Test some of the columns by the same deals as all others."""
    sides = [each[:, columns] for each in gains]
    means = [column_means(each).tolist() for each in sides]
    sizes = [(~np.isnan(each)).sum(axis=0).tolist() for each in sides]
    everywhere = np.concatenate(sides)
    centred = _Gains.of(everywhere - column_means(everywhere))
    observed, (errors,) = _studentise(centred.sum_over(dealt_to.private_side, dealt_to), centred, dealt_to)
    deals = centred.sum_deals(dealt_to, n_deals, copy.deepcopy(seeded))
    by_chance = np.concatenate([_studentise(deal, centred, dealt_to)[0] for deal in deals])
    return [
        _conclude(
            (means[0][i], means[1][i]),
            float(errors[i]),
            float(observed[0, i]),
            by_chance[:, i],
            confidence=confidence,
            n_tests=n_tests,
            sizes=n,
        )
        for i, n in enumerate(zip(*sizes, strict=True))
    ]


def _as_gains(values: ArrayLike, name: str) -> Floats:
    gains = np.asarray(values, dtype=np.float64)
    if gains.ndim != 2:
        raise InputError(f"{name}: found an array of {gains.ndim} dimensions; expected queries × comparisons.")
    return gains


@dataclass(frozen=True, eq=False, kw_only=True)
class _PrivateSums:
    """Over the private side of some deals: of the queries that count, of their gains, and of the squares of these."""

    counts: Floats
    gains: Floats
    squares: Floats
    of_shared: Floats
    """Which of the shared queries have their public labels there: deals × shared queries."""


@dataclass(frozen=True, eq=False, kw_only=True)
class _Gains:
    """Gains on all queries, with what every deal of them needs."""

    values: Floats
    powers: Floats
    """The gains, their squares, and which queries count, side by side: one product sums all.

    Gains are 0 where a query does not count; which do is one column where it is the same in every comparison.
    """
    sums: tuple[Floats, Floats, Floats]
    """Over all queries: of those that count, of their gains, and of the squares of these."""

    @classmethod
    def of(cls, values: Floats) -> _Gains:
        has_value = ~np.isnan(values)
        filled = np.where(has_value, values, 0.0)
        counts = has_value[:, :1] if (has_value == has_value[:, :1]).all() else has_value
        return cls(
            values=values,
            powers=np.hstack([filled, filled**2, counts.astype(np.float64)]),
            sums=(has_value.sum(axis=0), filled.sum(axis=0), (filled**2).sum(axis=0)),
        )

    def sum_deals(self, sets: TwoSets, n_deals: int, rng: np.random.Generator) -> Iterator[_PrivateSums]:
        """Some deals after the other. Where no query is shared, only the few of the smaller side are looked at."""
        if sets.n_shared or not has_kernel():
            for private_side in sets.deal(n_deals, rng):
                yield self.sum_over(private_side, sets)
            return
        total = self.powers.sum(axis=0)
        for chosen in sets.choose(n_deals, rng):
            summed = sum_chosen(chosen, self.powers)
            yield self._part(summed if sets.chooses_private else total - summed, np.empty((len(chosen), 0)))

    def sum_over(self, private_side: Floats, sets: TwoSets) -> _PrivateSums:
        """The private sides of deals, as ``TwoSets.deal`` gives them."""
        return self._part(multiply(private_side, self.powers), private_side[:, sets.shared_public])

    def _part(self, summed: Floats, of_shared: Floats) -> _PrivateSums:
        n = self.values.shape[1]
        gains, squares, counts = np.split(summed, [n, 2 * n], axis=1)
        return _PrivateSums(counts=counts, gains=gains, squares=squares, of_shared=of_shared)


def _studentise(private: _PrivateSums, gains: _Gains, sets: TwoSets) -> tuple[Floats, Floats]:
    """D in standard errors, and the standard error, in each deal of all queries.

    Without a spread it is 0 or ±∞; without two queries on both sides ∞, which counts against D.
    """
    sums = gains.sums
    n_public, n_private = sums[0] - private.counts, private.counts
    public_mean, public_variance = _moments(n_public, sums[1] - private.gains, sums[2] - private.squares)
    private_mean, private_variance = _moments(n_private, private.gains, private.squares)
    variance = apart = public_variance + private_variance
    if sets.n_shared:
        sizes = np.sqrt(n_public * (n_public - 1) * n_private * (n_private - 1))
        together = _products_of_shared(private.of_shared, gains.values, sets, public_mean, private_mean)
        variance = apart - 2 * np.divide(together, sizes, out=np.zeros_like(together), where=sizes > 0)
    as_one = sums[2] / np.maximum(sums[0], 1) ** 2
    is_rounding = variance < np.maximum(SMALLEST_VARIANCE, SMALLEST_SHARE * (apart + as_one))  # never where it is NaN
    errors = np.sqrt(np.where(is_rounding, 0.0, variance))
    differences = (public_mean - private_mean).round(MEAN_DIGITS)
    without_spread = np.where(differences == 0, 0.0, np.copysign(math.inf, differences))
    studentised = np.divide(differences, errors, out=without_spread, where=errors > 0)
    studentised[np.isnan(errors)] = math.inf
    return studentised.round(STATISTIC_DIGITS), errors


def _moments(n: Floats, total: Floats, squares: Floats) -> tuple[Floats, Floats]:
    """The mean and the variance of the mean (NaN below two queries) from sums over n queries."""
    nothing = np.full(total.shape, np.nan)
    mean = np.divide(total, n, out=nothing.copy(), where=n > 0)
    spread = np.divide(squares, n, out=nothing.copy(), where=n > 0) - mean**2
    return mean, np.divide(spread, n - 1, out=nothing, where=n > 1)


def _products_of_shared(
    of_shared: Floats, gains: Floats, sets: TwoSets, public_mean: Floats, private_mean: Floats
) -> Floats:
    """The sum, over queries in both sets, of the two deviations from the mean of their side."""
    a, b = gains[sets.shared_public], gains[sets.n_public + sets.shared_private]
    counts = ~np.isnan(a) & ~np.isnan(b)
    a, b = np.where(counts, a, 0.0), np.where(counts, b, 0.0)
    in_private = of_shared @ (a - b) + b.sum(axis=0)
    in_public = (a + b).sum(axis=0) - in_private
    crossed = private_mean * in_public + public_mean * in_private
    products: Floats = (a * b).sum(axis=0) - crossed + public_mean * private_mean * counts.sum(axis=0)
    return products


def _conclude(
    gains: tuple[float, float],
    error: float,
    observed: float,
    by_chance: Floats,
    *,
    confidence: float,
    n_tests: int,
    sizes: tuple[int, int],
) -> Divergence:
    estimate = round(gains[0] - gains[1], MEAN_DIGITS)
    p, low, high = 1.0, math.nan, math.nan
    if not math.isnan(error):
        p = (1 + int((by_chance >= observed).sum())) / (1 + len(by_chance))
        low = high = estimate
    if error > 0:
        below, above = (1 - confidence) / 2, (1 + confidence) / 2
        low = round(low - error * max(0.0, float(np.quantile(by_chance, above, method="higher"))), END_DIGITS)
        high = round(high - error * min(0.0, float(np.quantile(by_chance, below, method="lower"))), END_DIGITS)
    return Divergence(
        public_gain=gains[0],
        private_gain=gains[1],
        estimate=estimate,
        low=low,
        high=high,
        confidence=confidence,
        p=p,
        error=error,
        smallest_seen=_smallest_seen(error, sizes, n_tests),
        n_public=sizes[0],
        n_private=sizes[1],
    )


def _smallest_seen(error: float, sizes: tuple[int, int], n_tests: int) -> float:
    from scipy.special import stdtrit

    freedom = min(sizes) - 1
    if math.isnan(error) or freedom + 1 < FEWEST_QUERIES:
        return math.inf
    return float(stdtrit(freedom, 1 - LEVEL / n_tests) + stdtrit(freedom, POWER)) * error
