"""What is reported on? Makes runs, labels and what is known of the runs: ``python -m benchmarks.report_data FOLDER N``.

The first 13 runs are those of the reconstruction. More are made of these: a run copies one of them and takes the ranks
of some queries from others, so that boards have near-equal runs and clear ones. A folder whose name has ``trec`` in it
gets N runs as a track of TREC has them: 50 queries, 1,000 documents, graded labels.
"""

import sys
from pathlib import Path

import numpy as np
from demo.build import RANKS, build_run, relevant_doc, second_doc, write_labels
from numpy.typing import NDArray

import toprung as tr
from benchmarks.data import draw_line_order, draw_scores, draw_topics, rank_documents, write_qrels, write_run
from benchmarks.inputs import BenchmarkInput

type Ranks = NDArray[np.int32]

N_PRIVATE = 1000
EXCHANGED = 0.3
RELABELLED = 0.4
RUNS_OF_A_TEAM = 4
TREC = BenchmarkInput(name="trec", seed=63, n_queries=50, depth=1000, labels="graded")
DONE = "runs.csv"
"""Written last: its presence says that all is there."""


def make_inputs(folder: Path, n_runs: int) -> None:
    """Write qrels.txt, private.qrels, new.qrels, runs/*.txt.zst and runs.csv, unless they are there."""
    if (folder / DONE).exists():
        return
    rng = np.random.default_rng(n_runs)
    ranks = tr.read_ranks(RANKS)
    n = len(ranks.query_ids)
    query_ids = (*ranks.query_ids, *(f"P{number}" for number in range(1, N_PRIVATE + 1)))
    columns = draw_columns(ranks.values[np.concatenate([np.arange(n), rng.integers(n, size=N_PRIVATE)])], n_runs, rng)
    second = columns[rng.permutation(len(columns))]
    names = [f"R{number:03}" for number in range(1, n_runs + 1)]
    (folder / "runs").mkdir(parents=True, exist_ok=True)
    for column, name in enumerate(names):
        run = build_run(name, query_ids, columns[:, column], second[:, column])
        tr.write_run(run, folder / "runs" / f"{name}.txt.zst")
    public, private = query_ids[:n], query_ids[n:]
    is_new = dict(zip(public, rng.random(n) < RELABELLED, strict=True))
    write_labels(folder / "qrels.txt", {each: relevant_doc(each) for each in public})
    write_labels(folder / "new.qrels", {each: (second_doc if is_new[each] else relevant_doc)(each) for each in public})
    write_labels(folder / "private.qrels", {each: relevant_doc(each) for each in private})
    (folder / DONE).write_text(to_metadata(names))


def make_track(folder: Path, n_runs: int) -> None:
    """Write qrels.txt, runs/*.trec and runs.csv, unless they are there."""
    if (folder / DONE).exists():
        return
    rng = np.random.default_rng(TREC.seed)
    topics = draw_topics(TREC, rng)
    (folder / "runs").mkdir(parents=True, exist_ok=True)
    write_qrels(folder / "qrels.txt", topics)
    names = [f"R{number:03}" for number in range(1, n_runs + 1)]
    for name in names:
        rankings = rank_documents(topics, TREC.depth, rng)
        scores = draw_scores(TREC.scores, rankings.shape, rng)
        order = draw_line_order(rankings.shape, is_shuffled=False, rng=rng)
        path = folder / "runs" / f"{name}.trec"
        write_run(path, query_ids=topics.query_ids, rankings=rankings, scores=scores, order=order)
    (folder / DONE).write_text(to_metadata(names))


def draw_columns(ranks: Ranks, n_runs: int, rng: np.random.Generator) -> Ranks:
    """Queries × runs."""
    columns = []
    for number in range(n_runs):
        column = ranks[:, number % ranks.shape[1]].copy()
        if number >= ranks.shape[1]:
            exchanged = rng.random(len(column)) < EXCHANGED
            column[exchanged] = column[rng.integers(len(column), size=int(exchanged.sum()))]
        columns.append(column)
    return np.column_stack(columns)


def to_metadata(names: list[str]) -> str:
    """Everything a column can say, so that every part of the report has something to do."""
    lines = ["run,team,date,tags,cost,latency,system,seed,is_baseline"]
    for number, name in enumerate(names):
        team, seed = f"team {number // RUNS_OF_A_TEAM + 1}", number % 2 + 1
        day = f"20{20 + number // 12:02}-{number % 12 + 1:02}-15"
        lines.append(f"{name},{team},{day},,{number + 1},{10 * (number + 1)},s{number // 2},{seed},{number == 0}")
    return "\n".join(lines).replace("True", "yes").replace("False", "no") + "\n"


if __name__ == "__main__":
    make = make_track if "trec" in Path(sys.argv[1]).name else make_inputs
    make(Path(sys.argv[1]), int(sys.argv[2]))
