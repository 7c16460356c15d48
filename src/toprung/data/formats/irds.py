"""Labels, first-stage rankings and texts by name: ``irds:DATASET`` through ir_datasets, when it is installed."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import wraps
from typing import Any

from toprung.data.qrels import Qrels
from toprung.data.run import Run
from toprung.errors import InputError, MissingPackageError


def _reached[**P, Found](read: Callable[P, Found]) -> Callable[P, Found]:
    """What cannot be downloaded is said in a sentence."""

    @wraps(read)
    def reading(*args: P.args, **options: P.kwargs) -> Found:
        try:
            return read(*args, **options)
        except (OSError, RuntimeError) as error:
            why = "no source of it could be reached" if "download" in str(error) else f"{type(error).__name__}: {error}"
            raise InputError(
                f"{args[0]}: ir_datasets could not read it ({why[:200]}). Is there a network? Else give a file."
            ) from error

    return reading


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
