"""What does a cell of a table say? A day, a finite number, yes or no: None where it says none of that."""

from __future__ import annotations

import math
import re
from datetime import date

A_DAY = "a day such as 2020-08-11 or 2020/08/11"
DATE = re.compile(r"(\d{4})([-/])(\d{1,2})\2(\d{1,2})", re.ASCII)
CLAIMS = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}


def to_day(text: str) -> date | None:
    """A day, in either of two ways to write it.

    >>> to_day("2020-08-11") == to_day("2020/8/11"), to_day("2020-02-30"), to_day("soon")
    (True, None, None)
    """
    match = DATE.fullmatch(text)
    try:
        return None if match is None else date(int(match[1]), int(match[3]), int(match[4]))
    except ValueError:
        return None


def to_number(text: str) -> float | None:
    """A finite number.

    >>> to_number("2.5e3"), to_number("inf"), to_number("1_000"), to_number("$3")
    (2500.0, None, None, None)
    """
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) and "_" not in text else None


def to_claim(text: str) -> bool | None:
    """Yes or no.

    >>> to_claim("Yes"), to_claim("0"), to_claim("perhaps")
    (True, False, None)
    """
    return CLAIMS.get(text.lower())
