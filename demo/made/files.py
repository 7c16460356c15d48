"""How do made-up ranks become run files? The answer at its rank, and what a run would put around it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

import toprung as tr

SHORTEST = 10
"""Documents a query at least; more where the answer stands lower."""


def write_labels(path: Path, labels: Mapping[str, Mapping[str, int]]) -> None:
    lines = (f"{query_id} 0 {doc_id} {grade}\n" for query_id, docs in labels.items() for doc_id, grade in docs.items())
    path.write_text("".join(lines))


def write_run(folder: Path, name: str, rankings: Mapping[str, Sequence[str]]) -> None:
    """The documents of each query, the first first."""
    frame = pl.DataFrame(
        [
            (query_id, doc_id, float(len(docs) - place))
            for query_id, docs in rankings.items()
            for place, doc_id in enumerate(docs)
        ],
        schema=["query_id", "doc_id", "score"],
        orient="row",
    )
    tr.write_run(tr.Run.from_frame(frame, name=name), folder / f"{name}.txt.zst")


def place(answer: str, rank: int, others: Iterable[str]) -> list[str]:
    """A ranking with the answer at its rank, 0 for nowhere, among others in their order."""
    docs = [doc for doc in others if doc != answer][: max(rank - 1, SHORTEST - (rank > 0))]
    if rank:
        docs.insert(rank - 1, answer)
    return docs


def shuffle_a_little(docs: Sequence[str], rng: np.random.Generator, amount: float) -> list[str]:
    """Neighbours change places, as they do from run to run."""
    places: NDArray[np.float64] = np.arange(len(docs)) + amount * rng.normal(size=len(docs))
    return [docs[number] for number in np.argsort(places, kind="stable")]
