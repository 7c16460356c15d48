"""What does a run gain over a reference, and does it hold in private? The test of divergence, for all runs at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from toprung.data.matrices import ScoreTable
from toprung.stats.inputs import Floats
from toprung.stats.models.divergence import Divergence, find_divergences
from toprung.stats.models.two_sets import TwoSets
from toprung.workers import IN_PROCESS, Workers


def compare_gains(
    public: ScoreTable,
    private: ScoreTable,
    runs: Sequence[str],
    reference: str | None,
    *,
    sign: int,
    confidence: float,
    n_tests: int,
    seed: int,
    workers: Workers = IN_PROCESS,
) -> list[Divergence]:
    """For each run: is its gain over the reference, or over the mean of the others, larger in public than in private?

    ``sign`` is −1 for a measure where lower is better; ``n_tests`` is how many tests will be corrected together.
    """
    return find_divergences(
        sign * _gains(public, runs, reference),
        sign * _gains(private, runs, reference),
        TwoSets.of(public.query_ids, private.query_ids),
        n_tests=n_tests,
        confidence=confidence,
        rng=seed,
        workers=workers,
    )


def _gains(table: ScoreTable, runs: Sequence[str], reference: str | None) -> Floats:
    """On every query, each run less the reference."""
    values = table.select(list(runs)).values
    return values - (_means_of_others(values) if reference is None else table.column(reference)[:, None])


def _means_of_others(values: Floats) -> Floats:
    """On every query, for each run, the mean of the other runs that have a value."""
    has_value = ~np.isnan(values)
    filled = np.where(has_value, values, 0.0)
    n_others = has_value.sum(axis=1, keepdims=True) - has_value
    totals = filled.sum(axis=1, keepdims=True) - filled
    means: Floats = np.divide(totals, n_others, out=np.full(values.shape, np.nan), where=n_others > 0)
    return means
