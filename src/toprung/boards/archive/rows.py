"""What does a row of a table say? Asked field by field; a row that says something else is named with its line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NoReturn

from toprung.errors import FormatError
from toprung.words.visible import in_one_line


@dataclass(frozen=True, kw_only=True)
class Row:
    """One row, and where it stands."""

    source: str
    line: int | None
    values: dict[str, Any]

    def __getitem__(self, name: str) -> Any:
        if name not in self.values:
            self.refuse(f"no '{name}'", "all fields of the table")
        return self.values[name]

    def text(self, name: str) -> str:
        value = self[name]
        if not isinstance(value, str):
            self.refuse(f"{name} {_show(value)}", "a text")
        return value

    def text_or_none(self, name: str) -> str | None:
        return None if self[name] is None else self.text(name)

    def texts(self, name: str) -> tuple[str, ...]:
        value = self[name]
        if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
            self.refuse(f"{name} {_show(value)}", "texts")
        return tuple(value)

    def whole(self, name: str) -> int:
        value = self[name]
        if not isinstance(value, int) or isinstance(value, bool):
            self.refuse(f"{name} {_show(value)}", "a whole number")
        return value

    def is_so(self, name: str) -> bool:
        value = self[name]
        if not isinstance(value, bool):
            self.refuse(f"{name} {_show(value)}", "true or false")
        return value

    def one_of(self, name: str, known: Any, what: str) -> str:
        """A name that must stand elsewhere in the bundle."""
        value = self.text(name)
        if value not in known:
            self.refuse(f"{name} '{value[:80]}'", f"{what} that is in the bundle")
        return value

    def labels(self, name: str = "labels") -> tuple[str, str, int]:
        """Which set of labels: use, name, version."""
        value = self[name]
        if (
            not isinstance(value, list)
            or len(value) != 3
            or not isinstance(value[0], str)
            or not isinstance(value[1], str)
            or not isinstance(value[2], int)
        ):
            self.refuse(f"{name} {_show(value)}", "use, name and version of labels")
        return value[0], value[1], value[2]

    def refuse(self, found: str, expected: str) -> NoReturn:
        raise FormatError(source=self.source, line=self.line, found=in_one_line(found), expected=expected)


def _show(value: object) -> str:
    return repr(value)[:80]
