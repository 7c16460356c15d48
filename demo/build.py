"""Builds run files and labels from the reconstruction: ranks of 13 runs on 5,793 queries.

Each query has one relevant document. A run puts it at the rank the reconstruction gives, among 100 documents
of which the others are filler, or leaves it out where the reconstruction has 0.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

import toprung as tr

RANKS = Path(__file__).with_name("lin2021_reconstruction.csv.gz")
DEPTH = 100


def main(folder: Path) -> None:
    """Write qrels.txt and runs/*.txt.zst, unless they are there."""
    runs_folder = folder / "runs"
    if (folder / "qrels.txt").exists():
        return
    ranks = tr.read_ranks(RANKS)
    runs_folder.mkdir(parents=True, exist_ok=True)
    for column, name in enumerate(ranks.runs):
        tr.write_run(build_run(name, ranks.query_ids, ranks.values[:, column]), runs_folder / f"{name}.txt.zst")
    labels = "".join(f"{query_id} 0 {relevant_doc(query_id)} 1\n" for query_id in ranks.query_ids)
    (folder / "qrels.txt").write_text(labels)  # last: its presence says that all is there


def relevant_doc(query_id: str) -> str:
    return f"D{query_id}"


def build_run(name: str, query_ids: tuple[str, ...], relevant_rank: NDArray[np.int32]) -> tr.Run:
    """A run of ``DEPTH`` documents for each query, the relevant one at its rank."""
    n = len(query_ids)
    rank = np.tile(np.arange(1, DEPTH + 1), n)
    query = np.repeat(np.arange(n), DEPTH)
    query_id = pl.Series("query_id", query_ids).gather(query)
    is_relevant = rank == np.repeat(relevant_rank, DEPTH)
    frame = pl.DataFrame({"query_id": query_id, "rank": rank, "is_relevant": is_relevant}).select(
        "query_id",
        doc_id=pl.when("is_relevant")
        .then(pl.format("D{}", "query_id"))
        .otherwise(pl.format("F{}-{}", "query_id", "rank")),
        score=(DEPTH + 1 - pl.col("rank")) / 10,
    )
    return tr.Run.from_frame(frame, name=name)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
