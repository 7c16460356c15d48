"""Is every line of a state's file what it should be? If not, the file and the line are named."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from toprung.errors import FormatError, InputError
from toprung.labels.effort.store import RecordStore


def parse_records[T](store: RecordStore, kind: str, parse: Callable[[dict[str, Any]], T], *, after: int = 0) -> list[T]:
    """Each record but the first so many as ``parse`` reads it; what that refuses is a `FormatError`, with its line."""
    found = []
    for number, record in enumerate(store.read(kind, after=after), start=after + 1):
        try:
            found.append(parse(record))
        except InputError as error:
            source = store.name_of(kind)
            raise FormatError(source=source, line=number, found=str(error), expected="it as it was written") from None
    return found
