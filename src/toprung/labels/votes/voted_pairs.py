"""The votes on all pairs as columns: what strengths, tournaments and win ratios are computed from, many at once."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import compress
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from toprung.data.judgments import Choice
from toprung.stats.inputs import Floats, Ints

if TYPE_CHECKING:
    import polars as pl

type Counts = Ints | Floats


@dataclass(frozen=True, eq=False, kw_only=True)
class VotedPairs:
    """All pairs with a vote, in the order of query, first and second item; both items by their places in ``items``."""

    query_ids: list[str]
    """The queries with a vote, in order."""
    items: list[str]
    """The items that were judged, in order, query after query."""
    starts: NDArray[np.intp]
    """Where those of each query begin, and where the last ones end."""
    query: NDArray[np.intp]
    a: NDArray[np.intp]
    b: NDArray[np.intp]
    wins_a: Counts
    wins_b: Counts
    ties: Ints
    n: Ints

    @classmethod
    def count(cls, votes: pl.DataFrame, weights: Mapping[str, float]) -> VotedPairs:
        """From the columns of judgments that are votes. Those of assessors without a weight count one."""
        from toprung.extras.frames import pl

        query_ids, query = _encode(votes["query_id"])
        names, docs = _encode(pl.concat([votes["left"], votes["right"]]))
        cells, places = np.unique(np.r_[query, query] * max(1, len(names)) + docs, return_inverse=True)
        left, right = places[: len(votes)], places[len(votes) :]
        first, second = np.minimum(left, right), np.maximum(left, right)
        pairs, pair = np.unique(first * max(1, len(cells)) + second, return_inverse=True)
        is_tie = (votes["choice"] == Choice.TIE).to_numpy()
        is_a = (votes["choice"] == Choice.LEFT).to_numpy() == (left < right)
        worth = _weights(votes["assessor"], weights) if weights else None
        query_of_item = cells // max(1, len(names))
        a, b = np.divmod(pairs, max(1, len(cells)))
        return cls(
            query_ids=query_ids,
            items=pl.Series(names, dtype=pl.String).gather(cells % max(1, len(names))).to_list(),
            starts=np.searchsorted(query_of_item, np.arange(len(query_ids) + 1)),
            query=query_of_item[a],
            a=a,
            b=b,
            wins_a=_sum(pair, ~is_tie & is_a, worth, len(pairs)),
            wins_b=_sum(pair, ~is_tie & ~is_a, worth, len(pairs)),
            ties=np.bincount(pair[is_tie], minlength=len(pairs)),
            n=np.bincount(pair, minlength=len(pairs)),
        )

    def select(self, is_kept: NDArray[np.bool_]) -> VotedPairs:
        """Only these pairs, with the items and queries that they have."""
        a, b, query = self.a[is_kept], self.b[is_kept], self.query[is_kept]
        is_judged, is_asked = np.zeros(len(self.items), dtype=np.bool_), np.zeros(len(self.query_ids), dtype=np.bool_)
        is_judged[a] = is_judged[b] = is_asked[query] = True
        place, number = np.cumsum(is_judged) - 1, np.cumsum(is_asked) - 1
        query_of_item = np.repeat(number, np.diff(self.starts))[is_judged]
        return VotedPairs(
            query_ids=list(compress(self.query_ids, is_asked)),
            items=list(compress(self.items, is_judged)),
            starts=np.searchsorted(query_of_item, np.arange(np.count_nonzero(is_asked) + 1)),
            query=number[query],
            a=place[a],
            b=place[b],
            wins_a=self.wins_a[is_kept],
            wins_b=self.wins_b[is_kept],
            ties=self.ties[is_kept],
            n=self.n[is_kept],
        )

    @cached_property
    def place_of(self) -> dict[str, int]:
        """The place of each query."""
        return {query_id: place for place, query_id in enumerate(self.query_ids)}

    @cached_property
    def pair_starts(self) -> NDArray[np.intp]:
        """Where the pairs of each query begin, and where the last ones end."""
        return np.searchsorted(self.query, np.arange(len(self.query_ids) + 1))

    @cached_property
    def n_votes(self) -> Ints:
        """On the pairs of each query."""
        found: Ints = np.bincount(self.query, weights=self.n, minlength=len(self.query_ids)).astype(np.int64)
        return found

    @cached_property
    def shares(self) -> Floats:
        """How much of each pair its first item wins: 1, ½ or 0."""
        return (1 + np.sign(np.where(np.abs(self.lead) <= EVEN, 0, self.lead))) / 2

    @property
    def lead(self) -> Counts:
        return self.wins_a - self.wins_b

    def mark(self, chosen: Mapping[str, Collection[str]]) -> NDArray[np.bool_]:
        """Of each judged item whether it is among those chosen for its query."""
        found = np.zeros(len(self.items), dtype=np.bool_)
        starts = self.starts.tolist()
        for query_id, items in chosen.items():
            at = self.place_of.get(query_id)
            if at is not None:
                found[starts[at] : starts[at + 1]] = [item in items for item in self.items[starts[at] : starts[at + 1]]]
        return found


EVEN = 1e-9
"""Weighted votes that differ by less are an even split."""


def _encode(texts: pl.Series) -> tuple[list[str], NDArray[np.intp]]:
    """The different texts in order, and of each text its place among them."""
    from toprung.extras.frames import pl

    known = texts.unique().sort()
    codes = texts.cast(pl.Enum(known)).to_physical()
    return known.to_list(), codes.to_numpy().astype(np.intp)


def _weights(assessors: pl.Series, weights: Mapping[str, float]) -> Floats:
    names, codes = _encode(assessors)
    return np.array([weights.get(name, 1) for name in names], dtype=np.float64)[codes]


def _sum(pair: NDArray[np.intp], is_so: NDArray[np.bool_], worth: Floats | None, n_pairs: int) -> Counts:
    """Of each pair the votes of which it is so, added up in the order they were given."""
    return np.bincount(pair[is_so], None if worth is None else worth[is_so], minlength=n_pairs)
