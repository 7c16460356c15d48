"""How does every run do on the public and on one private set of queries? Its scores, places and gains on both."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from statistics import median

import numpy as np

from toprung.analyses.holdout_teams import gains_over, resamples_for
from toprung.data.matrices import ScoreTable
from toprung.errors import InputError
from toprung.stats.corrections import correct_holm
from toprung.stats.divergence import LEVEL, Divergence, find_divergences
from toprung.stats.finding import MEAN_DIGITS
from toprung.stats.intervals import Effect, mean_intervals
from toprung.stats.order_correlation import OrderAgreement, find_order_agreement
from toprung.stats.two_sets import TwoSets

STEPS = 3
"""How often `compare_sides` tells of its progress."""


@dataclass(frozen=True, kw_only=True)
class HeldOutRun:
    """One run on the public and on one private set; ranks are among the runs that have scores on both."""

    run: str
    public: Effect
    private: Effect
    public_rank: int
    private_rank: int
    divergence: Divergence | None
    """Against the reference; None for the reference itself."""
    p_holm: float | None
    """Corrected over all runs and private sets."""

    @property
    def rank_change(self) -> int:
        """How many places it rises from public to private."""
        return self.public_rank - self.private_rank

    @property
    def diverges(self) -> bool:
        return self.p_holm is not None and self.p_holm <= LEVEL

    @property
    def gains_in_public_only(self) -> bool:
        """Above the reference in public, and not in private; a description, not a test."""
        return self.divergence is not None and self.divergence.public_gain > 0 >= self.divergence.private_gain


@dataclass(frozen=True, kw_only=True)
class PrivateSet:
    """All runs on one private set, in the public order."""

    name: str
    runs: tuple[HeldOutRun, ...]
    order: OrderAgreement
    n_queries: int
    n_shared: int
    """Queries that are public too, under other labels perhaps."""
    only_public: tuple[str, ...]
    only_private: tuple[str, ...]
    digest: str

    @property
    def smallest_seen(self) -> float:
        """The divergence that a single test sees with power 0.8, for the middle one of the runs."""
        return median(run.divergence.smallest_seen for run in self.runs if run.divergence is not None)


@dataclass(frozen=True, eq=False, kw_only=True)
class BothSides:
    """The runs that have scores on both sides."""

    name: str
    public: ScoreTable
    private: ScoreTable
    runs: tuple[str, ...]
    only_public: tuple[str, ...]
    only_private: tuple[str, ...]

    @classmethod
    def of(cls, name: str, public: ScoreTable, private: ScoreTable) -> BothSides:
        on_public, on_private = _runs_with_values(public), _runs_with_values(private)
        runs = [run for run in on_public if run in on_private]
        if len(runs) < 2:
            both = f"'{runs[0]}' alone" if runs else "no run"
            raise InputError(
                f"Found {both} with scores on the public queries and on {name}; expected at least two runs, named "
                "alike on both sides, to compare gains and orders."
            )
        return cls(
            name=name,
            public=public.select(runs),
            private=private.select(runs),
            runs=tuple(runs),
            only_public=tuple(run for run in public.runs if run not in runs),
            only_private=tuple(run for run in private.runs if run not in runs),
        )


def compare_sides(
    side: BothSides,
    reference: str,
    sign: int,
    *,
    confidence: float,
    n_tests: int,
    seed: int,
    tell: Callable[[str], None],
) -> PrivateSet:
    """One private set; the p-values are corrected once all sets are there."""
    public, private = side.public, side.private
    means = [mean_intervals(each.values, confidence=confidence, rng=seed) for each in (public, private)]
    tell(f"{side.name}: scores")
    sets = TwoSets.of(public.query_ids, private.query_ids)
    others = [run for run in side.runs if run != reference]
    tests = find_divergences(
        sign * gains_over(public, others, [reference] * len(others)),
        sign * gains_over(private, others, [reference] * len(others)),
        sets,
        confidence=confidence,
        resamples=resamples_for(n_tests),
        rng=seed,
    )
    divergences = dict(zip(others, tests, strict=True))
    tell(f"{side.name}: divergence")
    order = find_order_agreement(sign * public.values, sign * private.values, sets, confidence=confidence, rng=seed)
    tell(f"{side.name}: order")
    ranks = [_rank([effect.estimate for effect in each], sign) for each in means]
    rows = [
        HeldOutRun(
            run=run,
            public=means[0][place],
            private=means[1][place],
            public_rank=ranks[0][place],
            private_rank=ranks[1][place],
            divergence=divergences.get(run),
            p_holm=None,
        )
        for place, run in enumerate(side.runs)
    ]
    return PrivateSet(
        name=side.name,
        runs=tuple(sorted(rows, key=lambda row: (row.public_rank, row.run))),
        order=order,
        n_queries=len(private.query_ids),
        n_shared=sets.n_shared,
        only_public=side.only_public,
        only_private=side.only_private,
        digest=private.digest,
    )


def _rank(means: Sequence[float], sign: int) -> list[int]:
    """From 1, the best first; runs alike share the better rank."""
    keys = [-sign * round(mean, MEAN_DIGITS) for mean in means]
    return [1 + sum(other < key for other in keys) for key in keys]


def correct_over_sets(found: Sequence[PrivateSet]) -> tuple[PrivateSet, ...]:
    tested = [row.divergence.p for each in found for row in each.runs if row.divergence is not None]
    corrected = iter(correct_holm(tested).tolist())
    return tuple(
        replace(
            each,
            runs=tuple(row if row.divergence is None else replace(row, p_holm=next(corrected)) for row in each.runs),
        )
        for each in found
    )


def _runs_with_values(table: ScoreTable) -> list[str]:
    has_values = ~np.isnan(table.values).all(axis=0)
    return [run for run, has in zip(table.runs, has_values.tolist(), strict=True) if has]
