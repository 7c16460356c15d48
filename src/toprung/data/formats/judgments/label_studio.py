"""Label Studio's JSON export of pairwise tasks: ``selected`` is ``left`` or ``right``.

A task's ``data`` names the query and the two answers (``query_id, left_id, right_id``); each of its annotations that
was not cancelled is one vote.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from toprung.data.formats import problems
from toprung.data.formats.judgments.delimited import QUERY_COLUMNS
from toprung.data.formats.judgments.rows import EVERY_QUERY, JudgmentRows
from toprung.data.judgments import LARGEST_COUNT
from toprung.errors import FormatError

LEFT_KEYS, RIGHT_KEYS = ("left_id", "left", "text1"), ("right_id", "right", "text2")


@dataclass(frozen=True)
class ShownTask:
    """What a task showed."""

    task: int
    query_id: str
    left: str
    right: str


def parse_label_studio(content: bytes, rows: JudgmentRows) -> None:
    for number, task in enumerate(_read_tasks(content, rows.source), start=1):
        data = task.get("data") if isinstance(task, dict) else None
        if not isinstance(data, dict) or not isinstance(task.get("annotations", []), list):
            raise _not_a_task(rows.source, number)
        left, right = _text_of(data, LEFT_KEYS), _text_of(data, RIGHT_KEYS)
        if left is None or right is None:
            raise _not_a_task(rows.source, number)
        query_id = _text_of(data, QUERY_COLUMNS) or EVERY_QUERY
        shown = ShownTask(number, query_id, left, right)
        for annotation in task.get("annotations", []):
            _add_annotation(rows, annotation, shown)


def _read_tasks(content: bytes, source: str) -> list[Any]:
    try:
        tasks = json.loads(content)
    except (ValueError, UnicodeDecodeError, RecursionError):
        tasks = None
    if not isinstance(tasks, list):
        raise FormatError(source=source, found="text that is not a JSON list", expected="Label Studio's JSON export")
    if not tasks:
        raise FormatError(source=source, found="no tasks", expected="at least one", advice="Was the export filtered?")
    return tasks


def _not_a_task(source: str, number: int) -> FormatError:
    return FormatError(
        source=source,
        found=f"task {number} without two answers in its data",
        expected="data with query_id, left_id and right_id, and a list of annotations",
    )


def _not_annotated(source: str, number: int) -> FormatError:
    return FormatError(
        source=source,
        found=f"task {number} with an annotation that holds no list of results",
        expected="annotations with a result",
    )


def _text_of(data: Mapping[str, Any], keys: tuple[str, ...]) -> str | None:
    """The first of these that is there; None if that is no text."""
    found = next((data[key] for key in keys if data.get(key) not in (None, "")), None)
    return str(found) if isinstance(found, str | int) and not isinstance(found, bool) else None


def _add_annotation(rows: JudgmentRows, annotation: Any, shown: ShownTask) -> None:
    if not isinstance(annotation, dict) or not isinstance(annotation.get("result") or [], list):
        raise _not_annotated(rows.source, shown.task)
    selected = _selected(annotation)
    if annotation.get("was_cancelled") or selected is None:
        rows.warnings.add(problems.no_choice(None))
        return
    rows.add(
        line=None,
        query_id=shown.query_id,
        left=shown.left,
        right=shown.right,
        choice=rows.choose(selected, shown.left, shown.right, None),
        assessor=_assessor_of(annotation),
        ms=_to_ms(annotation.get("lead_time")),
    )


def _to_ms(seconds: Any) -> int | None:
    """How long it took, if that is said: NaN and what no clock can show are not."""
    is_time = isinstance(seconds, int | float) and 0 <= seconds <= LARGEST_COUNT / 1000
    return round(1000 * seconds) if is_time else None


def _selected(annotation: Mapping[str, Any]) -> str | None:
    for result in annotation.get("result") or ():
        value = result.get("value") if isinstance(result, dict) else None
        if isinstance(value, dict) and "selected" in value:
            return str(value["selected"])
    return None


def _assessor_of(annotation: Mapping[str, Any]) -> str:
    who = annotation.get("completed_by", "")
    named = who.get("id", "") if isinstance(who, dict) else who
    return str(named) if isinstance(named, str | int) else ""
