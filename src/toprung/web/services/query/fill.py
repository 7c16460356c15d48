"""When are runs read for the page of queries? After the board's results, each once for each set of public labels."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from contextlib import ExitStack

from django.conf import settings
from django.db.models import Exists, OuterRef

from toprung.web.core.access.texts import browsed_sets
from toprung.web.core.apart.process import ChildEndedError, run_apart
from toprung.web.core.models.boards import Board
from toprung.web.core.models.labels import LabelSet
from toprung.web.core.models.public_columns import PublicColumn
from toprung.web.core.models.runs import RunState, Submission
from toprung.web.core.store.columns import labels_of, query_ids_of, ranks_asked
from toprung.web.core.store.files import local_path
from toprung.web.services.query.reading import PublicAnswers, read_public_answers
from toprung.web.services.runs.scoring import ScoringAsked, SetAsked

AT_ONCE = 20
"""Runs that share a child."""
logger = logging.getLogger(__name__)


def fill_public_columns(board_pk: int) -> None:
    """Read the runs that were not read yet; one that ends the child that reads it is left out."""
    board = Board.objects.get(pk=board_pk)
    for labels in browsed_sets(board):
        missing = list(_missing(board, labels))
        for start in range(0, len(missing), AT_ONCE):
            _fill(board, labels, missing[start : start + AT_ONCE])


def _missing(board: Board, labels: LabelSet) -> list[Submission]:
    there = PublicColumn.objects.filter(submission=OuterRef("pk"), label_set=labels)
    runs = board.submissions.filter(~Exists(there), state__in=(RunState.SCORED, RunState.DONE))
    return list(runs.exclude(upload__parquet="").select_related("upload").order_by("number"))


def _fill(board: Board, labels: LabelSet, runs: Sequence[Submission]) -> None:
    try:
        found = _read_apart(board, labels, runs)
    except ChildEndedError as died:
        if len(runs) > 1:  # one of them ended the child: each has one of its own now
            for each in runs:
                _fill(board, labels, [each])
        else:
            run = runs[0].run_id
            logger.warning("The child that read %s of %s for its public queries died: %s", run, board.slug, died)
        return
    rows = [
        PublicColumn(submission=run, label_set=labels, n_there=answers[0].n_there, packed=answers[0].pack())
        for run, answers in zip(runs, found, strict=True)
        if answers is not None
    ]
    PublicColumn.objects.bulk_create(rows, ignore_conflicts=True)


def _read_apart(board: Board, labels: LabelSet, runs: Sequence[Submission]) -> list[list[PublicAnswers] | None]:
    with ExitStack() as files:
        asked = ScoringAsked(
            runs=[(each.run_id, files.enter_context(local_path(each.upload.parquet))) for each in runs],
            sets=[SetAsked(name=labels.name, labels=labels_of(labels), query_ids=query_ids_of(labels))],
            measures=[board.official_measure],
            ranks=ranks_asked(board),
        )
        limits = settings.ENVIRONMENT.child_limits.with_pieces(len(runs))
        return run_apart(read_public_answers, asked, limits=limits)
