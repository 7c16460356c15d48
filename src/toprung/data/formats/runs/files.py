"""Read a run from a file, place labelled documents in it, write it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain
from pathlib import Path

from toprung.data.formats.content import (
    DEFAULT_LIMITS,
    ONE_STDIN,
    STDIN,
    Content,
    Limits,
    is_packed,
    read_content,
    say_source,
    stream_packed,
)
from toprung.data.formats.runs import compiled, table_reader
from toprung.data.formats.runs.line_parser import Layout
from toprung.data.formats.runs.recognise import RunFormat, recognise_run, to_format
from toprung.data.formats.runs.text import RunText
from toprung.data.formats.runs.top_of_run import TopOfRun
from toprung.data.formats.runs.whole_text import (
    hash_and_place_pieces,
    read_and_place_pieces,
    read_and_place_text,
    read_text,
)
from toprung.data.place import place_run
from toprung.data.placement import Placement
from toprung.data.qrels import Qrels
from toprung.data.run import Run
from toprung.errors import FormatError, InputError

Source = str | os.PathLike[str]

COMPRESSION_ENDINGS = (".gz", ".bz2", ".zst")
RUN_ENDINGS = (".txt", ".run", ".tsv", ".trec", ".parquet")


def run_name(path: Source) -> str:
    """The name of a run by its file: without compression and the usual endings.

    >>> run_name("runs/bm25.run.gz")
    'bm25'
    """
    if os.fspath(path) == STDIN:
        return "stdin"
    name = Path(path).name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    for endings in (COMPRESSION_ENDINGS, RUN_ENDINGS):
        for ending in endings:
            if name.endswith(ending) and name != ending:
                name = name.removesuffix(ending)
                break
    return name


def read_run(
    path: Source,
    *,
    name: str | None = None,
    format: str | RunFormat | None = None,  # noqa: A002 - the word users know
    limits: Limits = DEFAULT_LIMITS,
    depth: int | None = None,
) -> Run:
    """Read a whole run into memory.

    ``path`` is a TREC, MS MARCO or Parquet file, plain or compressed, or ``irds:DATASET``. The format is
    recognised unless it is named. Strict: the first fault raises a FormatError with its line. With ``depth`` only so
    many ranks of each query are kept, which takes a fraction of the time and memory.
    """
    if is_irds(path):
        from toprung.data.formats.irds import read_irds_run

        run = read_irds_run(os.fspath(path), name=name)
    else:
        content, found = _open(path, format, limits)
        name, source = name or run_name(path), say_source(path)
        if found is not RunFormat.PARQUET:
            return read_text(RunText(content, found.layout, name=name, source=source), depth=depth)
        from toprung.data.formats.runs.parquet import read_parquet_run

        run = read_parquet_run(content, name=name, source=source, limits=limits)
    return run if depth is None else run.top(depth)


def place_file(
    path: Source,
    qrels: Qrels,
    *,
    name: str | None = None,
    format: str | RunFormat | None = None,  # noqa: A002 - the word users know
    float32_ties: bool = False,
    limits: Limits = DEFAULT_LIMITS,
    threads: int = 1,
) -> Placement:
    """Where the run in a file put the labelled documents, without holding the run in memory.

    A large text that is not packed may be read by several threads.
    """
    if is_irds(path):
        return place_run(read_run(path, name=name), qrels, float32_ties=float32_ties)
    place = partial(compiled.place_pieces, qrels=qrels, name=name or run_name(path), float32_ties=float32_ties)
    placed = _read_packed(path, format, limits, place)
    if placed is not None:
        return placed
    content, found = _open(path, format, limits)
    name, source = name or run_name(path), say_source(path)
    if found is RunFormat.PARQUET:
        from toprung.data.formats.runs.place_table import place_parquet

        return place_parquet(content, qrels, name=name, source=source, float32_ties=float32_ties, limits=limits)
    text = RunText(content, found.layout, name=name, source=source, float32_ties=float32_ties)
    if compiled.has_scanner():
        return compiled.place_text(text, qrels, threads=threads)
    return table_reader.place_text(text, qrels)


def read_and_place(
    path: Source, qrels: Qrels, *, depth: int, name: str | None = None, limits: Limits = DEFAULT_LIMITS
) -> tuple[Run, Placement]:
    """The first ``depth`` ranks of the run in a file and where it put the labelled documents, from one reading."""
    read = partial(read_and_place_pieces, qrels=qrels, name=name or run_name(path), depth=depth)
    both = _read_packed(path, None, limits, read)
    return both or _read_and_place_whole(path, qrels, depth=depth, name=name, limits=limits)


def hash_and_place(
    path: Source, qrels: Qrels, *, depth: int, name: str | None = None, limits: Limits = DEFAULT_LIMITS
) -> tuple[TopOfRun, Placement]:
    """The same for runs that are only compared: without the texts of documents, where that can be."""
    read = partial(hash_and_place_pieces, qrels=qrels, name=name or run_name(path), depth=depth)
    both = _read_packed(path, None, limits, read)
    if both is not None:
        return both
    run, placed = _read_and_place_whole(path, qrels, depth=depth, name=name, limits=limits)
    return TopOfRun.of(run, depth), placed


def _read_and_place_whole(
    path: Source, qrels: Qrels, *, depth: int, name: str | None, limits: Limits
) -> tuple[Run, Placement]:
    if is_irds(path):
        run = read_run(path, name=name)
        return run.top(depth), place_run(run, qrels)
    content, found = _open(path, None, limits)
    name, source = name or run_name(path), say_source(path)
    if found is not RunFormat.PARQUET:
        return read_and_place_text(RunText(content, found.layout, name=name, source=source), qrels, depth=depth)
    from toprung.data.formats.runs.parquet import read_parquet_run
    from toprung.data.formats.runs.place_table import place_parquet

    top = read_parquet_run(content, name=name, source=source, limits=limits).top(depth)
    return top, place_parquet(content, qrels, name=name, source=source, float32_ties=False, limits=limits)


def _read_packed[T](
    path: Source, run_format: str | None, limits: Limits, read: Callable[[Iterator[bytes], Layout], T | None]
) -> T | None:
    """Read while unpacking, so that the text is never held; None where it has to be read as a whole."""
    if is_irds(path) or not compiled.has_scanner() or not is_packed(path):
        return None
    try:
        pieces = stream_packed(path, limits)
        first = next(pieces)
        found = recognise_run(first, say_source(path)) if run_format is None else to_format(RunFormat, run_format)
        return None if found is RunFormat.PARQUET else read(chain([first], pieces), found.layout)
    except FormatError:  # told anew, and better, of the whole
        return None


def _open(path: Source, run_format: str | None, limits: Limits) -> tuple[Content, RunFormat]:
    """What the file holds, and in which format; it is opened only once."""
    content = read_content(path, limits)
    if run_format is None:
        return content, recognise_run(content, say_source(path))
    return content, to_format(RunFormat, run_format)


def is_irds(path: Source) -> bool:
    return os.fspath(path).startswith("irds:")


def write_run(run: Run, path: Source, *, format: str | RunFormat | None = None) -> None:  # noqa: A002 - as above
    """Write a run as TREC, MS MARCO or Parquet; the ending of ``path`` decides unless a format is named.

    ``.parquet`` is Parquet, ``.tsv`` MS MARCO, anything else TREC; ``.gz``, ``.bz2`` and ``.zst`` compress.
    A run without scores gets 1 / rank where the format needs one.
    """
    from toprung.data.formats.runs.writing import replacing, write_frame

    run_format = format_for(path) if format is None else to_format(RunFormat, format)
    with replacing(path) as target:
        write_frame(run, target, run_format, compression=_compression_of(path))


def write_stored_run(run: Run, path: Source) -> None:
    """As a board keeps it: Parquet with an index, by which ``StoredRun`` scores it without reading its columns."""
    from toprung.data.formats.runs.parquet import write_parquet_run
    from toprung.data.formats.runs.stored_index import StoredIndex, add_index, can_index
    from toprung.data.formats.runs.writing import replacing

    with replacing(path) as target:
        write_parquet_run(run, target)
        if can_index():
            add_index(target, StoredIndex.of(run))


def format_for(path: Source) -> RunFormat:
    """The format a file of this name is written in."""
    name = os.fspath(path).removesuffix(_compression_of(path))
    return {".parquet": RunFormat.PARQUET, ".tsv": RunFormat.MSMARCO}.get(Path(name).suffix, RunFormat.TREC)


def check_run_ending(path: Source) -> None:
    """Refuse a name whose ending is of no run that can be written; a name without an ending is a TREC run's."""
    name = os.fspath(path).removesuffix(_compression_of(path))
    ending = Path(name).suffix
    if ending and ending not in RUN_ENDINGS:
        raise InputError(
            f"{os.fspath(path)}: found the ending {ending}; expected one of {', '.join(RUN_ENDINGS)}, which say how to "
            "write; `--to trec`, `--to msmarco` or `--to parquet` serve any name."
        )


def _compression_of(path: Source) -> str:
    return next((ending for ending in COMPRESSION_ENDINGS if os.fspath(path).endswith(ending)), "")


def names_for(paths: list[str]) -> Iterator[str]:
    """Names for several run files; those that clash are told apart by their folders."""
    if paths.count(STDIN) > 1:
        raise InputError(f"Found - (stdin) for {paths.count(STDIN)} runs; {ONE_STDIN}")
    names = [run_name(path) for path in paths]
    for path, name in zip(paths, names, strict=True):
        yield name if names.count(name) == 1 else "/".join((*_folders_that_differ(path, paths, names), name))


def _folders_that_differ(path: str, paths: list[str], names: list[str]) -> tuple[str, ...]:
    """As many of the file's last folders as it takes to be unlike every other file of the same name."""
    folders = Path(path).absolute().parts[:-1]
    others = [
        Path(other).absolute().parts[:-1]
        for other, name in zip(paths, names, strict=True)
        if name == run_name(path) and other != path
    ]
    for depth in range(1, len(folders) + 1):
        if all(other[-depth:] != folders[-depth:] for other in others):
            return folders[-depth:]
    return folders[-1:]
