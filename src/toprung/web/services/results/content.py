"""What of a result do pages need? Its words, tables and figures, as JSON holds them; nothing else reaches a page."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Any

from django.conf import settings

from toprung.result import Explanation, Result, Table, json_safe
from toprung.web.core.apart.process import ChildCrashedError, OverLimitError, run_apart
from toprung.web.core.models.results import Audience
from toprung.web.core.store.provenance import without_digests
from toprung.web.services.results.drawing import Draw, draw_figures
from toprung.words.wording import say_type

logger = logging.getLogger(__name__)
IN_TENS = "Counts are in tens."
TRIES = 2
"""Of drawing: pages do without a figure rather than wait for it."""


def show_result[R: Result](result: R, draws: Sequence[Draw[R]], audience: Audience) -> dict[str, Any]:
    """The sentence, the tables, the notes, how it was found, and the figures as SVG."""
    return {
        "sentence": result.sentence,
        "tables": [show_table(table, heading) for heading, table in result.tables],
        "notes": list(result.notes),
        "explanation": show_explanation(result.explanation),
        "figures": show_figures(result, draws),
        "provenance": show_provenance(result, audience),
    }


def show_provenance(result: Result, audience: Audience) -> dict[str, Any]:
    provenance: dict[str, Any] = json_safe(dict(result.provenance))
    return without_digests(provenance) if audience is Audience.PUBLIC else provenance


def show_table(table: Table, heading: str = "") -> dict[str, Any]:
    return {
        "heading": heading,
        "header": list(table.header),
        "rows": [list(row) for row in table.rows],
        "numeric": sorted(table.numeric),
    }


def to_table(content: dict[str, Any]) -> Table:
    """A stored table as the library knows it."""
    return Table(
        header=tuple(content["header"]),
        rows=tuple(map(tuple, content["rows"])),
        numeric=frozenset(content["numeric"]),
    )


def show_explanation(explanation: Explanation | None) -> dict[str, Any] | None:
    return None if explanation is None else {"how": explanation.how, "assumptions": list(explanation.assumptions)}


def show_figures[R: Result](
    result: R, draws: Sequence[Draw[R]], *, remarks: Mapping[str, str] | None = None, has_narrow: bool = False
) -> list[dict[str, str]]:
    """The figures of a result, drawn within the limits of a child process; none where the child ends before them.

    Each has one image with one text, ready for a page that has no other figure of its kind.
    """
    if not draws:
        return []
    why = ""
    for _ in range(TRIES):
        try:
            limits = settings.ENVIRONMENT.child_limits
            return run_apart(draw_figures, result, tuple(draws), remarks or {}, has_narrow, limits=limits)
        except OverLimitError as died:
            why = str(died)
            break
        except ChildCrashedError as died:  # as when the machine is short of memory
            why = str(died)
    logger.warning("Left out the figures of %s, for the process that drew them ended: %s.", say_type(result), why)
    return []


def without_drawings(content: dict[str, Any], leave_out: Sequence[str] = ("svg", "narrow", "drawn")) -> dict[str, Any]:
    """The same as data, for who takes it along."""
    figures = [{key: each[key] for key in each if key not in leave_out} for each in content.get("figures", [])]
    return content | {"figures": figures}
