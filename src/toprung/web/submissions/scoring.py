"""What does a submission score? Read from its Parquet file, on every label set of the board, recorded once."""

from __future__ import annotations

import numpy as np
from django.db import transaction
from django.db.models import F

from toprung.data.formats.run_files import read_run
from toprung.data.run import Run
from toprung.errors import NoOverlapError
from toprung.scoring.evaluate import evaluate
from toprung.scoring.evaluation import Evaluation
from toprung.web.boards.columns import current_labels, labels_of, pack, query_ids_of
from toprung.web.boards.models import Board, LabelSet, LabelUse
from toprung.web.files import local_path
from toprung.web.submissions.models import FirstRankColumn, ScoreColumn, State, Submission

MOST_ATTEMPTS = 4
"""Scoring that was begun so often and never came to an end is not begun again."""


NO_DOCUMENT = "no document"
"""An id that no file can have, for it has a blank."""


class ScoringGivenUpError(LookupError):
    """Scoring was begun too often: it seems to end its worker."""


def score_submission(pk: int) -> bool:
    """Score it on all sets and record that in one transaction; False where it was scored before."""
    submission = Submission.objects.select_related("board", "upload").get(pk=pk)
    if submission.state not in (State.QUEUED, State.SCORING):
        return False
    if submission.attempts >= MOST_ATTEMPTS:
        raise ScoringGivenUpError(f"begun {submission.attempts} times, and never came to an end")
    begun = Submission.objects.filter(pk=pk, state__in=(State.QUEUED, State.SCORING))
    begun.update(state=State.SCORING, attempts=F("attempts") + 1)
    with local_path(submission.upload.parquet) as path:
        run = read_run(path)
    columns = [_score_on(labels, submission, run) for labels in current_labels(submission.board)]
    with transaction.atomic():
        locked = Submission.objects.select_for_update().get(pk=pk)
        if locked.state != State.SCORING:
            return False  # another worker took over and was faster
        for ranks, scores in columns:
            ranks.save(force_insert=True)
            ScoreColumn.objects.bulk_create(scores)
        locked.score = _official_score(submission.board, columns)
        locked.state = State.SCORED
        locked.save()
    return True


def measures_of(board: Board) -> list[str]:
    return list(dict.fromkeys([board.official_measure, *board.other_measures]))


def _score_on(labels: LabelSet, submission: Submission, run: Run) -> tuple[FirstRankColumn, list[ScoreColumn]]:
    board, query_ids = submission.board, query_ids_of(labels)
    found = _evaluate(labels, submission, run)
    ranks = found.first_ranks(board.cutoff).select_queries(query_ids, name=labels.name)
    columns = []
    for measure in measures_of(board):
        table = found.score_table(measure).select_queries(query_ids, name=labels.name)
        mean = float(np.nanmean(table.values))
        columns.append(
            ScoreColumn(
                submission=submission, label_set=labels, measure=measure, mean=mean, packed=pack(table.values[:, 0])
            )
        )
    return FirstRankColumn(submission=submission, label_set=labels, packed=pack(ranks.values[:, 0])), columns


def _evaluate(labels: LabelSet, submission: Submission, run: Run) -> Evaluation:
    """A run without a query of the set finds nothing there: a failure would tell which queries the set has."""
    measures = ["RR", *measures_of(submission.board)]
    try:
        return evaluate(labels_of(labels), {submission.label: run}, measures)
    except NoOverlapError:
        finds_nothing = Run.from_dict({query: {NO_DOCUMENT: 0.0} for query in query_ids_of(labels)})
        return evaluate(labels_of(labels), {submission.label: finds_nothing}, measures)


def _official_score(board: Board, columns: list[tuple[FirstRankColumn, list[ScoreColumn]]]) -> float:
    for _, scores in columns:
        for each in scores:
            if each.label_set.use == LabelUse.OFFICIAL and each.measure == board.official_measure:
                return each.mean
    raise LookupError(f"{board.slug} has no current official labels")
