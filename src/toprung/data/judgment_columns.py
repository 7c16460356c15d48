"""Judgments as columns: what many of them are counted by. Which fields there are, and how a line of JSON holds them."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import polars as pl

COLUMNS: dict[str, type] = {
    **dict.fromkeys(("judgment_id", "query_id", "left", "right", "choice", "assessor", "kind", "task_id"), str),
    "slot": int,
    "is_gold": bool,
    "ms": int,
    "supersedes": str,
}
"""The fields of a judgment, in the order of its record; ``assessor`` is never null, and neither is ``is_gold``."""
MAY_BE_MISSING = ("assessor", "task_id", "slot", "ms", "supersedes")
ESCAPED = r'["\\\x00-\x1f\x7f]|[^\x00-\x7f]'
"""Characters that a line of the digest, in ASCII, does not hold as they are."""


def schema() -> pl.Schema:
    """The same as Polars calls them."""
    from toprung.extras.frames import pl

    types: dict[type, type[pl.DataType]] = {str: pl.String, int: pl.Int64, bool: pl.Boolean}
    return pl.Schema({name: types[kind] for name, kind in COLUMNS.items()})


def to_columns(rows: Sequence[Any]) -> pl.DataFrame:
    """The columns of `Judgment` records."""
    from toprung.extras.frames import pl

    return pl.DataFrame({name: [getattr(each, name) for each in rows] for name in COLUMNS}, schema=schema())


def current_of(columns: pl.DataFrame) -> pl.DataFrame:
    """Those that no other one supersedes."""
    from toprung.extras.frames import pl

    superseded = columns["supersedes"].drop_nulls()
    return columns if superseded.is_empty() else columns.filter(~pl.col("judgment_id").is_in(superseded.implode()))


def to_lines(columns: pl.DataFrame) -> pl.Series:
    """Each judgment as a line of JSON, as ``json.dumps`` writes its record if no text needs to be escaped."""
    from toprung.extras.frames import pl

    parts: list[pl.Expr] = []
    for name, kind in COLUMNS.items():
        value = pl.lit("true") if name == "is_gold" else pl.col(name).cast(pl.String)
        quotes = '"' if kind is str else ""
        said = pl.concat_str(pl.lit(f'{", " if parts else "{"}"{name}": {quotes}'), value, pl.lit(quotes))
        parts.append(pl.when(_is_said(name)).then(said).otherwise(pl.lit("")) if _may_be_left_out(name) else said)
    return columns.select(pl.concat_str(*parts, pl.lit("}")).alias("line")).to_series()


def _may_be_left_out(name: str) -> bool:
    return name == "is_gold" or name in MAY_BE_MISSING


def _is_said(name: str) -> pl.Expr:
    from toprung.extras.frames import pl

    if name == "is_gold":
        return pl.col(name)
    return pl.col(name).is_not_null() & (pl.col(name) != "") if COLUMNS[name] is str else pl.col(name).is_not_null()


def needs_escapes(columns: pl.DataFrame) -> pl.Series:
    """Whether a text of a judgment is written otherwise in a line of ASCII."""
    from toprung.extras.frames import pl

    texts: Iterable[str] = (name for name, kind in COLUMNS.items() if kind is str)
    found = columns.select(
        pl.any_horizontal(pl.col(name).str.contains(ESCAPED).fill_null(value=False) for name in texts)
    )
    return found.to_series()


def has_escapes(data: bytes, columns: pl.DataFrame) -> bool:
    """Whether lines hold more than the texts of these judgments as they are: a quote, a backslash, a control."""
    codes = np.frombuffer(data, dtype=np.uint8)
    n_quotes, n_controls = np.count_nonzero(codes == ord('"')), np.count_nonzero(codes < ord(" "))
    return b"\\" in data or n_quotes != _count_quotes(columns) or n_controls != data.count(b"\n")


def is_plain(text: bytes) -> bool:
    """Whether JSON in ASCII holds the text as it is, if it has no escapes."""
    return text.isascii() and b"\x7f" not in text


def joined(lines: pl.Series) -> bytes:
    """All lines, each with its end."""
    text = io.BytesIO()
    lines.to_frame().write_csv(text, include_header=False, quote_style="never")
    return text.getvalue()


def _count_quotes(columns: pl.DataFrame) -> int:
    """How many there are if none is in a text: two for each key and two for each text."""
    n = 0
    for name, kind in COLUMNS.items():
        n_said = int(columns.select(_is_said(name).sum()).item()) if _may_be_left_out(name) else len(columns)
        n += n_said * (4 if kind is str else 2)
    return n
