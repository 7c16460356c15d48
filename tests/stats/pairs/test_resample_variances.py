"""The variance of each pair in each resample: by hand, and the same bits whatever pairs are found beside it."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.stats.kernels import needs_kernel

from toprung.stats.intervals.bootstrap import draw_weights
from toprung.stats.pairs.observed import observe_pairs
from toprung.stats.pairs.resamples import fill_gaps
from toprung.stats.pairs.scaled import resample_means
from toprung.stats.pairs.studentised import resample_variances

pytestmark = needs_kernel


@pytest.mark.parametrize(("n_queries", "n_runs", "resamples"), [(1_100, 23, 37), (513, 14, 16)])
def test_a_run_more_changes_no_bit_of_other_variances(n_queries: int, n_runs: int, resamples: int) -> None:
    values = np.random.default_rng(5).random((n_queries, n_runs)).round(2)
    runs, counted = fill_gaps(values)
    mean = observe_pairs(runs, counted).mean
    means = resample_means(runs, resamples, np.random.default_rng(3))

    def variances(n_first: int, start: int = 0) -> NDArray[np.float32]:
        rng = np.random.default_rng(3)
        return resample_variances(runs[:n_first], mean[:n_first], means[:n_first], rng, start=start)

    whole = variances(n_runs)
    for first in (2, 7, n_runs - 1):
        grown = np.concatenate([variances(first), variances(n_runs, start=first)])
        np.testing.assert_array_equal(grown, whole)
    weights = draw_weights(n_queries, resamples, np.random.default_rng(3))
    second, first_of = np.tril_indices(n_runs, k=-1)
    pair = 57
    differences = values[:, first_of[pair]] - values[:, second[pair]]
    spread = weights @ differences**2 / n_queries - (weights @ differences / n_queries) ** 2
    np.testing.assert_allclose(whole[pair], spread, rtol=1e-5)
