"""Labels, first-stage rankings and texts by name: ``irds:DATASET`` through ir_datasets, when it is installed."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from functools import wraps
from socket import gaierror
from textwrap import shorten
from typing import Any

from toprung.data.qrels import Qrels
from toprung.data.run import Run
from toprung.errors import InputError, MissingPackageError

NET_ERRORS = (ConnectionError, TimeoutError, gaierror)


def _reached[**P, Found](read: Callable[P, Found]) -> Callable[P, Found]:
    """What cannot be downloaded is said in a sentence."""

    @wraps(read)
    def reading(*args: P.args, **options: P.kwargs) -> Found:
        try:
            with _quietly():
                return read(*args, **options)
        except (OSError, RuntimeError) as error:
            raise InputError(
                f"{args[0]}: ir_datasets could not read it ({_say_why(error)}). Is there a network? Else give a file."
            ) from error

    return reading


@contextmanager
def _quietly() -> Iterator[None]:
    """Without what ir_datasets logs of every attempt to download: what comes of them is said once, here."""
    logger = logging.getLogger("ir_datasets")

    def drop(_: logging.LogRecord) -> bool:  # one for each reading: several threads may read
        return False

    logger.addFilter(drop)
    try:
        yield
    finally:
        logger.removeFilter(drop)


def _say_why(error: Exception) -> str:
    """In a few words: what a library for the net says of itself helps nobody."""
    is_of_net = type(error).__module__.partition(".")[0] in ("requests", "urllib3") or isinstance(error, NET_ERRORS)
    if is_of_net or "download" in str(error):
        return "no source of it could be reached"
    return shorten(f"{type(error).__name__}: {error}", 200, placeholder=" …")


@_reached
def read_irds_qrels(source: str) -> Qrels:
    """The labels of a dataset."""
    dataset = _load(source)
    if not dataset.has_qrels():
        raise InputError(f"{source}: found a dataset without labels; expected one with qrels, such as irds:vaswani.")
    rows = ((row.query_id, row.doc_id, int(row.relevance)) for row in dataset.qrels_iter())
    return Qrels.from_rows(rows, source=source)


@_reached
def read_irds_run(source: str, *, name: str | None) -> Run:
    """The first-stage ranking that comes with a dataset."""
    from toprung.extras.frames import pl

    dataset = _load(source)
    if not dataset.has_scoreddocs():
        raise InputError(f"{source}: found a dataset without scored documents; expected one with a ranking to re-rank.")
    rows = [(row.query_id, row.doc_id, float(row.score)) for row in dataset.scoreddocs_iter()]
    frame = pl.DataFrame(rows, schema={"query_id": pl.String, "doc_id": pl.String, "score": pl.Float64}, orient="row")
    name = name or source.removeprefix("irds:")
    return Run.from_checked_frame(frame, name=name, source=source)


@_reached
def read_irds_texts(source: str, *, kind: str, wanted: Collection[str] | None) -> dict[str, str]:
    """The texts of a dataset's documents or queries."""
    dataset = _load(source)
    if kind == "queries":
        if not dataset.has_queries():
            raise InputError(f"{source}: found a dataset without queries; expected one with queries.")
        keep = None if wanted is None else frozenset(wanted)
        rows = ((row.query_id, row.default_text()) for row in dataset.queries_iter())
        return {query_id: text for query_id, text in rows if keep is None or query_id in keep}
    if not dataset.has_docs():
        raise InputError(f"{source}: found a dataset without documents; expected one with texts.")
    if wanted is None:
        return {row.doc_id: row.default_text() for row in dataset.docs_iter()}
    return {doc_id: row.default_text() for doc_id, row in dataset.docs_store().get_many(wanted).items()}


def _load(source: str) -> Any:
    try:
        import ir_datasets
    except ImportError:
        raise MissingPackageError(
            f"{source} needs the package ir_datasets, which is not installed. Install toprung[ir-measures], "
            "or give a file."
        ) from None
    name = source.removeprefix("irds:")
    try:
        return ir_datasets.load(name)
    except KeyError:
        raise InputError(f"Found no dataset '{name}' in ir_datasets; its catalogue lists the names it knows.") from None
