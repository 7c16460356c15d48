"""Which run's first answer do people prefer? Win ratios of all pairs of runs, as in Arabzadeh et al. 2021, table 4.

The win ratio of one run over another is its share of wins over the queries whose first answers differ and whose pair
is decided. The unit is the query: however many votes a pair had, it counts once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from toprung.analyses.win_ratio.result import WinRatio, WinRatios
from toprung.data.judgments import Pair
from toprung.data.qrels import Qrels
from toprung.data.run import Run
from toprung.errors import InputError
from toprung.labels.best.tournament import TIED
from toprung.labels.doubt.arenas import ArenaGroup, group_pools
from toprung.labels.pools.pool import Pool, first_labels, top_documents
from toprung.labels.votes.outcomes import PairOutcome, merge_same_texts
from toprung.stats.inputs import Ints, check_share
from toprung.stats.intervals.proportions import wilson_share
from toprung.stats.tests.binomial import exact_binomial_p
from toprung.stats.tests.corrections import find_correction

PERFECT = "perfect"
"""The run that always has the label first."""
WIN, LOSS, TIE, UNJUDGED, SAME, NOTHING = range(6)
NO_ITEM = -1
QUERIES_PER_CHUNK = 1_000


def win_ratios(
    outcomes: Mapping[Pair, PairOutcome],
    runs: Mapping[str, Run],
    *,
    qrels: Qrels | None = None,
    pools: Sequence[Pool] = (),
    correction: str = "bonferroni",
    alpha: float = 0.05,
    confidence: float = 0.95,
) -> WinRatios:
    """Compare every two runs by the outcomes of their first answers.

    Parameters
    ----------
    outcomes
        The outcome of each judged pair.
    runs
        The runs by name.
    qrels
        With labels, ``perfect`` is one more run: the one that always has the label first.
    pools
        To know which items have the same text; queries outside are left out where there are pools.
    correction
        Over all pairs of runs: ``bonferroni``, ``holm``, ``bh`` or ``raw``.

    """
    tops = first_answers(runs, qrels, pools)
    if len(tops) < 2:
        raise InputError(f"Found {len(tops)} run; expected at least two to compare, or labels.")
    check_share(alpha, name="alpha")
    correct = find_correction(correction)
    names = tuple(tops)
    queries = sorted(set().union(*tops.values()))
    counts = _count(merge_same_texts(outcomes, pools), tops, queries)
    first, second = np.triu_indices(len(names), k=1)
    wins, losses = counts[WIN, first, second], counts[WIN, second, first]
    p = exact_binomial_p(wins, wins + losses)
    corrected = correct(p)
    pairs = tuple(
        WinRatio(
            run=names[one],
            other=names[other],
            wins=int(wins[number]),
            losses=int(losses[number]),
            ties=int(counts[TIE, one, other]),
            unjudged=int(counts[UNJUDGED, one, other]),
            same=int(counts[SAME, one, other]),
            interval=wilson_share(int(wins[number]), int(wins[number] + losses[number]), confidence=confidence),
            p=float(p[number]),
            corrected_p=float(corrected[number]),
        )
        for number, (one, other) in enumerate(zip(first.tolist(), second.tolist(), strict=True))
    )
    return WinRatios(
        runs=names,
        pairs=pairs,
        n_queries=len(queries),
        perfect=None if qrels is None else PERFECT,
        correction=correction,
        alpha=alpha,
        qrels_digest=None if qrels is None else qrels.digest,
    )


def first_answers(runs: Mapping[str, Run], qrels: Qrels | None, pools: Iterable[Pool]) -> dict[str, dict[str, str]]:
    """By run and query; with pools only of their queries, where items stand for those with their text.

    With labels ``perfect`` is one more run. It has the first label of the file, since that is the one in the pools.
    """
    if PERFECT in runs and qrels is not None:
        raise InputError(f"Found a run called '{PERFECT}', which names the ranking with every label first; rename it.")
    stands_for = {pool.query_id: pool.same_text for pool in pools}
    answers = {} if qrels is None else {PERFECT: first_labels(qrels)}
    answers |= {name: {query: top for query, (top, *_) in top_documents(run).items()} for name, run in runs.items()}
    if not stands_for:
        return answers
    if not any(stands_for.values()):
        return {
            name: tops
            if tops.keys() <= stands_for.keys()
            else {query: tops[query] for query in tops.keys() & stands_for}
            for name, tops in answers.items()
        }
    return {
        name: {query: stands_for[query].get(top, top) for query, top in tops.items() if query in stands_for}
        for name, tops in answers.items()
    }


def _count(outcomes: Mapping[Pair, PairOutcome], tops: Mapping[str, Mapping[str, str]], queries: Sequence[str]) -> Ints:
    """What happened × run × run: over how many queries the first run won, lost, tied, was not judged, agreed."""
    counts = np.zeros((5, len(tops), len(tops)), dtype=np.int64)
    by_query = zip(*(map(of_run.get, queries) for of_run in tops.values()), strict=True)
    found = dict(zip(queries, by_query, strict=True))
    given = {query: tuple(sorted({item for item in of_query if item is not None})) for query, of_query in found.items()}
    pools = (Pool(query_id=query, items=items) for query, items in given.items())
    for group in group_pools(pools, outcomes):
        events = _events(group)
        chosen = np.array([_places(given[arena.query_id], found[arena.query_id]) for arena in group.arenas])
        for start in range(0, len(chosen), QUERIES_PER_CHUNK):
            part = slice(start, start + QUERIES_PER_CHUNK)
            rows = np.arange(len(chosen))[part, None, None]
            met = events[rows, chosen[part, :, None], chosen[part, None, :]]
            counts += [(met == event).sum(axis=0) for event in range(len(counts))]
    return counts


def _places(items: Sequence[str], answers: Sequence[str | None]) -> list[int]:
    place_of: dict[str | None, int] = {item: place for place, item in enumerate(items)}
    place_of[None] = NO_ITEM
    return [*map(place_of.__getitem__, answers)]


def _events(group: ArenaGroup) -> NDArray[np.int8]:
    """Query × item × item: what the pair says of the first; the last place is of no item."""
    size, shares = group.size, group.votes.shares[group.pairs]
    events = np.full((len(group.arenas), size + 1, size + 1), NOTHING, dtype=np.int8)
    table = group.table(shares, 1 - shares, unjudged=np.nan)
    said = [table == 1, table == 0, table == TIED]
    events[:, :size, :size] = np.select(said, [WIN, LOSS, TIE], default=UNJUDGED)
    events[:, np.arange(size), np.arange(size)] = SAME
    return events
