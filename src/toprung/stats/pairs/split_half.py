"""Would another half of the queries have said the same? All pairs of runs, tested on both halves of a split.

After Craswell et al. 2021, section 4.3, who follow Buckley and Voorhees. A half concludes for each pair which run is
the better one, by the mean or the median, and whether a test finds the difference significant.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from toprung.stats.finding import MEAN_DIGITS
from toprung.stats.inputs import Bools, Floats, Ints
from toprung.stats.pairs.encoded import EncodedRuns, encode_runs
from toprung.stats.pairs.pairwise import pair_tests
from toprung.stats.pairs.results import Directions, PairTests
from toprung.stats.tests.signed_rank import Method

type TestName = Literal["sign", "wrs", "wsr", "t"]
type Aggregate = Literal["mean", "median"]
type Reading = Literal["text", "table4ab"]

# The columns of the published tables: the t-test is about means, so it stands with the mean only.
COLUMNS: tuple[tuple[TestName, Aggregate], ...] = (
    ("sign", "mean"),
    ("wrs", "mean"),
    ("wsr", "mean"),
    ("t", "mean"),
    ("sign", "median"),
    ("wrs", "median"),
    ("wsr", "median"),
)
AGGREGATES: tuple[Aggregate, ...] = ("mean", "median")
READINGS: tuple[Reading, ...] = ("text", "table4ab")
P_VALUES: dict[TestName, Callable[[PairTests], Floats]] = {
    "sign": lambda found: found.sign.p,
    "wrs": lambda found: found.rank_sum.p,
    "wsr": lambda found: found.signed_rank.p,
    "t": lambda found: found.t.p,
}
CELLS = (2, 3)  # same direction or not × significant in none, one or both of the halves


@dataclass(frozen=True, kw_only=True)
class Conclusions:
    """What a half says of every pair: +1 where B has the larger aggregate, and whether a test is significant."""

    directions: dict[Aggregate, Directions]
    is_significant: dict[TestName, Bools]


@dataclass(frozen=True, kw_only=True)
class SplitTally:
    """How two halves compare over all pairs.

    ``counts[column, flips, k]`` counts the pairs that are significant in k of the halves, and whose direction is the
    same (``flips`` 0) or not (1); ``undirected[aggregate]`` counts pairs × halves in which two aggregates are equal.
    """

    counts: Ints
    undirected: Ints


@dataclass(frozen=True, kw_only=True)
class Rates:
    """Shares of pairs: the first three sum to 1; ``significant`` is significant in at least one half."""

    agree: Floats
    partial: Floats
    disagree: Floats
    significant: Floats


def tally_split(values: Floats | EncodedRuns, rng: np.random.Generator, *, alpha: float, method: Method) -> SplitTally:
    """Cut the queries of a matrix queries × runs at random in two halves, and compare what they say.

    >>> values = np.array([[1.0, 0.0], [1.0, 0.0], [1.0, 0.0], [1.0, 0.0]])
    >>> tally = tally_split(values, np.random.default_rng(0), alpha=0.05, method="asymptotic")
    >>> tally.counts[0].tolist()  # A is ahead in both halves, and two queries are too few for the sign test
    [[1, 0, 0], [0, 0, 0]]
    """
    runs = encode_runs(values)  # for many splits do so once, before
    halves = draw_halves(runs.n, rng)
    # Only the permutations that few queries need draw on it; the same for both halves, for neither goes first.
    shared = int(rng.integers(2**32))
    first, second = (conclude(runs.select(rows), alpha=alpha, method=method, seed=shared) for rows in halves)
    return tally(first, second)


def draw_halves(n: int, rng: np.random.Generator) -> tuple[Ints, Ints]:
    """Rows of ⌊n/2⌋ and of ⌈n/2⌉ queries, each half in ascending order.

    >>> first, second = draw_halves(5, np.random.default_rng(0))
    >>> len(first), len(second), sorted([*first.tolist(), *second.tolist()])
    (2, 3, [0, 1, 2, 3, 4])
    """
    order = rng.permutation(n)
    return np.sort(order[: n // 2]), np.sort(order[n // 2 :])


def conclude(values: Floats | EncodedRuns, *, alpha: float, method: Method, seed: int = 0) -> Conclusions:
    """What these queries say of every pair of runs."""
    runs = encode_runs(values)
    found = pair_tests(runs, method=method, seed=seed)
    medians = np.median(runs.values, axis=1).round(MEAN_DIGITS)
    by_median = np.sign(medians[found.pairs.second] - medians[found.pairs.first]).astype(np.int8)
    return Conclusions(
        directions={"mean": found.t.direction, "median": by_median},
        is_significant={test: p_of(found) <= alpha for test, p_of in P_VALUES.items()},
    )


def tally(first: Conclusions, second: Conclusions) -> SplitTally:
    """Count how often two halves point the same way, and in how many of them a pair is significant."""
    counts = np.empty((len(COLUMNS), *CELLS), dtype=np.int64)
    for column, (test, aggregate) in enumerate(COLUMNS):
        flips = first.directions[aggregate] != second.directions[aggregate]
        n_significant = first.is_significant[test].astype(np.int64) + second.is_significant[test]
        counts[column] = np.bincount(3 * flips + n_significant, minlength=6).reshape(CELLS)
    undirected = [
        sum(np.count_nonzero(half.directions[aggregate] == 0) for half in (first, second)) for aggregate in AGGREGATES
    ]
    return SplitTally(counts=counts, undirected=np.array(undirected, dtype=np.int64))


def read_counts(counts: Ints, reading: Reading) -> Rates:
    """Turn counts (… × flips × halves significant) into shares.

    By the text of the paper, halves that point the same way agree if they are equally significant, and in part if not;
    halves that point apart agree in part if neither is significant, and disagree otherwise. The paper's tables 4a and
    4b count otherwise (``"table4ab"``): all that point apart agree in part, and halves that point the same way with
    one of them significant disagree.

    >>> counts = np.array([[10, 20, 40], [15, 4, 1]])  # over 90 pairs
    >>> text, table = (read_counts(counts, reading) for reading in READINGS)
    >>> [round(90 * float(share)) for share in (text.agree, text.partial, text.disagree, text.significant)]
    [50, 35, 5, 65]
    >>> [round(90 * float(share)) for share in (table.agree, table.partial, table.disagree, table.significant)]
    [50, 20, 20, 65]
    """
    same, flipped = counts[..., 0, :], counts[..., 1, :]
    only_one = same[..., 1]
    if reading == "text":
        partial, disagree = only_one + flipped[..., 0], flipped[..., 1] + flipped[..., 2]
    else:
        partial, disagree = flipped.sum(axis=-1), only_one
    total = counts.sum(axis=(-2, -1))
    return Rates(
        agree=(same[..., 0] + same[..., 2]) / total,
        partial=partial / total,
        disagree=disagree / total,
        significant=counts[..., 1:].sum(axis=(-2, -1)) / total,
    )
