"""Can a value be written down? JSON can hold what no text file can."""

from __future__ import annotations

from typing import Any


def is_text(value: Any) -> bool:
    """Whether a value of JSON is text that UTF-8 can hold: half of a surrogate pair is none."""
    return isinstance(value, str) and (value.isascii() or not any("\ud800" <= each <= "\udfff" for each in value))
