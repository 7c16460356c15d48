"""What does an answer say? Its fields, each checked as it is read: a server may be another than one thinks."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from toprung.errors import InputError
from toprung.words.visible import in_one_line


@dataclass(frozen=True, kw_only=True)
class Record:
    """A JSON object of an answer, and whose answer it is."""

    fields: Mapping[str, Any]
    source: str

    def text(self, name: str) -> str:
        """In one line, with nothing unseen in it; empty where there is none."""
        value = self.fields.get(name)
        if value is None:
            return ""
        if not isinstance(value, str):
            raise self._error(name, "text")
        return in_one_line(value)

    def whole(self, name: str) -> int:
        value = self.fields.get(name)
        if not isinstance(value, int) or isinstance(value, bool):
            raise self._error(name, "a whole number")
        return value

    def number(self, name: str) -> float | None:
        value = self.fields.get(name)
        if value is None:
            return None
        if not _is_number(value):
            raise self._error(name, "a number or nothing")
        return float(value)

    def claim(self, name: str) -> bool:
        """Whether something is so; what is not said is not so."""
        value = self.fields.get(name)
        if value is not None and not isinstance(value, bool):
            raise self._error(name, "true or false")
        return bool(value)

    def day(self, name: str) -> date | None:
        """The day of a date or a time."""
        text = self.text(name)
        try:
            return date.fromisoformat(text[:10]) if text else None
        except ValueError:
            raise self._error(name, "a date") from None

    def identifier(self, name: str) -> str:
        """A number or a name, as it stands in a path."""
        value = self.fields.get(name)
        text = str(value) if isinstance(value, int | str) and not isinstance(value, bool) else ""
        if not text.replace("-", "").replace("_", "").isalnum() or not text.isascii():
            raise self._error(name, "an identifier")
        return text

    def texts(self, name: str) -> tuple[str, ...]:
        values = self._list(name)
        if not all(isinstance(value, str) for value in values):
            raise self._error(name, "a list of texts")
        return tuple(in_one_line(value) for value in values)

    def records(self, name: str) -> tuple[Record, ...]:
        values = self._list(name)
        if not all(isinstance(value, dict) for value in values):
            raise self._error(name, "a list of objects")
        return tuple(Record(fields=value, source=self.source) for value in values)

    def record(self, name: str) -> Record:
        """What stands there; one without fields where there is nothing."""
        value = self.fields.get(name)
        if value is not None and not isinstance(value, dict):
            raise self._error(name, "an object or nothing")
        return Record(fields=value or {}, source=self.source)

    def numbers(self, name: str) -> tuple[float, ...]:
        values = self._list(name)
        if not all(map(_is_number, values)):
            raise self._error(name, "a list of numbers")
        return tuple(float(value) for value in values)

    def _list(self, name: str) -> list[Any]:
        value = self.fields.get(name)
        if value is None:
            return []
        if not isinstance(value, list):
            raise self._error(name, "a list")
        return value

    def _error(self, name: str, expected: str) -> InputError:
        found = "nothing" if self.fields.get(name) is None else "something else"
        return InputError(
            f"{self.source}: found {found} as '{name}' in the answer; expected {expected}. "
            "Is it a Toprung board, and no older than this toprung?"
        )


def _is_number(value: object) -> bool:
    """Whether it is one that a float can hold; a whole number in JSON may be longer."""
    if not isinstance(value, int | float) or isinstance(value, bool):
        return False
    try:
        return math.isfinite(value)
    except OverflowError:
        return False
