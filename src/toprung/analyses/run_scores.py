"""How do runs score under some labels, and in what order does that put them? What every relabelling analysis asks."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace
from itertools import compress
from typing import Any

import numpy as np

from toprung.data.matrices import ScoreTable
from toprung.data.qrels import Qrels
from toprung.errors import InputError
from toprung.scoring.catalogue import GivenMeasure, find_measure
from toprung.scoring.evaluate import ALL_CORES, evaluate
from toprung.scoring.inputs import Reading, to_named_runs
from toprung.stats.inputs import Floats
from toprung.stats.ranks.correlation import kendall_tau
from toprung.workers import Workers

PERFECT = "perfect ranking"


def score_runs(
    qrels: Qrels,
    runs: Any,
    measure: GivenMeasure,
    *,
    workers: Workers = ALL_CORES,
    on_progress: Callable[[str], None] = lambda _: None,
) -> ScoreTable:
    """The scores of runs, which stand in the order of their names whatever order they came in.

    Its remarks tell of queries that a run lacks. That a run has queries without labels is no news here: labels are of
    the queries that were judged.
    """
    named = sorted(to_named_runs(runs, Reading()), key=lambda run: run.name)
    evaluation = evaluate(qrels, {run.name: run for run in named}, measure, workers=workers, on_progress=on_progress)
    return replace(evaluation, expects_other_queries=True).score_table(measure)


def restrict(qrels: Qrels, query_ids: Collection[str]) -> Qrels:
    """Only the labels of these queries."""
    wanted = set(query_ids)
    if wanted.issuperset(qrels.query_ids):
        return qrels
    return Qrels.from_dict(
        {query_id: docs for query_id, docs in qrels.to_dict().items() if query_id in wanted}, source=qrels.source
    )


def relevant_documents(qrels: Qrels) -> dict[str, list[str]]:
    """For each query that has any its relevant documents, the highest grade first, then as in the file."""
    found = {}
    for query_id, docs in qrels.to_dict().items():
        relevant = sorted((doc_id for doc_id, grade in docs.items() if grade >= 1), key=lambda doc_id: -docs[doc_id])
        if relevant:
            found[query_id] = relevant
    return found


def queries_with_relevant(qrels: Qrels) -> list[str]:
    """Those that have a relevant document, as in the file."""
    return list(compress(qrels.query_ids, qrels.has_relevant))


def perfect_run(qrels: Qrels) -> dict[str, dict[str, float]]:
    """The run that puts the relevant documents of every query first, and nothing else, as ``evaluate`` takes it."""
    return {
        query_id: {doc_id: float(-place) for place, doc_id in enumerate(doc_ids)}
        for query_id, doc_ids in relevant_documents(qrels).items()
    }


def order_correlation(one: Floats, other: Floats) -> float:
    """Kendall's τ-b between two lists of means, over the runs that have both; NaN where these have no order.

    >>> round(order_correlation(np.array([0.5, 0.4, 0.3]), np.array([0.5, 0.3, 0.4])), 4)
    0.3333
    """
    is_known = ~(np.isnan(one) | np.isnan(other))
    return float(kendall_tau(one[is_known], other[is_known]))


def is_higher_better(measure: str) -> bool:
    return find_measure(measure).higher_is_better


def check_top(top: int) -> None:
    if top < 2:
        raise InputError(f"top: found {top}; expected at least two runs to order.")
