"""How are figures said? The decimals and words that every result uses."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import date
from pathlib import Path

from toprung.arrays import np

MINUS = "−"
MOST_DIGITS = 17
"""Which tell any number from its neighbours."""


def say_p(p: float) -> str:
    """A p-value with its relation.

    >>> say_p(0.0234), say_p(0.00123), say_p(1e-9)
    ('p = 0.023', 'p = 0.0012', 'p < 0.0001')
    """
    return f"p {show_p(p)}" if p < 0.0001 else f"p = {show_p(p)}"


def show_p(p: float) -> str:
    """A p-value for a table."""
    if math.isnan(p):
        return "–"
    if p < 0.0001:
        return "< 0.0001"
    return f"{p:.4f}" if p < 0.01 else f"{p:.3f}"


def show_share(share: float) -> str:
    """A share in percent."""
    return "–" if math.isnan(share) else f"{100 * share:.1f}%"


def show_number(value: float, decimals: int, *, signed: bool = False) -> str:
    """A number with a true minus, and a sign where it is a difference."""
    if math.isnan(value):
        return "–"
    if math.isinf(value):
        return "∞" if value > 0 else f"{MINUS}∞"
    value = round(value, decimals) + 0.0  # never a negative zero
    text = f"{value:+.{decimals}f}" if signed else f"{value:.{decimals}f}"
    return text.replace("-", MINUS)


def show_level(level: float) -> str:
    """Two significant digits, never in powers of ten."""
    return _significant(level, 2)


def show_p_and_level(p: float, level: float, *, digits: int = 2) -> tuple[str, str]:
    """A p-value and the level it is held to, with as many digits as show which of them is lower.

    ``digits`` is how many significant digits the level has at least.

    >>> show_p_and_level(0.0123, 0.0471), show_p_and_level(0.00097, 0.0009756), show_p_and_level(0.00004, 0.00002)
    (('0.012', '0.047'), ('0.00097', '0.000976'), ('0.00004', '0.00002'))
    """
    texts = show_p(p), _significant(level, digits)
    for more in range(max(digits, 3), MOST_DIGITS + 1):
        shown_p, shown_level = (float(text.removeprefix("< ")) for text in texts)
        is_told = shown_p <= shown_level if p <= level else not texts[0].startswith("<") and shown_p > shown_level
        if is_told or math.isnan(p):
            break
        texts = _significant(p, more), _significant(level, more)
    return texts


def _significant(value: float, digits: int) -> str:
    return np.format_float_positional(value, precision=digits, fractional=False, trim="-")


def show_confidence(confidence: float) -> str:
    """The confidence of an interval, which is never 100%.

    >>> show_confidence(0.95), show_confidence(1 - 0.01), show_confidence(0.9999999)
    ('95%', '99%', '99.99999%')
    """
    short = f"{100 * confidence:.10g}"
    return f"{100 * confidence:.16g}%" if short == "100" else f"{short}%"


def show_interval(low: float, high: float, decimals: int) -> str:
    """An interval, as it stands in parentheses behind its estimate."""
    return f"{show_number(low, decimals)} to {show_number(high, decimals)}"


def show_rank_range(low: int, high: int) -> str:
    """The ranks a run may have, or the one it has.

    >>> show_rank_range(1, 4), show_rank_range(2, 2)
    ('1–4', '2')
    """
    return str(low) if low == high else f"{low}–{high}"


def say_since(when: date | None) -> str:
    """Since when, if that is known."""
    return "" if when is None else f" since {when:%Y-%m-%d}"


def say_changes(n: int) -> str:
    """How often the top changed hands."""
    often = {1: "once", 2: "twice"}.get(n, f"{n} times")
    return f"changed hands {often}" if n else "never changed hands"


def say_type(given: object) -> str:
    """What kind of thing was given, with its article.

    >>> say_type({}), say_type(1)
    ('a dict', 'an int')
    """
    name = type(given).__name__
    return f"{'an' if name[0].upper() in 'AEIOU' else 'a'} {name}"


def say_file(source: str) -> str:
    """A file by its name alone, for its folders concern nobody else; what is no file as it is.

    >>> say_file("/home/me/qrels.txt"), say_file("irds:antique/test"), say_file("labels")
    ('qrels.txt', 'irds:antique/test', 'labels')
    """
    return source if source.startswith("irds:") else Path(source).name


def say_count(n: int, noun: str, plural: str = "") -> str:
    """How many, with the noun in the right number.

    >>> say_count(1, "run"), say_count(1200, "query", "queries")
    ('1 run', '1,200 queries')
    """
    return f"{n:,} {noun if n == 1 else plural or f'{noun}s'}"


def show_size(size: int) -> str:
    """A size that people read.

    >>> show_size(11_900_000), show_size(5_300), show_size(1)
    ('11.9 MB', '5.3 kB', '1 byte')
    """
    for unit, step in (("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if size >= step:
            return f"{size / step:.1f} {unit}"
    return say_count(size, "byte")


def fit(name: str, width: int) -> str:
    """A name cut to a width.

    >>> fit("a rather long name", 10), fit("short", 10)
    ('a rather …', 'short')
    """
    return name if len(name) <= width else f"{name[: width - 1]}…"


def say_queries(n: int) -> str:
    """How many queries.

    >>> say_queries(1), say_queries(2)
    ('1 query', '2 queries')
    """
    return say_count(n, "query", "queries")


def list_names(names: list[str], most: int = 5) -> str:
    """Names in a sentence; many are counted.

    >>> list_names(["a", "b", "c"]), list_names(["a", "b", "c", "d"], most=2)
    ('a, b and c', 'a, b and 2 more')
    """
    shown = names if len(names) <= most else [*names[:most], f"{len(names) - most} more"]
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"


def fit_names(names: Sequence[str], width: int) -> str:
    """As many names as fit, then how many more there are.

    >>> fit_names(["first", "second", "third"], width=20), fit_names([], width=20)
    ('first and 2 more', '')
    """
    if not names:
        return ""
    total = list_names(list(names), most=len(names))
    if len(total) <= width:
        return total
    fitting = [most for most in range(1, min(len(names), width)) if len(list_names(list(names), most=most)) <= width]
    return list_names(list(names), most=max(fitting, default=1))
