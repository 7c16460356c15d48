"""Write a run to a file: whole or not at all."""

from __future__ import annotations

import bz2
import errno
import gzip
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, cast

from toprung.data.formats.runs.parquet import write_parquet_run
from toprung.data.formats.runs.recognise import RunFormat
from toprung.errors import InputError

if TYPE_CHECKING:
    import polars as pl

    from toprung.data.run import Run


def is_stream(path: str | os.PathLike[str]) -> bool:
    """Whether this is a pipe or a device, such as /dev/stdout, which takes what is written as it comes."""
    place = Path(path)
    return place.exists() and not place.is_file() and not place.is_dir()


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[Path]:
    """A file beside ``path`` to write to; it takes its place only when all went well.

    A link stays, and what it leads to is replaced. A stream is written to at once, for nothing may take its place.
    """
    target = Path(path)
    if target.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(target))
    if is_stream(target):
        yield target
        return
    if target.is_symlink():
        target = target.resolve()
    partial = target.with_name(f".{target.name}.partial")
    try:
        yield partial
        partial.replace(target)
    except OSError as error:
        if error.filename:
            error.filename = os.fspath(path)  # the name that was asked for
        raise
    finally:
        partial.unlink(missing_ok=True)


def write_frame(run: Run, target: Path, run_format: RunFormat, *, compression: str) -> None:
    if run_format is RunFormat.PARQUET:
        if compression:
            raise InputError(f"Found {compression} on a Parquet file; Parquet is compressed already: leave it out.")
        write_parquet_run(run, target)
        return
    frame = run.to_frame()
    _refuse_ids_with_blanks(frame)
    table = _trec_columns(run, frame) if run_format is RunFormat.TREC else frame.select("query_id", "doc_id", "rank")
    separator = " " if run_format is RunFormat.TREC else "\t"
    with _open_packed(target, compression) as file:
        table.write_csv(file, include_header=False, separator=separator, quote_style="never")


def _refuse_ids_with_blanks(frame: pl.DataFrame) -> None:
    from toprung.extras.frames import pl

    for column in ("query_id", "doc_id"):
        bad = frame.filter(~pl.col(column).str.contains(r"^[^\x00-\x20]+$"))
        if bad.height:
            raise InputError(
                f"Found {column} {bad[column][0]!r}; a text file cannot hold ids that are empty or with blanks."
            )


def _trec_columns(run: Run, frame: pl.DataFrame) -> pl.DataFrame:
    from toprung.extras.frames import pl

    if run.scores is None:
        frame = frame.with_columns(score=1.0 / pl.col("rank"))
    tag = re.sub(r"[\s\x00-\x1f]+", "_", run.tag or run.name) or "run"
    return frame.select("query_id", pl.lit("Q0").alias("Q0"), "doc_id", "rank", "score", pl.lit(tag).alias("tag"))


def _open_packed(target: Path, compression: str) -> IO[bytes]:
    if compression == ".gz":
        return cast("IO[bytes]", gzip.open(target, "wb", compresslevel=6))
    if compression == ".bz2":
        return bz2.open(target, "wb")
    if compression == ".zst":
        import zstandard

        packed: IO[bytes] = zstandard.open(target, "wb")
        return packed
    return target.open("wb")
