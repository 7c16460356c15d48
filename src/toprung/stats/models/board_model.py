"""What could a leaderboard look like? Ranks, or scores, of made-up submissions whose true quality is known.

A Gaussian copula: a query is easy or hard for all submissions, the rest of a result is luck of the submission. Better
submissions are shifted, and the normal value is read off as a quantile of how often each rank, or score, occurs:
z = √ρ·query + √(1 − ρ)·luck + shift. Successive submissions are kin: they share a part of their luck.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from toprung.errors import InputError
from toprung.stats.finding import MEAN_DIGITS
from toprung.stats.inputs import Floats, Ints, as_ranks
from toprung.words.wording import say_count

type Levels = NDArray[np.intp]

# Like document ranking on MS MARCO: mean RR@100 is 0.4, 11% of queries are missed, RR of two runs correlates at 0.6.
CUTOFF = 100
MISSED = 0.11
RANK_POWER = 1.275
"""Rank r is found with a frequency of r to minus this."""
CORRELATION = 0.6
KINSHIP = 0.5
"""The correlation of a submission's luck with that of the one before."""
MOST_LEVELS = 1_000
# Nobody is further from the average than this many standard deviations; what is beyond is refused.
FARTHEST_SHIFT = 6.0
HIGHEST_LATENT = 0.999
HARDNESSES = 1_000


@dataclass(frozen=True, eq=False, kw_only=True)
class BoardModel:
    """What a query can score, from the worst to the best, and how often it does in an average run.

    ``ranks`` are those of the same levels (0 = not found), None where only scores are known. ``correlation`` is that
    of the scores of two submissions; ``latent`` is the ρ that gives it.
    """

    scores: Floats
    shares: Floats
    ranks: Ints | None
    correlation: float = CORRELATION
    latent: float = field(init=False)

    @classmethod
    def of_ranks(cls, ranks: ArrayLike) -> BoardModel:
        """As the ranks of real runs, queries × runs with 0 for a miss: all runs pooled, correlated as they are.

        >>> model = BoardModel.of_ranks([[1, 2], [0, 0], [4, 1], [2, 2]])
        >>> model.ranks.tolist(), model.shares.tolist(), model.mean
        ([0, 4, 2, 1], [0.25, 0.125, 0.375, 0.25], 0.46875)
        """
        found = as_ranks(ranks)
        scores = np.divide(1.0, found, out=np.zeros(found.shape), where=found > 0)
        levels, counts = np.unique(found, return_counts=True)
        worst_first = np.argsort(np.where(levels > 0, -levels, -np.inf))
        levels, shares = levels[worst_first], counts[worst_first] / counts.sum()
        return cls(
            scores=np.divide(1.0, levels, out=np.zeros(len(levels)), where=levels > 0),
            shares=shares,
            ranks=levels.astype(np.int64),
            correlation=_mean_correlation(scores),
        )

    @classmethod
    def of_scores(cls, scores: ArrayLike) -> BoardModel:
        """As the scores of real runs, queries × runs, higher is better; a query without a value (NaN) is left out."""
        matrix = np.asarray(scores, dtype=np.float64)
        if np.isinf(matrix).any():
            raise InputError("Found an infinite score; expected numbers to model.")
        pooled = np.sort(matrix[~np.isnan(matrix)])
        levels, counts = np.unique(pooled, return_counts=True)
        if len(levels) > MOST_LEVELS:
            middles = (np.arange(MOST_LEVELS) + 0.5) / MOST_LEVELS
            levels, counts = np.unique(np.quantile(pooled, middles), return_counts=True)
        return cls(scores=levels, shares=counts / counts.sum(), ranks=None, correlation=_mean_correlation(matrix))

    def __post_init__(self) -> None:
        if (different := len(np.unique(self.scores.round(MEAN_DIGITS)))) < 2:
            raise InputError(f"Found {say_count(different, 'different score')} to model; expected at least two.")
        object.__setattr__(self, "latent", self._solve_latent())

    @property
    def mean(self) -> float:
        """The expected score of a submission without a shift."""
        return float(self.shares @ self.scores)

    @property
    def missed(self) -> float:
        """The share of queries that an average submission does not answer."""
        return float(self.shares[0]) if self.ranks is not None and self.ranks[0] == 0 else 0.0

    @property
    def spread(self) -> float:
        """The standard deviation of the differences, query by query, of two submissions that are not kin."""
        variance = float(self.shares @ (self.scores - self.mean) ** 2)
        return math.sqrt(2 * variance * (1 - self._correlation_at(self.latent)))

    def _solve_latent(self) -> float:
        from scipy.optimize import brentq

        if self.correlation <= 0:
            return 0.0
        if self.correlation >= self._correlation_at(HIGHEST_LATENT):
            return HIGHEST_LATENT
        return float(brentq(lambda rho: self._correlation_at(rho) - self.correlation, 0.0, HIGHEST_LATENT, xtol=1e-6))

    def expected_score(self, shift: float) -> float:
        """The mean over all queries there could be, exactly.

        >>> model = BoardModel.of_ranks([[1, 2], [0, 0], [4, 1], [2, 2]])
        >>> model.expected_score(0.0), model.expected_score(0.5) > model.mean
        (0.46875, True)
        """
        from scipy.special import ndtr

        return float(self.scores[-1] - np.diff(self.scores) @ ndtr(self.edges - shift))

    def shift_for(self, quality: float) -> float:
        """The shift that makes this the expected score."""
        key = round(quality, MEAN_DIGITS)
        if key not in self._shifts:
            self._shifts[key] = self._solve_shift(quality)
        return self._shifts[key]

    def _solve_shift(self, quality: float) -> float:
        from scipy.optimize import brentq

        lowest, highest = self.expected_score(-FARTHEST_SHIFT), self.expected_score(FARTHEST_SHIFT)
        if not lowest < quality < highest:
            raise InputError(
                f"quality: found an expected score of {quality:.4f}; expected one between {lowest:.4f} and "
                f"{highest:.4f}, since an average submission has {self.mean:.4f}."
            )
        if math.isclose(quality, self.mean, abs_tol=1e-12):
            return 0.0
        return float(
            brentq(lambda shift: self.expected_score(shift) - quality, -FARTHEST_SHIFT, FARTHEST_SHIFT, xtol=1e-10)
        )

    @cached_property
    def _shifts(self) -> dict[float, float]:
        return {}

    @cached_property
    def edges(self) -> Floats:
        """Between which normal values each level lies."""
        from scipy.special import ndtri

        below = np.minimum(np.cumsum(self.shares)[:-1], 1.0)
        edges: Floats = ndtri(below)
        return edges

    def _correlation_at(self, rho: float) -> float:
        """Of the scores of two submissions on one query: the variance of what a query's hardness explains."""
        from scipy.special import ndtr, ndtri

        # Evenly over how hard a query can be: where ρ is high the means are steps, which other rules integrate badly.
        hardness = ndtri((np.arange(HARDNESSES) + 0.5) / HARDNESSES)
        edges = (self.edges - np.sqrt(rho) * hardness[:, None]) / np.sqrt(1 - rho)
        means = self.scores[-1] - ndtr(edges) @ np.diff(self.scores)
        return float(means.var() / (self.shares @ (self.scores - self.mean) ** 2))

    def draw(
        self, qualities: Sequence[float], *, queries: int, rng: np.random.Generator, kinship: float = KINSHIP
    ) -> Levels:
        """Submissions × queries, in the order they come: for each cell the position of its level."""
        shifts = [self.shift_for(quality) for quality in qualities]
        return self.to_levels(self.draw_latent(shifts, queries=queries, rng=rng, kinship=kinship))

    def draw_latent(
        self, shifts: Sequence[float], *, queries: int, rng: np.random.Generator, kinship: float = KINSHIP
    ) -> Floats:
        """Submissions × queries: the normal values that levels are read off."""
        luck = rng.standard_normal((len(shifts), queries))
        for each in range(1, len(luck)):
            luck[each] = kinship * luck[each - 1] + math.sqrt(1 - kinship**2) * luck[each]
        luck *= math.sqrt(1 - self.latent)
        luck += math.sqrt(self.latent) * rng.standard_normal(queries) + np.array(shifts)[:, None]
        return luck

    def to_levels(self, latent: Floats) -> Levels:
        """The position of the level that each normal value lies in."""
        return np.searchsorted(self.edges, latent)


@lru_cache(maxsize=1)
def ms_marco_like() -> BoardModel:
    """A board like document ranking on MS MARCO.

    >>> model = ms_marco_like()
    >>> round(model.mean, 3), model.missed, round(model.latent, 2)
    (0.4, 0.11, 0.7)
    """
    ranks = np.arange(CUTOFF, 0, -1)
    found = ranks**-RANK_POWER
    return BoardModel(
        scores=np.concatenate([[0.0], 1 / ranks]),
        shares=np.concatenate([[MISSED], (1 - MISSED) * found / found.sum()]),
        ranks=np.concatenate([[0], ranks]),
    )


def _mean_correlation(scores: Floats) -> float:
    """Over all pairs of runs that vary; as on MS MARCO where there is no such pair."""
    complete = scores[~np.isnan(scores).any(axis=1)]
    varying = complete[:, np.ptp(complete, axis=0) > 0] if len(complete) else complete[:, :0]
    if varying.shape[1] < 2:
        return CORRELATION
    varying = varying / np.ptp(varying, axis=0)  # else the squares of tiny scores would all be 0
    both_ways = np.atleast_2d(np.corrcoef(varying, rowvar=False))
    return float(both_ways[np.triu_indices(len(both_ways), k=1)].mean())
