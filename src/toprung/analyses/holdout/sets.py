"""How does every run do on the public and on one private set of queries? Its scores, places and gains on both."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from toprung.analyses.holdout.gains import compare_gains
from toprung.data.matrices import ScoreTable
from toprung.errors import InputError
from toprung.stats.intervals.bootstrap import Effect, mean_intervals
from toprung.stats.models.divergence import LEVEL, Divergence
from toprung.stats.models.two_sets import TwoSets
from toprung.stats.ranks.order_correlation import OrderCorrelations, find_order_agreement
from toprung.stats.ranks.places import places_of
from toprung.stats.tests.corrections import correct_holm
from toprung.workers import IN_PROCESS, Workers

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
    """Of its gain over the reference; None for the reference itself."""
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
        return self.divergence is not None and self.divergence.gains_in_public_only


@dataclass(frozen=True, kw_only=True)
class PrivateSet:
    """All runs on one private set, in the public order."""

    name: str
    runs: tuple[HeldOutRun, ...]
    order: OrderCorrelations
    n_queries: int
    n_shared: int
    """Queries that are public too, under other labels perhaps."""
    only_public: tuple[str, ...]
    only_private: tuple[str, ...]
    digest: str

    @property
    def typical(self) -> Divergence:
        """Of the middle one of the runs, by what its test can see."""
        tests = [run.divergence for run in self.runs if run.divergence is not None]
        return sorted(tests, key=lambda test: test.smallest_seen)[len(tests) // 2]

    def private_score(self, public: float, divergence: float = 0.0, *, higher_is_better: bool = True) -> float:
        """With which private score a run of this public one would diverge by so much; by nothing: what is expected.

        Where gains are counted from the mean of the other runs, a run's own score is no part of that mean, so that it
        lies nearer to what is expected than its gains do. Exact if every run has a value on every query.
        """
        references = [row for row in self.runs if row.divergence is None]
        counted = references or self.runs
        shift = sum(row.private.estimate - row.public.estimate for row in counted) / len(counted)
        share = 1.0 if references else (len(counted) - 1) / len(counted)
        return public + shift - (share if higher_is_better else -share) * divergence

    @property
    def smallest_seen(self) -> float:
        """The divergence that the typical test sees with power 0.8, after the correction over all tests."""
        return self.typical.smallest_seen

    @property
    def named_runs(self) -> list[tuple[str, HeldOutRun]]:
        """The runs, each with the name of the set."""
        return [(self.name, run) for run in self.runs]


def runs_with_values(table: ScoreTable) -> list[str]:
    has_values = ~np.isnan(table.values).all(axis=0)
    return [run for run, has in zip(table.runs, has_values.tolist(), strict=True) if has]


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
        on_public, on_private = runs_with_values(public), runs_with_values(private)
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
    reference: str | None,
    *,
    sign: int,
    confidence: float,
    n_tests: int,
    seed: int,
    workers: Workers = IN_PROCESS,
    on_progress: Callable[[str], None],
) -> PrivateSet:
    """One private set, gains counted from the reference, or from the mean of the other runs where it is None.

    The p-values are corrected once all sets are there.
    """
    public, private = side.public, side.private
    public_scores = mean_intervals(public.values, confidence=confidence, rng=seed)
    private_scores = mean_intervals(private.values, confidence=confidence, rng=seed)
    on_progress(f"{side.name}: scores")
    tested = [run for run in side.runs if run != reference]
    tests = compare_gains(
        public,
        private,
        tested,
        reference,
        sign=sign,
        confidence=confidence,
        n_tests=n_tests,
        seed=seed,
        workers=workers,
    )
    on_progress(f"{side.name}: divergence")
    sets = TwoSets.of(public.query_ids, private.query_ids)
    order = find_order_agreement(sign * public.values, sign * private.values, sets, confidence=confidence, rng=seed)
    on_progress(f"{side.name}: order")
    divergences = dict(zip(tested, tests, strict=True))
    return PrivateSet(
        name=side.name,
        runs=_rank_runs(side.runs, public_scores, private_scores, divergences, higher_is_better=sign > 0),
        order=order,
        n_queries=len(private.query_ids),
        n_shared=sets.n_shared,
        only_public=side.only_public,
        only_private=side.only_private,
        digest=private.digest,
    )


def _rank_runs(
    runs: Sequence[str],
    public: Sequence[Effect],
    private: Sequence[Effect],
    divergences: Mapping[str, Divergence],
    *,
    higher_is_better: bool,
) -> tuple[HeldOutRun, ...]:
    """Each run with its scores and its places by them, in the public order."""
    public_ranks, private_ranks = (
        places_of([effect.estimate for effect in side], higher_is_better=higher_is_better).tolist()
        for side in (public, private)
    )
    rows = [
        HeldOutRun(
            run=run,
            public=public[i],
            private=private[i],
            public_rank=public_ranks[i],
            private_rank=private_ranks[i],
            divergence=divergences.get(run),
            p_holm=None,
        )
        for i, run in enumerate(runs)
    ]
    return tuple(sorted(rows, key=lambda row: (row.public_rank, row.run)))


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
