"""What does a submission score? Read from its Parquet file, on every label set of the board, recorded once.

The file is read by a child process (`scoring`): a run that ends its child twice fails, and nothing else does.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass

import numpy as np
from django.conf import settings
from django.db.models import F

from toprung.web.core.apart.process import ChildCrashedError, ChildEndedError, run_apart
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
from toprung.web.services.runs.poison import MOST_DEATHS
from toprung.web.services.runs.scoring import ScoredRun, ScoredSet, ScoringAsked, SetAsked, score_files

MOST_ATTEMPTS = 12
"""Scoring that was begun so often and never came to an end is not begun again. What a run itself may end is its child,
which has two lives; a worker that ends here was killed, and after five times the queue lets minutes pass between."""


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
        return _score(submission)
    except ChildEndedError as died:
        raise ScoringGivenUpError(f"whatever scored it ended: {died}") from None
    except FilesAwayError:  # which is no fault of the run
        begun.update(attempts=F("attempts") - 1)
        raise


def _score(submission: Submission) -> bool:
    columns: dict[int, Columns] = {}
    recorded = None
    while recorded is None:
        missing = [labels for labels in labels_to_score(submission.board) if labels.pk not in columns]
        columns |= zip([labels.pk for labels in missing], score_on(missing, submission), strict=True)
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


def score_on(sets: Sequence[LabelSet], submission: Submission) -> list[Columns]:
    """The run's columns on each of the label sets, not saved; raises what keeps it from being scored."""
    if not sets:
        return []
    return _to_columns(sets, submission, _score_alone(sets, submission))


def score_each(labels: LabelSet, submissions: Sequence[Submission]) -> list[Columns | Exception]:
    """The same for many runs of a board on one set, in their order; of one that cannot be scored, why."""
    try:
        found = _score_apart([labels], submissions)
    except ChildEndedError:  # one of them ended the child: each has one of its own now
        found = [_score_or_say([labels], each) for each in submissions]
    return [
        scored if isinstance(scored, Exception) else _to_columns([labels], submission, scored)[0]
        for submission, scored in zip(submissions, found, strict=True)
    ]


def _score_or_say(sets: Sequence[LabelSet], submission: Submission) -> ScoredRun:
    try:
        return _score_alone(sets, submission)
    except ChildEndedError as died:
        return died


def _score_alone(sets: Sequence[LabelSet], submission: Submission) -> ScoredRun:
    """By a child of its own, and by a second one where the first crashed."""
    for _ in range(MOST_DEATHS - 1):
        with suppress(ChildCrashedError):
            return _score_apart(sets, [submission])[0]
    return _score_apart(sets, [submission])[0]


def _score_apart(sets: Sequence[LabelSet], submissions: Sequence[Submission]) -> list[ScoredRun]:
    if not submissions:
        return []
    board = submissions[0].board
    with ExitStack() as files:
        asked = ScoringAsked(
            runs=[(each.run_id, files.enter_context(local_path(each.upload.parquet))) for each in submissions],
            sets=[
                SetAsked(name=labels.name, labels=labels_of(labels), query_ids=query_ids_of(labels)) for labels in sets
            ],
            measures=measures_of(board),
            ranks=ranks_asked(board),
        )
        limits = settings.ENVIRONMENT.child_limits.with_pieces(len(submissions))
        return run_apart(score_files, asked, limits=limits)


def _to_columns(sets: Sequence[LabelSet], submission: Submission, found: ScoredRun) -> list[Columns]:
    if isinstance(found, Exception):
        raise found
    return [_to_rows(labels, submission, scored) for labels, scored in zip(sets, found, strict=True)]


def _to_rows(labels: LabelSet, submission: Submission, found: ScoredSet) -> Columns:
    scores = [
        ScoreColumn(
            submission=submission,
            label_set=labels,
            measure=measure,
            mean=float(np.nanmean(values)),
            packed=pack(values),
        )
        for measure, values in zip(measures_of(submission.board), found.scores, strict=True)
    ]
    ranks = FirstRankColumn(submission=submission, label_set=labels, packed=pack(found.ranks))
    return Columns(ranks=ranks, scores=scores)


def _official_score(board: Board, columns: Iterable[Columns]) -> float:
    """Under the labels the leaderboard is on now."""
    labels = official_labels(board)
    for each in (score for found in columns for score in found.scores):
        if each.label_set_id == labels.pk and each.measure == board.official_measure:
            return each.mean
    raise LookupError(f"{board.slug}: its official labels were not scored on")
