"""What does a submission score? Read from its Parquet file, on every label set of the board, recorded once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
from django.db.models import F
from numpy.typing import NDArray

from toprung.data.run import Run
from toprung.errors import NoOverlapError
from toprung.scoring.evaluate import evaluate
from toprung.scoring.evaluation import Evaluation
from toprung.scoring.stored_runs import StoredRun
from toprung.web.core.models.boards import Board
from toprung.web.core.models.labels import LabelSet
from toprung.web.core.models.runs import FirstRankColumn, RunState, ScoreColumn, Submission
from toprung.web.core.queue import settle
from toprung.web.core.store.columns import (
    labels_of,
    labels_to_score,
    official_labels,
    pack,
    query_ids_of,
    ranks_asked,
)
from toprung.web.core.store.files import FilesAwayError, local_path
from toprung.web.core.store.locks import lock_board
from toprung.web.services.runs.fail import fail_submission

MOST_ATTEMPTS = 4
"""Scoring that was begun so often and never came to an end is not begun again."""
NO_DOCUMENT = "no document"
"""An id that no file can have, for it has a blank."""


class ScoringGivenUpError(LookupError):
    """Scoring was begun too often: it seems to end its worker."""


@dataclass(frozen=True, kw_only=True)
class Columns:
    """What is recorded of a run on one label set."""

    ranks: FirstRankColumn
    scores: list[ScoreColumn]


def score_or_fail(pk: int) -> None:
    """Score a run, or say that it could not be; then the board is settled."""
    try:
        score_submission(pk)
    except (LookupError, ValueError) as error:
        fail_submission(pk, f"{type(error).__name__}: {error}")
    settle.enqueue(Submission.objects.values_list("board_id", flat=True).get(pk=pk))


def score_submission(pk: int) -> bool:
    """Score it on all sets and record that in one transaction; False where it was scored before."""
    submission = Submission.objects.select_related("board", "upload").get(pk=pk)
    if submission.state not in (RunState.QUEUED, RunState.SCORING):
        return False
    if submission.attempts >= MOST_ATTEMPTS:
        raise ScoringGivenUpError(f"begun {submission.attempts} times, and never came to an end")
    begun = Submission.objects.filter(pk=pk, state__in=(RunState.QUEUED, RunState.SCORING))
    begun.update(state=RunState.SCORING, attempts=F("attempts") + 1)
    try:
        with open_run(submission) as run:
            return _score(submission, run)
    except FilesAwayError:  # which is no fault of the run
        begun.update(attempts=F("attempts") - 1)
        raise


@contextmanager
def open_run(submission: Submission) -> Iterator[StoredRun]:
    """Its stored file, read once for all the label sets it is scored on in here."""
    with local_path(submission.upload.parquet) as path:
        yield StoredRun.read(path, name=submission.run_id)


def _score(submission: Submission, run: StoredRun) -> bool:
    columns: dict[int, Columns] = {}
    recorded = None
    while recorded is None:
        for labels in labels_to_score(submission.board):
            if labels.pk not in columns:
                columns[labels.pk] = score_on(labels, submission, run)
        recorded = _record(submission, columns)
    return recorded


def _record(submission: Submission, columns: Mapping[int, Columns]) -> bool | None:
    """Whether it was recorded here; None where labels came up meanwhile that it was not scored on.

    The board is held: no version of the labels can be published or become current before this is done.
    """
    with lock_board(submission.board_id) as board:
        locked = Submission.objects.select_for_update(no_key=True).get(pk=submission.pk)
        if locked.state != RunState.SCORING:
            return False  # another worker took over and was faster
        needed = labels_to_score(board)
        if any(labels.pk not in columns for labels in needed):
            return None
        kept = [columns[labels.pk] for labels in needed]
        save_columns(kept)
        locked.score = _official_score(board, kept)
        locked.state, locked.attempts = RunState.SCORED, 0
        locked.save()
    return True


def save_columns(columns: Iterable[Columns]) -> None:
    """Those that are there already stay: a score is recorded once."""
    found = list(columns)
    FirstRankColumn.objects.bulk_create([each.ranks for each in found], ignore_conflicts=True)
    ScoreColumn.objects.bulk_create([score for each in found for score in each.scores], ignore_conflicts=True)


def measures_of(board: Board) -> list[str]:
    return list(dict.fromkeys([board.official_measure, *board.other_measures]))


def score_on(labels: LabelSet, submission: Submission, run: StoredRun) -> Columns:
    """The run's columns on one label set, not saved."""
    board, query_ids = submission.board, query_ids_of(labels)
    found = _evaluate(labels, submission, run)
    scores = []
    for measure in measures_of(board):
        table = found.score_table(measure).select_queries(query_ids, name=labels.name)
        mean = float(np.nanmean(table.values))
        scores.append(
            ScoreColumn(
                submission=submission, label_set=labels, measure=measure, mean=mean, packed=pack(table.values[:, 0])
            )
        )
    return Columns(
        ranks=FirstRankColumn(submission=submission, label_set=labels, packed=pack(_rank_column(found, labels))),
        scores=scores,
    )


def _rank_column(found: Evaluation, labels: LabelSet) -> NDArray[np.int32]:
    """Of every query that is scored: one that has no such document is answered by nobody."""
    asked = ranks_asked(labels.board)
    if not (found.labels.count_relevant(asked.rel) >= asked.mth).any():
        return np.zeros(len(query_ids_of(labels)), dtype=np.int32)
    ranks = found.first_ranks(asked.cutoff, rel=asked.rel, mth=asked.mth)
    by_query = dict(zip(ranks.query_ids, ranks.values[:, 0], strict=True))
    return np.array([by_query.get(query_id, 0) for query_id in query_ids_of(labels)], dtype=np.int32)


def _evaluate(labels: LabelSet, submission: Submission, run: StoredRun) -> Evaluation:
    """A run without a query of the set finds nothing there: a failure would tell which queries the set has."""
    measures = ["RR", *measures_of(submission.board)]
    try:
        return run.score(labels_of(labels), measures)
    except NoOverlapError:
        finds_nothing = Run.from_dict({query: {NO_DOCUMENT: 0.0} for query in query_ids_of(labels)})
        return evaluate(labels_of(labels), {submission.run_id: finds_nothing}, measures)


def _official_score(board: Board, columns: Iterable[Columns]) -> float:
    """Under the labels the leaderboard is on now."""
    labels = official_labels(board)
    for each in (score for found in columns for score in found.scores):
        if each.label_set_id == labels.pk and each.measure == board.official_measure:
            return each.mean
    raise LookupError(f"{board.slug}: its official labels were not scored on")
