"""Does the official measure still tell the best runs of a board apart? Else a warning, and a measure that does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toprung.boards.engine.saturation import LEAST_DIFFERING, MOST_HIGHEST, hardly_tells_apart, say_saturated
from toprung.web.core.models.runs import ScoreColumn
from toprung.web.core.store.columns import score_table

if TYPE_CHECKING:
    from toprung.web.services.results.material import BoardMaterial


def warn_of_saturation(material: BoardMaterial) -> tuple[str, ...]:
    """The warning, or nothing; so few queries that no measure could do without it are not warned of."""
    findings = material.findings
    matrix = findings.matrix.select(list(findings.top.runs[:MOST_HIGHEST]))
    if len(matrix.query_ids) < LEAST_DIFFERING or not hardly_tells_apart(matrix):
        return ()
    return (say_saturated(matrix, _find_better(material), is_exact=not material.is_public),)


def _find_better(material: BoardMaterial) -> str:
    """Among the measures that are shown beside the official one; empty where none does better."""
    columns = ScoreColumn.objects.filter(
        label_set=material.labels, submission__in=[each.pk for each in material.submissions]
    )
    beside = columns.exclude(measure=material.board.official_measure).order_by("measure")
    for measure in beside.values_list("measure", flat=True).distinct():
        if not hardly_tells_apart(score_table(material.labels, material.submissions, measure)):
            return measure
    return ""
