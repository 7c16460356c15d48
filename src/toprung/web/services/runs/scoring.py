"""What does a stored run score? Told by a child process, from its file and the labels: no database, no Django."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from toprung.data.qrels import Qrels
from toprung.data.run import Run
from toprung.errors import NoOverlapError
from toprung.scoring.catalogue import RankAsked
from toprung.scoring.evaluate import evaluate
from toprung.scoring.evaluation import Evaluation
from toprung.scoring.stored_runs import StoredRun
from toprung.web.core.apart.reply import Float64s, Int32s, SentError

NO_DOCUMENT = "no document"
"""An id that no file can have, for it has a blank."""


@dataclass(frozen=True, kw_only=True)
class SetAsked:
    """Labels to score on, and the queries in the order that columns have."""

    name: str
    labels: Qrels
    query_ids: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class ScoringAsked:
    """Runs by their ids and files, each to be scored on all of the sets."""

    runs: Sequence[tuple[str, Path]]
    sets: Sequence[SetAsked]
    measures: Sequence[str]
    ranks: RankAsked


@dataclass(frozen=True, kw_only=True)
class ScoredSet:
    """A value for each query of a set: the first ranks, and the scores of each measure in their order."""

    ranks: Int32s
    scores: list[Float64s]


type ScoredRun = list[ScoredSet] | SentError
"""One for each set, or what there was instead."""


def score_files(asked: ScoringAsked) -> list[ScoredRun]:
    """For each run, in their order; a run that cannot be scored does not keep the others from it."""
    return [_score_file(run_id, path, asked) for run_id, path in asked.runs]


def _score_file(run_id: str, path: Path, asked: ScoringAsked) -> ScoredRun:
    try:
        run = StoredRun.read(path, name=run_id)
        return [_score_on(each, run, asked) for each in asked.sets]
    except (OSError, LookupError, ValueError) as error:
        return error


def _score_on(asked_set: SetAsked, run: StoredRun, asked: ScoringAsked) -> ScoredSet:
    found = _evaluate(asked_set, run, ["RR", *asked.measures])
    tables = [
        found.score_table(measure).select_queries(asked_set.query_ids, name=asked_set.name)
        for measure in asked.measures
    ]
    return ScoredSet(
        ranks=_rank_column(found, asked_set.query_ids, asked.ranks), scores=[table.values[:, 0] for table in tables]
    )


def _rank_column(found: Evaluation, query_ids: tuple[str, ...], asked: RankAsked) -> NDArray[np.int32]:
    """Of every query that is scored: one that has no such document is answered by nobody."""
    if not (found.labels.count_relevant(asked.rel) >= asked.mth).any():
        return np.zeros(len(query_ids), dtype=np.int32)
    ranks = found.first_ranks(asked.cutoff, rel=asked.rel, mth=asked.mth)
    by_query = dict(zip(ranks.query_ids, ranks.values[:, 0], strict=True))
    return np.array([by_query.get(query_id, 0) for query_id in query_ids], dtype=np.int32)


def _evaluate(asked_set: SetAsked, run: StoredRun, measures: Sequence[str]) -> Evaluation:
    """A run without a query of the set finds nothing there: a failure would tell which queries the set has."""
    try:
        return run.score(asked_set.labels, measures)
    except NoOverlapError:
        finds_nothing = Run.from_dict({query: {NO_DOCUMENT: 0.0} for query in asked_set.query_ids})
        return evaluate(asked_set.labels, {run.name: finds_nothing}, measures)
