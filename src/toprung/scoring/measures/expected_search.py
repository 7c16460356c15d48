"""Where does the m-th relevant document stand on average, if ties are broken at random? (Cooper 1968)"""

from __future__ import annotations

from collections.abc import Iterator

from toprung.arrays import np
from toprung.scoring.ranked_labels import Floats, Ints, RankedLabels


def chances_of_place(size: int, relevant: int, mth: int) -> Floats:
    """The chance of each place, from the m-th on, to hold the m-th of the relevant documents of a group of ties.

    >>> chances_of_place(5, relevant=2, mth=1).round(6).tolist()
    [0.4, 0.3, 0.2, 0.1]
    """
    chances = np.empty(size - relevant + 1)
    chance = 1.0
    for i in range(mth):  # the first m places are all relevant
        chance *= (relevant - i) / (size - i)
    for i in range(len(chances)):
        place = mth + i
        chances[i] = chance
        if place < size:
            chance *= place / (place - mth + 1) * (size - place - relevant + mth) / (size - place)
    return chances


def expected_reciprocal(ranked: RankedLabels, *, rel: int, mth: int, cutoff: int | None) -> Floats:
    """The mean of 1 / rank over all ways to break ties."""
    values = np.zeros(len(ranked.labels))
    for query, ranks, chances in _possible_ranks(ranked, rel, mth, cutoff):
        values[query] = float(np.sum(chances / ranks))
    return values


def expected_length(ranked: RankedLabels, *, rel: int, mth: int, cutoff: int | None) -> Floats:
    """The mean rank over the ways to break ties that show the document; NaN if none does."""
    values = np.full(len(ranked.labels), np.nan)
    for query, ranks, chances in _possible_ranks(ranked, rel, mth, cutoff):
        if len(ranks):
            values[query] = float(np.sum(chances * ranks) / np.sum(chances))
    return values


def _possible_ranks(ranked: RankedLabels, rel: int, mth: int, cutoff: int | None) -> Iterator[tuple[int, Ints, Floats]]:
    """For each query the ranks its m-th relevant document may have, up to the cutoff, and their chances."""
    relevant = ranked.relevant(rel)
    for at in np.flatnonzero(relevant.place_in_query() == mth):  # whatever the order of ties, it stays in this group
        of_query = relevant.query == relevant.query[at]
        first, last = relevant.tie_first[at], relevant.tie_last[at]
        n_before = int(np.sum(of_query & (relevant.tie_first < first)))
        n_inside = int(np.sum(of_query & (relevant.tie_first == first)))
        place = mth - n_before
        chances = chances_of_place(int(last - first + 1), n_inside, place)
        ranks = first - 1 + place + np.arange(len(chances))
        shown = ranks <= (last if cutoff is None else cutoff)
        yield int(relevant.query[at]), ranks[shown], chances[shown]
