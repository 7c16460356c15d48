"""What stands in a ``board.toml`` that was sent? Told by a child process: no database, no Django."""

from __future__ import annotations

import tomllib
from typing import Any

from toprung.errors import InputError

SECONDS = 10
"""Of processor time: the parser takes minutes for a megabyte of ``a.a.a.a``."""
MOST_VALUES = 1_000
"""Far more than a board has settings and label files."""
DEEPEST = 3
"""A table, in the list of label files, in the file."""


def parse_toml(content: bytes) -> dict[str, Any]:
    """The keys and values; an InputError says what else it is."""
    try:
        said = tomllib.loads(content.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise InputError(f"found a byte on line {line} that is not UTF-8; expected text in UTF-8.") from None
    except ValueError as error:  # also of a number that is too long to be read
        raise InputError(f"found text that is not TOML ({error}); expected keys and values, see the docs.") from None
    except RecursionError:
        raise _too_deep() from None
    _check_size(said)
    return said


def _check_size(said: dict[str, Any]) -> None:
    """Level by level: what is nested without end ends whatever walks through it."""
    level: list[Any] = [said]
    n_values = 0
    for _ in range(DEEPEST + 1):
        level = [value for each in level for value in _values_in(each)]
        n_values += len(level)
        if n_values > MOST_VALUES:
            raise InputError(f"found more than {MOST_VALUES:,} values; expected the settings of a board, see the docs.")
    if any(_values_in(each) for each in level):
        raise _too_deep()


def _values_in(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []


def _too_deep() -> InputError:
    return InputError("found values nested too deeply; expected keys and values, see the docs.")
