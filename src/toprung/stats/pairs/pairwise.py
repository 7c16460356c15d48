"""How do all pairs of many runs compare? Every test on every pair, equal to SciPy pair by pair and far cheaper.

The values of a pair are never sorted if a measure has few levels: see ``difference_bins`` and ``pooled_ranks``.
Work goes on in blocks of pairs, so that memory stays bounded; the results of all pairs take about 100 bytes a pair.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from toprung.errors import check_choice
from toprung.stats.inputs import Floats, Ints, as_matrix, as_ranks, round_differences
from toprung.stats.pairs.difference_bins import bin_differences
from toprung.stats.pairs.difference_sorts import SortedDifferences
from toprung.stats.pairs.difference_sums import DifferenceKernel, DifferenceSums
from toprung.stats.pairs.encoded import EncodedRuns, encode_runs
from toprung.stats.pairs.pair_blocks import check_pairs, cut_pairs, spread_pairs
from toprung.stats.pairs.pooled_ranks import pool_ranks
from toprung.stats.pairs.results import (
    PairedTs,
    PairFacets,
    PairOutcomes,
    Pairs,
    PairTests,
    RankSums,
    SignedRanks,
    WinCounts,
    join_blocks,
)
from toprung.stats.products import multiply
from toprung.stats.tests.binomial import exact_binomial_p
from toprung.stats.tests.sign_flips import RESAMPLES
from toprung.stats.tests.signed_rank import ENOUGH_QUERIES, METHODS, Method
from toprung.stats.tests.small_samples import signed_rank_p
from toprung.workers import IN_PROCESS, Workers

# A matrix of so many runs by so many takes 128 MB.
MOST_RUNS_AT_ONCE = 4_096
# Where the variance is less than this share of the mean square, sums of squares have lost digits: compute it anew.
SAFE_SHARE = 0.01
# Cells of differences held at once where single queries are needed.
CELLS_PER_BATCH = 1 << 20


def pair_tests(
    values: ArrayLike | EncodedRuns,
    pairs: Pairs | None = None,
    *,
    method: Method = "auto",
    resamples: int = RESAMPLES,
    seed: int = 0,
    workers: Workers = IN_PROCESS,
) -> PairTests:
    """WRS, WSR, paired t and sign test on every pair of columns of a matrix queries × runs.

    ``pairs`` are all of them unless given. ``method`` is that of the signed-rank test, as in ``signed_rank_test``.

    >>> found = pair_tests([[0, 1, 2], [0, 2, 1], [1, 3, 3], [0, 4, 1]], method="asymptotic")
    >>> found.t.p.round(4).tolist(), found.sign.wins.tolist()
    ([0.0374, 0.0138, 0.4444], [4, 4, 1])
    """
    blocks = iter_pair_tests(values, pairs, method=method, resamples=resamples, seed=seed, workers=workers)
    return join_blocks(list(blocks))


def iter_pair_tests(
    values: ArrayLike | EncodedRuns,
    pairs: Pairs | None = None,
    *,
    method: Method = "auto",
    resamples: int = RESAMPLES,
    seed: int = 0,
    block: int | None = None,
    workers: Workers = IN_PROCESS,
) -> Iterator[PairTests]:
    """``pair_tests`` in blocks of pairs, of which there is always one; the results do not depend on their size.

    A block is what one worker does at a time.

    >>> [len(part.pairs) for part in iter_pair_tests([[0, 1, 2], [2, 1, 0]], block=2)]
    [2, 1]
    """
    encoded = encode_runs(values)
    chosen = check_pairs(pairs, encoded.n_runs)
    check_choice(method, METHODS, name="method")
    pooled = pool_ranks(encoded, len(chosen))
    signed_ranks = partial(_signed_ranks, method=method, resamples=resamples, seed=seed)
    test = partial(_test_block, encoded.values, choose_kernel(encoded), signed_ranks)
    parts = cut_pairs(chosen, block)
    for part, found in zip(parts, spread_pairs(test, parts, encoded.n, workers), strict=True):
        rank_sum = _rank_sums(pooled.doubled_wins(part.first, part.second), encoded.n)
        yield PairTests(pairs=part, n=encoded.n, **vars(found), rank_sum=rank_sum)


@dataclass(frozen=True, kw_only=True)
class _PairedTests:
    """The tests of a block of pairs that look at differences by query."""

    t: PairedTs
    signed_rank: SignedRanks
    sign: WinCounts


def _test_block(
    runs: Floats, kernel: DifferenceKernel, signed_ranks: Callable[..., SignedRanks], part: Pairs
) -> _PairedTests:
    sums = kernel.sums(part.first, part.second)
    return _PairedTests(
        t=_paired_ts(sums, runs, part), signed_rank=signed_ranks(sums, runs, part), sign=_win_counts(sums)
    )


def pair_outcomes(ranks: ArrayLike, pairs: Pairs | None = None) -> PairOutcomes:
    """The outcomes of every pair of columns of a rank matrix queries × runs (0 = miss), and the exact test of case 2.

    >>> found = pair_outcomes([[1, 0], [0, 2], [3, 1], [0, 0], [0, 1]])
    >>> found.neither.tolist(), found.only_a.tolist(), found.only_b.tolist(), found.both.tolist(), found.p.tolist()
    ([1], [1], [2], [1], [1.0])
    """
    matrix = as_matrix(as_ranks(ranks), name="ranks")
    chosen = check_pairs(pairs, matrix.shape[1])
    answered = np.ascontiguousarray((matrix > 0).T.astype(np.float64))
    both = _products(answered, answered, chosen).astype(np.int64)
    count = answered.sum(axis=1).astype(np.int64)
    only_a, only_b = count[chosen.first] - both, count[chosen.second] - both
    return PairOutcomes(
        pairs=chosen,
        n=len(matrix),
        neither=len(matrix) - both - only_a - only_b,
        only_a=only_a,
        only_b=only_b,
        both=both,
        p=exact_binomial_p(only_b, only_a + only_b),
    )


def pair_facets(
    ranks: ArrayLike,
    pairs: Pairs | None = None,
    *,
    facet: Literal["esl", "rr"] = "esl",
    method: Method = "auto",
    resamples: int = RESAMPLES,
    seed: int = 0,
    workers: Workers = IN_PROCESS,
) -> PairFacets:
    """Both facets of the verdict on every pair: case 2, and paired t and WSR where both answer.

    The second is on the ranks themselves ("esl") or on 1 / rank ("rr").

    >>> found = pair_facets([[1, 2], [2, 4], [3, 3], [5, 9], [0, 1]])
    >>> found.outcomes.both.tolist(), found.t.mean.tolist(), found.t.p.round(4).tolist()
    ([4], [1.75], [0.1328])
    """
    outcomes = pair_outcomes(ranks, pairs)
    check_choice(method, METHODS, name="method")
    first = as_ranks(ranks)
    values = first if facet == "esl" else np.divide(1.0, first, out=np.zeros(first.shape), where=first > 0)
    encoded = encode_runs(values)
    runs = encoded.values
    answered = np.where(runs > 0, runs, np.nan)
    depth_a, depth_b = _mean_depths(runs, outcomes)
    signed_ranks = partial(_signed_ranks, method=method, resamples=resamples, seed=seed)
    test = partial(_test_block, answered, choose_kernel(encoded, left_out=0), signed_ranks)
    found = join_blocks([*spread_pairs(test, cut_pairs(outcomes.pairs), encoded.n, workers)])
    return PairFacets(
        outcomes=outcomes,
        t=found.t,
        signed_rank=found.signed_rank,
        mean_a=depth_a,
        mean_b=depth_b,
    )


def choose_kernel(runs: EncodedRuns, *, left_out: float | None = None) -> DifferenceKernel:
    """Histograms if the values have few levels, else sorting.

    A query is left out of a pair where either run has the value ``left_out``.
    """
    if runs.levels is not None and runs.codes is not None:
        binned = bin_differences(runs.levels, runs.codes, left_out=runs.levels == left_out)
        if binned:
            return binned
    values = runs.values if left_out is None else np.where(runs.values == left_out, np.nan, runs.values)
    return SortedDifferences(values=values)


def _mean_depths(runs: Floats, outcomes: PairOutcomes) -> tuple[Floats, Floats]:
    """The mean value of A, and of B, over the queries both answer."""
    answered = (runs > 0).astype(np.float64)

    def mean(total: Floats) -> Floats:
        means = np.full(len(total), np.nan)
        np.divide(total, outcomes.both, out=means, where=outcomes.both > 0)
        return means

    pairs = outcomes.pairs
    return mean(_products(runs, answered, pairs)), mean(_products(answered, runs, pairs))


def _products(left: Floats, right: Floats, pairs: Pairs) -> Floats:
    """For each pair, the product of the left row of A and the right row of B.

    One matrix product gives them all, if its result is of bounded size; else they are taken pair by pair.
    """
    if len(left) <= MOST_RUNS_AT_ONCE:
        return multiply(left, right.T)[pairs.first, pairs.second]
    products = np.empty(len(pairs))
    size = max(1, CELLS_PER_BATCH // max(1, left.shape[1]))
    for start in range(0, len(pairs), size):
        part = slice(start, start + size)
        products[part] = np.einsum("ij,ij->i", left[pairs.first[part]], right[pairs.second[part]])
    return products


def _paired_ts(sums: DifferenceSums, runs: Floats, pairs: Pairs) -> PairedTs:
    from scipy.special import stdtr

    n = sums.n
    mean = np.divide(sums.total, n, out=np.full(len(n), np.nan), where=n > 0)
    spread = sums.squares - np.where(n > 0, sums.total * mean, 0)
    sd = np.sqrt(np.divide(np.maximum(spread, 0), n - 1, out=np.full(len(n), np.nan), where=n > 1))
    has_difference = (n > 1) & (sums.wins + sums.losses > 0)
    is_constant = np.zeros(len(n), dtype=bool)
    for i in np.flatnonzero(has_difference & (spread < SAFE_SHARE * sums.squares)):
        differences = _differences(runs, pairs[i : i + 1])[0]
        differences = np.sort(differences[~np.isnan(differences)])
        rounded = round_differences(differences[[0, -1]])
        is_constant[i] = rounded[0] == rounded[1]
        mean[i], sd[i] = differences.mean(), 0.0 if is_constant[i] else differences.std(ddof=1)
    mean[(n > 0) & (sums.wins + sums.losses == 0)] = 0.0
    varies = has_difference & ~is_constant
    t = np.divide(mean, sd / np.sqrt(n), out=np.zeros(len(n)), where=varies)
    p = np.ones(len(n))
    p[varies] = 2 * stdtr(n[varies] - 1, -np.abs(t[varies]))
    t[is_constant], p[is_constant] = np.copysign(np.inf, mean[is_constant]), 0.0
    return PairedTs(statistic=t, p=p, mean=mean, sd=sd, is_constant=is_constant)


def _signed_ranks(
    sums: DifferenceSums, runs: Floats, pairs: Pairs, *, method: Method, resamples: int, seed: int
) -> SignedRanks:
    from scipy.special import ndtr

    count = sums.wins + sums.losses
    variance = (count * (count + 1) * (2 * count + 1) - sums.ties / 2) / 24
    z = np.divide(sums.w_plus - count * (count + 1) / 4, np.sqrt(variance), out=np.zeros(len(count)), where=count > 0)
    p = 2 * ndtr(-np.abs(z))
    codes = np.zeros(len(p), dtype=np.int8)
    others = _rows_beyond_asymptotic(sums.n, method)
    size = max(1, CELLS_PER_BATCH // max(1, runs.shape[1]))
    for start in range(0, len(others), size):
        rows = others[start : start + size]
        differences = _differences(runs, Pairs(first=pairs.first[rows], second=pairs.second[rows]))
        p[rows], codes[rows] = signed_rank_p(differences, p[rows], method=method, resamples=resamples, seed=seed)
    w_minus = count * (count + 1) / 2 - sums.w_plus
    return SignedRanks(statistic=z, p=p, w_plus=sums.w_plus, w_minus=w_minus, method=codes)


def _rows_beyond_asymptotic(n: Floats, method: Method) -> Ints:
    if method == "asymptotic":
        return np.empty(0, dtype=np.int64)
    return np.flatnonzero(n < ENOUGH_QUERIES) if method == "auto" else np.arange(len(n))


def _win_counts(sums: DifferenceSums) -> WinCounts:
    wins, losses = sums.wins.astype(np.int64), sums.losses.astype(np.int64)
    return WinCounts(p=exact_binomial_p(wins, wins + losses), wins=wins, losses=losses)


def _rank_sums(doubled_wins: Floats, n: int) -> RankSums:
    from scipy.special import ndtr

    if n == 0:
        return RankSums(statistic=np.zeros(len(doubled_wins)), p=np.ones(len(doubled_wins)))
    z = (doubled_wins / 2 - n * n / 2) / np.sqrt(n * n * (2 * n + 1) / 12)
    return RankSums(statistic=z, p=2 * ndtr(-np.abs(z)))


def _differences(runs: Floats, pairs: Pairs) -> Floats:
    return runs[pairs.second] - runs[pairs.first]
