"""Reads a ``board.toml`` that was sent, in a child process: no database, no Django."""

from __future__ import annotations

import tomllib
from datetime import date, datetime, time
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


MOMENT = ""
"""The key of a table that stands for a day or a time, which JSON does not have."""


def send_toml(content: bytes) -> dict[str, Any]:
    """The same as a child sends it back; `receive_toml` makes it what it was."""
    return {key: _mark(value) for key, value in parse_toml(content).items()}


def receive_toml(sent: Any) -> Any:
    if isinstance(sent, list):
        return [receive_toml(each) for each in sent]
    if isinstance(sent, dict):
        moment = sent.get(MOMENT)
        if isinstance(moment, str):
            return _to_moment(moment)
        return {key: receive_toml(value) for key, value in sent.items()}
    return sent


def _mark(value: Any) -> Any:
    if isinstance(value, list):
        return [_mark(each) for each in value]
    if isinstance(value, dict):
        return {key: _mark(each) for key, each in value.items()}
    return {MOMENT: value.isoformat()} if isinstance(value, date | time) else value


def _to_moment(text: str) -> date | time | str:
    for kind in (date, datetime, time):
        try:
            return kind.fromisoformat(text)
        except ValueError:
            continue
    return text


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
