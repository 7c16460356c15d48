"""Of what is all made that an audience is shown of some runs? While the digest of it is the same, results are kept.

Whole rows are in it, not those fields that somebody knows to matter: where a row has changed in what no result shows,
results are found anew and come out the same; were a field forgotten, pages would go stale.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from django.db.models import Model, Q

from toprung.analyses.catalogue import find_on_boards
from toprung.version import __version__
from toprung.web.core.models.boards import Board
from toprung.web.core.models.campaigns import LabelOrigin
from toprung.web.core.models.labels import LabelSet, LabelUse
from toprung.web.core.models.results import Audience
from toprung.web.core.models.runs import FirstRankColumn, ScoreColumn, Submission
from toprung.web.core.store.label_versions import version_before

if TYPE_CHECKING:
    from toprung.web.services.results.material import Findings

COUNTERS = ("results_due", "results_done")
"""Of a board: they say when results were computed, not of what."""
BOOKKEEPING = ("told_at", "attempts", "attempt_key", "attempt_digest")
"""Of a submission: how it was sent, and that its sender knows."""


def digest_of_inputs(findings: Findings) -> str:
    """Of the code, the rules, what is released today, the claims, the labels, the runs and their scores by query.

    Of analyses that a server registers the code has no version: those on boards are in it by what is registered.
    """
    board, labels, submissions = findings.board, findings.labels, findings.submissions
    before = version_before(labels)
    read = [labels, *_extra_labels(board), *([] if before is None else [before])]
    found = hashlib.sha256()
    for part in (
        [__version__, repr(findings.release)],
        [[each.key, each.in_public, repr(each.board)] for each in find_on_boards(is_public=False)],
        _rows(Board, [board], COUNTERS),
        _rows(LabelSet, read),
        list(LabelOrigin.objects.filter(label_set=labels).values_list("doubt", flat=True)),
        list(board.claims.order_by("pk").values_list()),
        _rows(Submission, submissions, BOOKKEEPING),
        [[each.upload.digest, str(each.upload.parquet)] for each in submissions],
        [] if before is None else _shown_before(board, before),
    ):
        found.update(json.dumps(part, default=str, sort_keys=True).encode() + b"\n")
    for packed in _columns(labels, read, submissions):
        found.update(packed)
    return found.hexdigest()


def _extra_labels(board: Board) -> list[LabelSet]:
    """On which measures are shown beside the official one."""
    return list(board.label_sets.filter(use=LabelUse.EXTRA, is_current=True).order_by("pk"))


def _rows(model: type[Model], rows: Sequence[Model], left_out: Sequence[str] = ()) -> list[tuple[Any, ...]]:
    names = [field.attname for field in model._meta.concrete_fields if field.attname not in left_out]
    return [attrgetter(*names)(row) for row in rows]


def _shown_before(board: Board, before: LabelSet) -> list[int]:
    """The runs that everyone was shown under the labels before."""
    shown = board.standings.filter(audience=Audience.PUBLIC, labels_version=before.version)
    return list(shown.order_by("submission").values_list("submission", flat=True))


def _columns(labels: LabelSet, read: Sequence[LabelSet], submissions: Sequence[Submission]) -> Iterator[bytes]:
    """Scores and ranks by query, each after what it is of."""
    of_runs = Q(submission__in=[each.pk for each in submissions])
    ranks = FirstRankColumn.objects.filter(of_runs, label_set=labels).order_by("pk")
    scores = ScoreColumn.objects.filter(of_runs, label_set__in=read).order_by("pk")
    for run, packed in ranks.values_list("submission", "packed").iterator():
        yield f"\n{run} {len(packed)} ".encode() + bytes(packed)
    for *what, packed in scores.values_list("submission", "label_set", "measure", "mean", "packed").iterator():
        yield f"\n{what} {len(packed)} ".encode() + bytes(packed)
