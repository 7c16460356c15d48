"""How is a plan written as a ``board.toml``? Every setting that is not the usual one; read again it is the same."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import MISSING, dataclass, fields
from datetime import UTC, datetime
from typing import Any

from toprung.web.core.models.labels import LabelUse
from toprung.web.core.store.plan import BoardPlan

DELETE = "\x7f"


@dataclass(frozen=True, kw_only=True)
class NamedLabels:
    """A set of labels as the file names it."""

    use: str
    file: str
    name: str
    is_hidden: bool


def write_board(plan: BoardPlan, labels: Sequence[NamedLabels]) -> str:
    """The inverse of `read_board`.

    >>> print(write_board(BoardPlan(slug="a", title="A", task="Rank.", quota=3), ()))
    slug = "a"
    title = "A"
    task = "Rank."
    quota = 3
    <BLANKLINE>
    """
    return "\n".join([*_settings(plan), *(line for each in labels for line in _labels(each)), ""])


def _settings(plan: BoardPlan) -> Iterator[str]:
    for field in fields(plan):
        value = getattr(plan, field.name)
        if field.default is MISSING or value != field.default:
            yield f"{field.name} = {_write(value)}"


def _labels(labels: NamedLabels) -> Iterator[str]:
    yield ""
    yield "[[labels]]"
    yield f"use = {_write(labels.use)}"
    yield f"file = {_write(labels.file)}"
    if labels.name:
        yield f"name = {_write(labels.name)}"
    if labels.is_hidden != (labels.use != LabelUse.DEV):
        yield f"is_hidden = {_write(labels.is_hidden)}"


def _write(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat().replace("+00:00", "Z")
    if isinstance(value, tuple):
        return f"[{', '.join(map(_write, value))}]"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace(DELETE, "\\u007f")
    return repr(value)
