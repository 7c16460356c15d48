"""Does the measure still tell the best runs apart? Not where two of them differ on a handful of queries."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from toprung.data.matrices import FirstRanks, ScoreTable, to_scores
from toprung.scoring.catalogue import higher_is_better
from toprung.stats.intervals.bootstrap import column_means
from toprung.stats.ranks.places import best_first
from toprung.stats.tests.pair import differs

MOST_HIGHEST = 10
LEAST_DIFFERING = 20


def count_differing(matrix: FirstRanks | ScoreTable) -> float:
    """On how many queries two of the ten highest runs differ, in the median over pairs; infinite for one run.

    >>> values = np.array([[0.5, 0.5], [0.1, 0.3], [1.0, 1.0]])
    >>> count_differing(ScoreTable(query_ids=("1", "2", "3"), runs=("x", "y"), values=values, measure="P@10"))
    1.0
    """
    table = to_scores(matrix)
    order = best_first(column_means(table.values), table.runs, higher_is_better=higher_is_better(table.measure))
    highest = table.values[:, order[:MOST_HIGHEST]]
    counts = [
        int(np.count_nonzero(differs(highest[:, a] - highest[:, b])))
        for a, b in combinations(range(highest.shape[1]), 2)
    ]
    return float(np.median(counts)) if counts else float("inf")


def hardly_tells_apart(matrix: FirstRanks | ScoreTable) -> bool:
    return count_differing(matrix) < LEAST_DIFFERING


def say_saturated(matrix: FirstRanks | ScoreTable, better: str = "", *, is_exact: bool = True) -> str:
    """The warning; ``better`` is the name of a measure that tells them apart, where one was looked for and found.

    Not exact, it says no more than why there is a warning: what everyone may know of hidden labels.
    """
    n, count = len(matrix.query_ids), count_differing(matrix)
    advice = f" {better} does." if better else ""
    differing = f"{count:g}" if is_exact else f"fewer than {LEAST_DIFFERING}"
    # "16 of 20" would sound like many: there the reason is that there are few queries at all.
    are_many_of_few = 2 * (count if is_exact else LEAST_DIFFERING - 1) >= n
    few = f"there are only {n:,} queries, and " if are_many_of_few else ""
    return (
        f"{matrix.measure} hardly tells the best runs apart: {few}two of the highest differ on "
        f"{differing} of {'them' if few else f'{n:,} queries'} (median).{advice}"
    )
