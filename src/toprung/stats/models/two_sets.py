"""How are queries drawn from two sets at once, or dealt into them anew? Queries that are in both stay together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from toprung.stats.inputs import Floats, Ints
from toprung.stats.intervals.bootstrap import CELLS_PER_CHUNK, draw_weights
from toprung.stats.models.chosen_rows import Rows, choose_rows

CELLS_PER_DEAL = 1 << 20
"""Dealt at once: few enough to stay in the cache until they are used."""
FEWEST_QUERIES = 8
"""On either side: fewer show too little to say what they would show, or that something is lower than by chance."""


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
        for size in self.draw_chunks(resamples):
            both = draw_weights(self.n_shared, size, rng)
            yield (
                _weights(self.n_public, self.shared_public, both, rng),
                _weights(self.n_private, self.shared_private, both, rng),
            )

    def draw_chunks(self, resamples: int) -> Iterator[int]:
        """How many resamples are drawn of the public, then of the private queries, before more of the public ones."""
        return self._chunks(resamples, CELLS_PER_CHUNK)

    @property
    def private_side(self) -> Floats:
        """Which of all queries, public and then private ones, are private: one row, as `deal` gives many."""
        return np.repeat([[0.0, 1.0]], [self.n_public, self.n_private], axis=1)

    def deal(self, resamples: int, rng: np.random.Generator) -> Iterator[Floats]:
        """Sets of these sizes that chance alone made: which of all queries, public and then private ones, are private.

        Queries of one set alone are dealt anew, without replacement; those of both change sides by the toss of a coin.
        In chunks of resamples × queries: small ones where their number changes nothing that is drawn.
        """
        shared_private = self.n_public + self.shared_private
        alone = np.delete(np.arange(self.n_public + self.n_private), [*self.shared_public, *shared_private])
        for size in self._chunks(resamples, CELLS_PER_CHUNK if self.n_shared else CELLS_PER_DEAL):
            private = np.full((size, self.n_public + self.n_private), float(not self.chooses_private))
            chosen = choose_rows(len(alone), self._n_chosen, size, rng)
            np.put_along_axis(private, alone[chosen], float(self.chooses_private), axis=1)
            changes = rng.integers(0, 2, (size, self.n_shared))
            private[:, self.shared_public], private[:, shared_private] = changes, 1 - changes
            yield private

    def choose(self, resamples: int, rng: np.random.Generator) -> Iterator[Rows]:
        """The same deals of two sets that share no query: which of all queries are on the smaller side."""
        for size in self._chunks(resamples, CELLS_PER_DEAL, per_resample=self._n_chosen):
            yield choose_rows(self.n_public + self.n_private, self._n_chosen, size, rng)

    @property
    def chooses_private(self) -> bool:
        """Which side is the smaller one, whose queries are drawn."""
        return self.n_private <= self.n_public

    @property
    def _n_chosen(self) -> int:
        return min(self.n_public, self.n_private) - self.n_shared

    def _chunks(self, resamples: int, cells: int, *, per_resample: int = 0) -> Iterator[int]:
        """How many resamples are held at once."""
        rows = max(1, cells // max(per_resample or self.n_public + self.n_private, 1))
        for start in range(0, resamples, rows):
            yield min(rows, resamples - start)


def _weights(n: int, shared: Ints, drawn: Floats, rng: np.random.Generator) -> Floats:
    if not len(shared):
        return draw_weights(n, len(drawn), rng)
    alone = np.setdiff1d(np.arange(n), shared)
    weights = np.empty((len(drawn), n))
    weights[:, shared] = drawn
    weights[:, alone] = draw_weights(len(alone), len(drawn), rng)
    return weights
