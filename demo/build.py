"""Builds run files and labels from the reconstruction: ranks of 13 runs on 5,793 queries.

Each query has one relevant document. A run puts it at the rank the reconstruction gives, among 100 documents
of which the others are filler, or leaves it out where the reconstruction has 0.

So that a report has all its parts, two more things are made up. There are private queries: rows of the reconstruction
drawn again. And each query has a second answer, ranked as the answer of another query is, which in new labels takes the
place of the first for some queries.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

import toprung as tr

RANKS = Path(__file__).with_name("lin2021_reconstruction.csv.gz")
DEPTH = 100
N_PRIVATE = 1000
RELABELLED = 0.4
SEED = 2021


def main(folder: Path) -> None:
    """Write qrels.txt, new.qrels, private.qrels and runs/*.txt.zst, unless they are there."""
    runs_folder, last = folder / "runs", folder / "private.qrels"
    if last.exists():
        return
    ranks = tr.read_ranks(RANKS)
    n = len(ranks.query_ids)
    rng = np.random.default_rng(SEED)
    drawn = rng.integers(n, size=N_PRIVATE)
    first = np.concatenate([ranks.values, ranks.values[drawn]])
    second = first[rng.permutation(len(first))]
    query_ids = (*ranks.query_ids, *(f"P{number}" for number in range(1, N_PRIVATE + 1)))
    runs_folder.mkdir(parents=True, exist_ok=True)
    for column, name in enumerate(ranks.runs):
        run = build_run(name, query_ids, first[:, column], second[:, column])
        tr.write_run(run, runs_folder / f"{name}.txt.zst")
    public, private = query_ids[:n], query_ids[n:]
    is_new = dict(zip(public, rng.random(n) < RELABELLED, strict=True))
    write_labels(folder / "qrels.txt", {each: relevant_doc(each) for each in public})
    write_labels(folder / "new.qrels", {each: (second_doc if is_new[each] else relevant_doc)(each) for each in public})
    write_labels(last, {each: relevant_doc(each) for each in private})  # its presence says that all is there


def relevant_doc(query_id: str) -> str:
    return f"D{query_id}"


def second_doc(query_id: str) -> str:
    return f"E{query_id}"


def write_labels(path: Path, labels: dict[str, str]) -> None:
    path.write_text("".join(f"{query_id} 0 {doc_id} 1\n" for query_id, doc_id in labels.items()))


def build_run(
    name: str, query_ids: Sequence[str], relevant_rank: NDArray[np.int32], second_rank: NDArray[np.int32] | None = None
) -> tr.Run:
    """A run of ``DEPTH`` documents a query, the relevant one at its rank, and the second one where that is free."""
    n = len(query_ids)
    rank = np.tile(np.arange(1, DEPTH + 1), n)
    query = np.repeat(np.arange(n), DEPTH)
    is_second = rank == np.repeat(np.zeros(n) if second_rank is None else second_rank, DEPTH)
    frame = pl.DataFrame(
        {
            "query_id": pl.Series(query_ids).gather(query),
            "rank": rank,
            "is_relevant": rank == np.repeat(relevant_rank, DEPTH),
            "is_second": is_second,
        }
    ).select(
        "query_id",
        doc_id=pl.when("is_relevant")
        .then(pl.format("D{}", "query_id"))
        .when("is_second")
        .then(pl.format("E{}", "query_id"))
        .otherwise(pl.format("F{}-{}", "query_id", "rank")),
        score=(DEPTH + 1 - pl.col("rank")) / 10,
    )
    return tr.Run.from_frame(frame, name=name)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
