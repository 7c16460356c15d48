"""Where does the first relevant document stand on average, if ties are broken at random? (Cooper 1968)

A group of ties of size g that holds r relevant documents has its first one at place k with chance
C(g - k, r - 1) / C(g, r).
"""

from __future__ import annotations

import numpy as np

from toprung.scoring.ranked_labels import Floats, Ints, RankedLabels


def chances_of_first(size: int, relevant: int) -> Floats:
    """The chance of each place, from the first, to hold the first relevant document of a group of ties.

    >>> chances_of_first(5, 2).round(6).tolist()
    [0.4, 0.3, 0.2, 0.1]
    """
    chances = np.empty(size - relevant + 1)
    left = 1.0  # the chance that no relevant document has come yet
    for place in range(len(chances)):
        hit = relevant / (size - place)
        chances[place] = left * hit
        left *= 1 - hit
    return chances


def expected_reciprocal(ranked: RankedLabels, rel: int, cutoff: int | None) -> Floats:
    """The mean of 1 / rank of the first relevant document over all ways to break ties."""
    values = np.zeros(len(ranked.labels))
    for query, ranks, chances in _groups_of_first(ranked, rel, cutoff):
        values[query] = float(np.sum(chances / ranks))
    return values


def expected_length(ranked: RankedLabels, rel: int, cutoff: int | None) -> Floats:
    """The mean rank of the first relevant document over the ways to break ties that show it; NaN if none does."""
    values = np.full(len(ranked.labels), np.nan)
    for query, ranks, chances in _groups_of_first(ranked, rel, cutoff):
        if len(ranks):
            values[query] = float(np.sum(chances * ranks) / np.sum(chances))
    return values


def _groups_of_first(ranked: RankedLabels, rel: int, cutoff: int | None) -> list[tuple[int, Ints, Floats]]:
    """For each query the ranks its first relevant document may have, up to the cutoff, and their chances."""
    relevant = ranked.relevant(rel)
    found = []
    for query in np.unique(relevant.query):
        of_query = relevant.query == query
        first = relevant.tie_first[of_query].min()
        in_group = of_query & (relevant.tie_first == first)
        size = int(relevant.tie_last[in_group][0] - first + 1)
        ranks = np.arange(first, first + size - in_group.sum() + 1)
        chances = chances_of_first(size, int(in_group.sum()))
        shown = ranks <= (ranks[-1] if cutoff is None else cutoff)
        found.append((int(query), ranks[shown], chances[shown]))
    return found
