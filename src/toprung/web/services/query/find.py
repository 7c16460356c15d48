"""Which public queries decide between two runs? For the page of queries, and for a comparison."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from toprung.web.core.access.texts import browsed_sets
from toprung.web.core.access.viewer import Viewer
from toprung.web.core.models.labels import LabelSet
from toprung.web.core.models.public_columns import PublicColumn
from toprung.web.core.models.runs import Submission
from toprung.web.core.store.run_pairs import RunPair
from toprung.web.services.query.lines import PublicPair, QueryLine, call_runs
from toprung.web.services.query.reading import PublicAnswers


@dataclass(frozen=True, kw_only=True)
class DecidingQueries:
    """The weightiest public queries of a pair; what ``boards/query_list.html`` shows."""

    labels: LabelSet
    b: str
    a: str
    lines: list[QueryLine]
    n_queries: int


def runs_there(labels: LabelSet) -> frozenset[int]:
    """Runs whose file has queries of the set."""
    columns = PublicColumn.objects.filter(label_set=labels, n_there__gt=0)
    return frozenset(columns.values_list("submission_id", flat=True))


def find_public_pair(viewer: Viewer, labels: LabelSet, pair: RunPair) -> PublicPair | None:
    """None where one of them was not read yet, or has no query of the set."""
    found = _answers_of(labels, [pair.challenger, pair.holder])
    if len(found) < len(pair.both):
        return None
    b, a = call_runs(viewer, pair)
    return PublicPair(
        board=viewer.board,
        labels=labels,
        b=b,
        a=a,
        of_b=found[pair.challenger.pk],
        of_a=found[pair.holder.pk],
    )


def _answers_of(labels: LabelSet, runs: Collection[Submission]) -> dict[int, PublicAnswers]:
    columns = PublicColumn.objects.filter(label_set=labels, submission__in=runs, n_there__gt=0)
    return {pk: PublicAnswers.unpack(packed) for pk, packed in columns.values_list("submission_id", "packed")}


def deciding_queries(viewer: Viewer, b: Submission, a: Submission, n: int = 10) -> DecidingQueries | None:
    """The weightiest public queries between two runs that the viewer may see compared, of the first set in which any
    query differs; None where none does.
    """
    for labels in browsed_sets(viewer.board):
        pair = find_public_pair(viewer, labels, RunPair(challenger=b, holder=a))
        rows = [] if pair is None else [row for row in pair.find().rows if row.weight][:n]
        if pair is not None and rows:
            lines = pair.with_passages([pair.line(row.query_id) for row in rows])
            return DecidingQueries(labels=labels, b=pair.b, a=pair.a, lines=lines, n_queries=len(pair.places))
    return None
