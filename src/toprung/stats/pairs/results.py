"""What is known of every pair of runs? One element per pair in every array; blocks of pairs can be joined."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from toprung.stats.finding import MEAN_DIGITS
from toprung.stats.inputs import Bools, Floats, Ints
from toprung.stats.tests.small_samples import MethodCodes

type Directions = NDArray[np.int8]


@dataclass(frozen=True, kw_only=True)
class Pairs:
    """Which runs are compared: B, ``second[i]``, with A, ``first[i]``; columns of the matrix."""

    first: Ints
    second: Ints

    def __len__(self) -> int:
        return len(self.first)

    def __getitem__(self, part: slice) -> Pairs:
        return Pairs(first=self.first[part], second=self.second[part])


@dataclass(frozen=True, kw_only=True)
class PairedTs:
    """As ``paired_t.PairedT``, one element per pair."""

    statistic: Floats
    p: Floats
    mean: Floats
    sd: Floats
    is_constant: Bools

    @property
    def direction(self) -> Directions:
        return _signs(np.nan_to_num(self.mean).round(MEAN_DIGITS))


@dataclass(frozen=True, kw_only=True)
class SignedRanks:
    """As ``signed_rank.SignedRank``, one element per pair; ``method`` holds positions in ``USED_METHODS``."""

    statistic: Floats
    p: Floats
    w_plus: Floats
    w_minus: Floats
    method: MethodCodes

    @property
    def direction(self) -> Directions:
        return _signs(self.w_plus - self.w_minus)


@dataclass(frozen=True, kw_only=True)
class WinCounts:
    """As ``counts.WinCount``, one element per pair."""

    p: Floats
    wins: Ints
    losses: Ints

    @property
    def direction(self) -> Directions:
        return _signs(self.wins - self.losses)


@dataclass(frozen=True, kw_only=True)
class RankSums:
    """As ``rank_sum.RankSum`` without the tie-corrected twin, one element per pair."""

    statistic: Floats
    p: Floats

    @property
    def direction(self) -> Directions:
        return _signs(self.statistic)


@dataclass(frozen=True, kw_only=True)
class PairTests:
    """The four tests of every pair, over all n queries."""

    pairs: Pairs
    n: int
    t: PairedTs
    signed_rank: SignedRanks
    sign: WinCounts
    rank_sum: RankSums


@dataclass(frozen=True, kw_only=True)
class PairOutcomes:
    """How many queries neither, only A, only B and both answer; ``p`` is the exact test of only B against only A."""

    pairs: Pairs
    n: int
    neither: Ints
    only_a: Ints
    only_b: Ints
    both: Ints
    p: Floats

    @property
    def direction(self) -> Directions:
        """+1 where B answers more of the queries that only one answers."""
        return _signs(self.only_b - self.only_a)

    @property
    def phi(self) -> Floats:
        """The correlation of being answered; NaN where a run answers all queries, or none."""
        a: Floats = (self.only_a + self.both).astype(np.float64)
        b: Floats = (self.only_b + self.both).astype(np.float64)
        spread: Floats = np.sqrt(a * (self.n - a) * b * (self.n - b))
        product = self.neither * self.both - self.only_a * self.only_b
        phi = np.full(len(spread), np.nan)
        np.divide(product, spread, out=phi, where=spread > 0)
        return phi


@dataclass(frozen=True, kw_only=True)
class PairFacets:
    """The two facets of a verdict for every pair: which queries are answered, and how high where both answer.

    ``t`` and ``signed_rank`` compare ranks over the queries both answer (``outcomes.both`` of them): +1 is deeper,
    which is worse. The means of the ranks over the same queries are ``mean_a`` and ``mean_b``; NaN without any.
    """

    outcomes: PairOutcomes
    t: PairedTs
    signed_rank: SignedRanks
    mean_a: Floats
    mean_b: Floats


def all_pairs(n_runs: int) -> Pairs:
    """Every pair of runs once, the earlier column as A.

    >>> all_pairs(3).first.tolist(), all_pairs(3).second.tolist()
    ([0, 0, 1], [1, 2, 2])
    """
    first, second = np.triu_indices(n_runs, k=1)
    return Pairs(first=first.astype(np.int64), second=second.astype(np.int64))


def join_blocks[T](parts: Sequence[T]) -> T:
    """One result from blocks of it: arrays end to end, nested results likewise, and what is common once."""

    def join_field(values: list[Any]) -> Any:
        if isinstance(values[0], np.ndarray):
            return np.concatenate(values)
        return join_blocks(values) if is_dataclass(values[0]) else values[0]

    kind = type(parts[0])
    names = [each.name for each in fields(cast(Any, kind))]
    return kind(**{name: join_field([getattr(part, name) for part in parts]) for name in names})


def _signs(values: NDArray[Any]) -> Directions:
    return np.sign(values).astype(np.int8)
