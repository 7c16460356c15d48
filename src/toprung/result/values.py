"""What can JSON hold of a value?"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from datetime import date
from enum import Enum
from typing import Any

AS_THEY_ARE = frozenset({str, int, bool, type(None)})


def json_safe(value: Any) -> Any:
    """The same as JSON can hold it: no NaN or infinity, dates as text; through dicts, lists, tuples and data classes.

    >>> json_safe({"p": float("nan"), "when": date(2021, 5, 1), "n": [1, 2]})
    {'p': None, 'when': '2021-05-01', 'n': [1, 2]}
    """
    if type(value) in AS_THEY_ARE:
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, list | tuple):
        return all_json_safe(value)
    if not isinstance(value, date | Enum) and isinstance(value, Mapping):  # the second takes longer to ask
        return {plain(key): json_safe(each) for key, each in value.items()}
    if is_dataclass(value):
        return {each.name: json_safe(getattr(value, each.name)) for each in fields(value)}
    return plain(value)


def all_json_safe(values: Iterable[Any]) -> list[Any]:
    """The same of many values. Most are texts and numbers, for which a call of their own takes longest."""
    return [value if type(value) in AS_THEY_ARE else json_safe(value) for value in values]


def all_finite(values: Iterable[Any]) -> list[Any]:
    """Values as they are, but None for numbers that are not finite."""
    return [None if isinstance(value, float) and not math.isfinite(value) else value for value in values]


def as_type(value: Any, of: type[Any]) -> Any:
    """The value as one of this type; None and dates stay what they are.

    >>> as_type(1, float), as_type(None, str), as_type(("a", "b"), list)
    (1.0, None, ['a', 'b'])
    """
    if value is None or isinstance(value, date):
        return value
    return of(value.value if isinstance(value, Enum) else value)


def plain(value: Any) -> Any:
    """A date as text, a member of an enum as its value, what NumPy holds as what Python holds."""
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Enum):
        return value.value
    return json_safe(value.tolist()) if hasattr(value, "tolist") else value
