"""What does this JSON say? Read without surprises: nothing twice, no infinite number, nothing that cannot be stored."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO

from toprung.errors import FormatError

LONGEST_LINE = 64 << 20
"""Bytes of one row: a stored page with its figures stays far below."""
_NOT_STORABLE = re.compile(rb"(?<!\\)(?:\\\\)*\\u(?:0000|[dD][89a-fA-F])")
"""Escapes of NUL, which databases refuse, and of halves of characters, which are no text."""


def write_json(value: Any, *, indent: int | None = None) -> bytes:
    """One way to write a value: keys in the order they come, as UTF-8, ended by a line break."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, indent=indent)
    return text.encode() + b"\n"


def read_json(data: bytes, *, source: str, line: int | None = None) -> Any:
    """The value; a FormatError says where and why there is none."""
    try:
        if b"\\u" in data and _NOT_STORABLE.search(data):
            raise ValueError("a character that cannot be stored")
        if b"\x00" in data:
            raise ValueError("a NUL")
        return json.loads(
            data.decode(), object_pairs_hook=_each_once, parse_constant=_refuse_constant, parse_float=_read_float
        )
    except RecursionError:
        why = "values nested too deeply"
    except UnicodeDecodeError:
        why = "bytes that are no UTF-8"
    except json.JSONDecodeError as error:
        why = f"something else at character {error.pos:,} ({error.msg})"
    except ValueError as error:
        why = str(error).partition("\n")[0]
    raise FormatError(source=source, line=line, found=why, expected="JSON")


def read_object(data: bytes, *, source: str, line: int | None = None) -> dict[str, Any]:
    found = read_json(data, source=source, line=line)
    if not isinstance(found, dict):
        raise FormatError(source=source, line=line, found=f"a {type(found).__name__}", expected="a JSON object")
    return found


def read_lines(file: BinaryIO, *, source: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Each row with the number of its line."""
    number = 0
    while line := file.readline(LONGEST_LINE + 1):
        number += 1
        if len(line) > LONGEST_LINE:
            raise FormatError(
                source=source, line=number, found="a line without an end", expected=f"at most {LONGEST_LINE:,} bytes"
            )
        if not line.endswith(b"\n"):
            raise FormatError(source=source, line=number, found="no line break at its end", expected="one")
        yield number, read_object(line, source=source, line=number)


def write_lines(rows: Iterable[dict[str, Any]]) -> Iterator[bytes]:
    return (write_json(row) for row in rows)


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key twice")
    return found


def _refuse_constant(text: str) -> float:
    raise ValueError(f"the number {text}")


def _read_float(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"the number {text[:20]}")
    return value
