"""Judgments as an effort keeps them: the lines that this program wrote itself, read as columns.

Nearly every state was written here and by nothing else. So the columns are read without a look at types and keys, the
lines that they would make are written again, and only if these are the file, byte for byte, it has been understood.
Whatever else it holds (an edit by hand, an escaped character, rubbish) is read record by record, which names faults.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toprung.data.judgment_columns import has_escapes, is_plain, joined, schema, to_lines
from toprung.data.judgments import CHOICES, KINDS, LARGEST_COUNT, Judgments

if TYPE_CHECKING:
    import polars as pl

IDS = ("judgment_id", "query_id", "left", "right")


def parse_kept(data: bytes) -> Judgments | None:
    """All judgments, the first of those with one id; None unless each line is what would be written."""
    from toprung.extras.frames import pl

    if not data.endswith(b"\n"):
        return None
    try:
        found = pl.read_ndjson(data, schema=schema())
    except (pl.exceptions.PolarsError, OverflowError):
        return None
    found = found.with_columns(pl.col("assessor").fill_null(""), pl.col("is_gold").fill_null(value=False))
    if found.is_empty() or not _are_right(found):
        return None
    lines = to_lines(found)
    if joined(lines) != data or has_escapes(data, found):
        return None
    if found["judgment_id"].is_unique().all():
        return Judgments(found, lines if is_plain(data) else None)
    return Judgments(found.unique("judgment_id", keep="first", maintain_order=True))


def _are_right(found: pl.DataFrame) -> bool:
    """Whether no value is one that a judgment cannot have."""
    from toprung.extras.frames import pl

    needed = [pl.col(name).is_not_null() & (pl.col(name) != "") for name in IDS]
    known = [
        pl.col("choice").is_in(list(CHOICES)),
        pl.col("kind").is_in(list(KINDS)),
        pl.col("left") != pl.col("right"),
    ]
    counts = [pl.col(name).is_null() | pl.col(name).is_between(0, LARGEST_COUNT) for name in ("slot", "ms")]
    others = [pl.col(name).is_null() | (pl.col(name) != "") for name in ("task_id", "supersedes")]
    is_right = pl.all_horizontal(*needed, *known, *counts, *others).fill_null(value=False)
    return bool(found.select(is_right.all()).item())
