"""What can JSON hold of a value?"""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import date
from typing import Any


def json_safe(value: Any) -> Any:
    """The same as JSON can hold it: no NaN or infinity, dates as text; through dicts, lists and tuples.

    >>> json_safe({"p": float("nan"), "when": date(2021, 5, 1), "n": [1, 2]})
    {'p': None, 'when': '2021-05-01', 'n': [1, 2]}
    """
    if isinstance(value, Mapping):
        return {key: json_safe(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [json_safe(each) for each in value]
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value.isoformat() if isinstance(value, date) else value
