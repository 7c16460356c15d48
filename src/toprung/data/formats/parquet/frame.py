"""The pages of a column as a series of Polars, of which no text is copied."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toprung.data.formats import _scan
from toprung.data.formats.arrow_arrays import ArrowArray
from toprung.data.formats.parquet.pages import Page, WantedColumn

if TYPE_CHECKING:
    import polars as pl


def to_series(wanted: WantedColumn, pages: tuple[Page, ...]) -> pl.Series:
    """All values of a column, under its name."""
    from toprung.extras.frames import pl

    are_doubles = wanted.as_double
    dtype = pl.String if wanted.as_text else pl.Float64 if are_doubles else pl.Int64
    if not pages:
        return pl.Series(wanted.note.name, [], dtype=dtype)
    capsules = (_scan.page_array(page.to_tuple(), wanted.as_text, are_doubles) for page in pages)
    series = pl.concat([pl.Series(ArrowArray(both)) for both in capsules], rechunk=False)
    return series.alias(wanted.note.name)
