"""Is every line of a state's file what it should be? If not, the file and the line are named."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from toprung.errors import FormatError, InputError
from toprung.labels.effort.effort import Effort


def parse_records[T](effort: Effort, kind: str, parse: Callable[[dict[str, Any]], T]) -> list[T]:
    """Each record as ``parse`` reads it; what it refuses as an `InputError` is a `FormatError` here."""
    found = []
    for number, record in enumerate(effort.read(kind), start=1):
        try:
            found.append(parse(record))
        except InputError as error:
            source = str(effort.path_of(kind))
            raise FormatError(source=source, line=number, found=str(error), expected="it as it was written") from None
    return found
