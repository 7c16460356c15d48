"""Which columns of this table are the queries, documents and scores? Translates frames at the edge.

Takes Polars and pandas frames with the column names of Toprung, ir_measures, PyTerrier and BEIR.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain
from typing import TYPE_CHECKING, Any

from toprung.errors import FormatError

if TYPE_CHECKING:
    import polars as pl

LARGEST_GRADE = 10**9 - 1
NAMES = {
    "query_id": ("query_id", "qid", "query-id"),
    "doc_id": ("doc_id", "docno", "docid", "corpus-id"),
    "score": ("score",),
    "rank": ("rank",),
    "grade": ("grade", "relevance", "label", "score"),
}

COLUMNS_OF_QRELS = ("query_id", "doc_id", "grade")


def is_frame(candidate: object) -> bool:
    """Whether this is a Polars or pandas frame."""
    return type(candidate).__module__.split(".")[0] in {"polars", "pandas"} and hasattr(candidate, "columns")


def to_run_columns(frame: Any, *, source: str) -> pl.DataFrame:
    """A run's frame with the columns query_id, doc_id and score, or rank where there is no score."""
    columns = _translate(frame, _columns_of_run(frame), source)
    return _with_texts(columns, source).pipe(_with_numbers, columns.columns[2], source)


def run_column_names(frame: Any, *, source: str) -> list[str]:
    """What the columns that ``to_run_columns`` reads are called in this frame; refuses one that lacks any."""
    return list(_names_in(frame, _columns_of_run(frame), source).values())


def qrels_column_names(frame: Any, *, source: str) -> list[str]:
    """The same for ``to_qrels_columns``."""
    return list(_names_in(frame, COLUMNS_OF_QRELS, source).values())


def _columns_of_run(frame: Any) -> tuple[str, str, str]:
    return "query_id", "doc_id", "score" if _find(frame, "score") or not _find(frame, "rank") else "rank"


def to_qrels_columns(frame: Any, *, source: str) -> pl.DataFrame:
    """A label frame with the columns query_id, doc_id and grade."""
    columns = _translate(frame, COLUMNS_OF_QRELS, source)
    return _with_texts(columns, source).pipe(_with_numbers, "grade", source)


def check_ids(by_query: Mapping[Any, Mapping[Any, Any]], source: str) -> None:
    """Refuse dicts whose keys are not texts: 1 and "1" would silently be two queries; and what is no dict of dicts."""
    for query_id, docs in by_query.items():
        if not isinstance(docs, Mapping):
            raise FormatError(
                source=source,
                found=f"a {type(docs).__name__} for query {query_id!r}",
                expected="a dict with a number for each document, such as {'q1': {'d1': 1}}",
            )
    if {*map(type, by_query), *map(type, chain.from_iterable(by_query.values()))} <= {str}:
        return
    for an_id in (an_id for query_id, docs in by_query.items() for an_id in (query_id, *docs)):
        if not isinstance(an_id, str):
            raise FormatError(source=source, found=f"the id {an_id!r}", expected="texts as query and document ids")


def _find(frame: Any, column: str) -> str | None:
    return next((name for name in NAMES[column] if name in frame.columns), None)


def _names_in(frame: Any, wanted: tuple[str, ...], source: str) -> dict[str, str]:
    """By column of Toprung, what it is called in this frame."""
    found = {column: _find(frame, column) for column in wanted}
    missing = [column for column, name in found.items() if name is None]
    if missing:
        raise FormatError(
            source=source,
            found=f"the columns {', '.join(map(str, frame.columns))}",
            expected="; ".join(f"one called {' or '.join(_names_for(column))}" for column in missing),
            advice="Rename the columns of the frame.",
        )
    return {column: name for column, name in found.items() if name is not None}


def _translate(frame: Any, wanted: tuple[str, ...], source: str) -> pl.DataFrame:
    from toprung.extras.frames import pl

    found = _names_in(frame, wanted, source)
    if isinstance(frame, pl.DataFrame):
        return frame.select(pl.col(name).alias(column) for column, name in found.items())
    # Column by column through lists: pandas is read without needing pyarrow, whatever its string type.
    return pl.DataFrame({column: _from_pandas(frame[name], column, source) for column, name in found.items()})


def _names_for(column: str) -> tuple[str, ...]:
    return (*NAMES["score"], *NAMES["rank"]) if column == "score" else NAMES[column]


def _from_pandas(values: Any, column: str, source: str) -> pl.Series:
    from toprung.extras.frames import pl

    # NaN in a column of floats is a number, which check_rows refuses with its row; elsewhere it means missing.
    is_missing = [False] * len(values) if values.dtype.kind == "f" else values.isna().tolist()
    try:
        texts_or_none = [None if gone else value for gone, value in zip(is_missing, values.tolist(), strict=True)]
        return pl.Series(texts_or_none, strict=True)
    except (TypeError, OverflowError):
        found = f"{column} with values of several types"
        raise FormatError(source=source, found=found, expected="values of one type, none missing") from None


def _with_texts(frame: pl.DataFrame, source: str) -> pl.DataFrame:
    """Ids as text; whole numbers are taken as they print, since other tools load them so."""
    from toprung.extras.frames import pl

    for column in ("query_id", "doc_id"):
        ids = frame[column]
        if ids.null_count() or not (ids.dtype.is_integer() or ids.dtype in (pl.String, pl.Categorical, pl.Enum)):
            raise FormatError(
                source=source,
                found=f"{column} of type {ids.dtype} with {ids.null_count()} missing values",
                expected="texts or whole numbers, none missing",
            )
    return frame.with_columns(pl.col("query_id", "doc_id").cast(pl.String))


def _as_whole(values: pl.Series) -> pl.Series:
    """Whole numbers that are held as floats, as whole numbers: so some data sets keep their grades."""
    from toprung.extras.frames import pl

    is_whole = values.dtype.is_float() and bool((values.is_finite() & (values == values.round())).all())
    return values.cast(pl.Int64) if is_whole and not values.null_count() else values


def _with_numbers(frame: pl.DataFrame, column: str, source: str) -> pl.DataFrame:
    from toprung.extras.frames import pl

    is_whole = column in ("rank", "grade")
    values = _as_whole(frame[column]) if column == "grade" else frame[column]
    is_fine = values.dtype.is_integer() or (values.dtype.is_float() and not is_whole)
    if values.null_count() or not is_fine:
        raise FormatError(
            source=source,
            found=f"{column} of type {values.dtype} with {values.null_count()} missing values",
            expected=f"{'whole ' if is_whole else ''}numbers, none missing",
        )
    if column == "grade" and not values.is_between(-LARGEST_GRADE, LARGEST_GRADE).all():
        raise FormatError(
            source=source,
            found=f"grades from {values.min()!r} to {values.max()!r}",
            expected="whole numbers of at most 9 digits",
        )
    if column == "rank" and not values.is_between(1, 2**31 - 1).all():
        raise FormatError(
            source=source, found=f"ranks from {values.min()!r} to {values.max()!r}", expected="ranks from 1"
        )
    return frame.with_columns(values.cast(pl.Int64 if is_whole else pl.Float64).alias(column))
