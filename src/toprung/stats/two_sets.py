"""How are queries drawn from two sets at once? Each set by itself, and queries that are in both jointly."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from toprung.stats.inputs import Floats, Ints
from toprung.stats.intervals import CELLS_PER_CHUNK, draw_weights


@dataclass(frozen=True, eq=False, kw_only=True)
class TwoSets:
    """The sizes of a public and a private set of queries, and which rows of the two are the same query.

    The same queries under other labels are not a second sample: what is drawn of such a query in one set is drawn in
    the other. Queries of one set alone, of the other alone, and of both are three samples, drawn independently.
    """

    n_public: int
    n_private: int
    shared_public: Ints
    shared_private: Ints

    @classmethod
    def of(cls, public_ids: Sequence[str], private_ids: Sequence[str]) -> TwoSets:
        """By the names of the queries.

        >>> sets = TwoSets.of(["q1", "q2", "q3"], ["q3", "q9"])
        >>> sets.shared_public.tolist(), sets.shared_private.tolist()
        ([2], [0])
        """
        row_of = {query_id: row for row, query_id in enumerate(public_ids)}
        shared = [(row_of[query_id], row) for row, query_id in enumerate(private_ids) if query_id in row_of]
        in_public, in_private = np.array(shared, dtype=np.int64).reshape(-1, 2).T
        return cls(
            n_public=len(public_ids), n_private=len(private_ids), shared_public=in_public, shared_private=in_private
        )

    @property
    def n_shared(self) -> int:
        return len(self.shared_public)

    def draw(self, resamples: int, rng: np.random.Generator) -> Iterator[tuple[Floats, Floats]]:
        """How often each query is drawn, public and private, in chunks of resamples × queries."""
        rows = max(1, CELLS_PER_CHUNK // max(self.n_public + self.n_private, 1))
        for start in range(0, resamples, rows):
            size = min(rows, resamples - start)
            both = draw_weights(self.n_shared, size, rng)
            yield (
                _weights(self.n_public, self.shared_public, both, rng),
                _weights(self.n_private, self.shared_private, both, rng),
            )

    def draw_in_place_of_private(self, private_weights: Floats, rng: np.random.Generator) -> Floats:
        """Weights of the public queries that stand for a private set of this size, if chance alone made it.

        Queries in both sets stand for themselves, as often as they were drawn; the others are drawn from all.
        """
        resamples, n_alone = len(private_weights), self.n_private - self.n_shared
        drawn = rng.integers(0, max(self.n_public, 1), size=(resamples, n_alone))
        cells = drawn + self.n_public * np.arange(resamples)[:, None]
        counts = np.bincount(cells.ravel(), minlength=resamples * self.n_public)
        weights = counts.reshape(resamples, self.n_public).astype(np.float64)
        weights[:, self.shared_public] += private_weights[:, self.shared_private]
        return weights


def _weights(n: int, shared: Ints, drawn: Floats, rng: np.random.Generator) -> Floats:
    if not len(shared):
        return draw_weights(n, len(drawn), rng)
    alone = np.setdiff1d(np.arange(n), shared)
    weights = np.empty((len(drawn), n))
    weights[:, shared] = drawn
    weights[:, alone] = draw_weights(len(alone), len(drawn), rng)
    return weights


def weighted_means(weights: Floats, values: Floats) -> Floats:
    """The mean of each column in each resample; NaN marks queries that do not count, or a column without any."""
    counts = ~np.isnan(values)
    total, size = weights @ np.where(counts, values, 0.0), weights @ counts
    means: Floats = np.divide(total, size, out=np.full(total.shape, np.nan), where=size > 0)
    return means
