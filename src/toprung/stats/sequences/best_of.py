"""How good does the best of several look by luck alone?

If all runs of a team were equally good, its best would stand above them by the mean, over resamples of the queries, of
the luckiest run's luck. That figure knows how alike the runs are, for they are resampled together.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from toprung.stats.inputs import Floats, Seed
from toprung.stats.intervals.bootstrap import RESAMPLES, resampled_means, weighted_means


def luck_of_the_best(
    values: Floats, groups: Sequence[Sequence[int]], *, resamples: int = RESAMPLES, rng: Seed = 0
) -> list[float]:
    """For each group of columns the mean over resamples of how far its luckiest one rises above its own mean.

    ``values`` are queries × runs, the higher the better; NaN marks queries that do not count. One alone has no luck.

    >>> luck_of_the_best(np.array([[0.1, 0.2], [0.5, 0.6]]), [[0], [1]])
    [0.0, 0.0]
    """
    (means,) = weighted_means(np.ones((1, len(values))), values)
    rises = resampled_means(values, resamples, np.random.default_rng(rng)) - means
    return [float(np.nanmean(rises[:, columns].max(axis=1))) if len(columns) > 1 else 0.0 for columns in groups]
