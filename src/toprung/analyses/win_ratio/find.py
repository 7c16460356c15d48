"""Which run's first answer do people prefer? Win ratios of all pairs of runs, as in Arabzadeh et al. 2021, table 4.

The win ratio of one run over another is its share of wins over the queries whose first answers differ and whose pair
is decided. The unit is the query: however many votes a pair had, it counts once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from toprung.analyses.win_ratio.result import WinRatio, WinRatios
from toprung.data.judgments import Pair
from toprung.data.qrels import Qrels
from toprung.data.run import Run
from toprung.errors import InputError
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
    by_query = {pool.query_id: pool for pool in pools}
    answers = {} if qrels is None else {PERFECT: first_labels(qrels)}
    answers |= {name: {query: top for query, (top, *_) in top_documents(run).items()} for name, run in runs.items()}
    if not by_query:
        return answers
    return {
        name: {query: by_query[query].represent(top) for query, top in tops.items() if query in by_query}
        for name, tops in answers.items()
    }


def _count(outcomes: Mapping[Pair, PairOutcome], tops: Mapping[str, Mapping[str, str]], queries: Sequence[str]) -> Ints:
    """What happened × run × run: over how many queries the first run won, lost, tied, was not judged, agreed."""
    counts = np.zeros((5, len(tops), len(tops)), dtype=np.int64)
    for start in range(0, len(queries), QUERIES_PER_CHUNK):
        part = queries[start : start + QUERIES_PER_CHUNK]
        found = [[of_run.get(query) for of_run in tops.values()] for query in part]
        items = [sorted({item for item in of_query if item is not None}) for of_query in found]
        chosen = np.array(
            [
                [NO_ITEM if item is None else of_query.index(item) for item in answers]
                for answers, of_query in zip(found, items, strict=True)
            ]
        )
        events = _events(part, items, outcomes)
        met = events[np.arange(len(part))[:, None, None], chosen[:, :, None], chosen[:, None, :]]
        counts += [(met == event).sum(axis=0) for event in range(len(counts))]
    return counts


def _events(
    queries: Sequence[str], items: Sequence[Sequence[str]], outcomes: Mapping[Pair, PairOutcome]
) -> NDArray[np.int8]:
    """Query × item × item: what the pair says of the first; the last place is of no item."""
    n_items = max(map(len, items))
    events = np.full((len(queries), n_items + 1, n_items + 1), UNJUDGED, dtype=np.int8)
    events[:, np.arange(n_items), np.arange(n_items)] = SAME
    events[:, NO_ITEM, :] = events[:, :, NO_ITEM] = NOTHING
    judged = [
        (row, i, j, TIE if (winner := outcome.winner) is None else WIN if winner == one else LOSS)
        for row, (query, of_query) in enumerate(zip(queries, items, strict=True))
        for (i, one), (j, other) in combinations(enumerate(of_query), 2)
        if (outcome := outcomes.get(Pair._make((query, one, other)))) is not None
    ]
    row, i, j, of_first = np.array(judged, dtype=np.intp).reshape(-1, 4).T
    events[row, i, j] = of_first
    events[row, j, i] = np.array([LOSS, WIN, TIE])[of_first]
    return events
