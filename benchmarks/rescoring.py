"""How fast is a board re-scored when its labels change? ``python -m benchmarks.rescoring``.

First one stored run after the other, next to two slower ways to do the same: to read and check the whole run, and
pytrec_eval on a dict of it. All run in this process and take turns. Then the whole way: a board of many runs in a
database, a new version of its labels, and ``toprung worker``.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import polars as pl
import pytrec_eval

from benchmarks.data import Floats, Topics, draw_scores, draw_topics, rank_documents, write_qrels
from benchmarks.figures import keep
from benchmarks.inputs import BenchmarkInput
from benchmarks.spent import Spent, timed
from toprung.data.formats.qrels_files import read_qrels
from toprung.data.formats.runs.files import read_run, write_stored_run
from toprung.data.qrels import Qrels
from toprung.data.run import Run
from toprung.scoring.evaluate import evaluate
from toprung.scoring.evaluation import Evaluation
from toprung.scoring.stored_runs import score_stored

MEASURES = ("RR@100", "nDCG@10", "RR@10", "R@100")
COMPARABLE = {"nDCG@10": "ndcg_cut_10", "R@100": "recall_100"}
"""With their names in pytrec_eval, which is asked for recip_rank too but never cuts it."""
CUTOFF = 100
SEED = 7

type Means = dict[str, float]
type Way = Callable[[Path], Means]


@dataclass(frozen=True, kw_only=True)
class Stored:
    """Labels, and runs as a board keeps them."""

    qrels: Path
    runs: list[Path]
    depth: int


def main(arguments: Sequence[str] | None = None) -> int:
    options = parse_arguments(arguments)
    print("## Re-scoring stored runs\n")
    with tempfile.TemporaryDirectory(prefix="toprung-bench-") as folder:
        stored = make_stored(Path(folder) / "100", options.queries, depth=100, n_files=options.files)
        compare_ways(stored, options.repeat)
        if options.deep_files:
            deep = make_stored(Path(folder) / "1000", options.queries, depth=1000, n_files=options.deep_files)
            compare_ways(deep, options.repeat)
        if options.runs:
            from benchmarks.rescoring_board import rescore_board

            print(rescore_board(stored.qrels, stored.runs, options.runs, MEASURES, n_workers=options.workers))
    return 0


def parse_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--queries", type=int, default=5793, help="(default: 5793)")
    parser.add_argument("--files", type=int, default=10, help="different stored runs (default: 10)")
    parser.add_argument("--repeat", type=int, default=5, help="rounds; the best of each file counts (default: 5)")
    parser.add_argument("--deep-files", type=int, default=1, help="runs of 1,000 a query (default: 1; 0: none)")
    parser.add_argument("--runs", type=int, default=1000, help="on the board, of those files (default: 1000; 0: none)")
    parser.add_argument("--workers", type=int, default=1, help="that re-score the board (default: 1)")
    return parser.parse_args(arguments)


def make_stored(folder: Path, n_queries: int, *, depth: int, n_files: int) -> Stored:
    """Runs over the same queries; about 2% of the scores tie, and scores have all their digits."""
    folder.mkdir()
    rng = np.random.default_rng(SEED)
    topics = draw_topics(BenchmarkInput(name="stored", seed=SEED, n_queries=n_queries, depth=depth), rng)
    stored = Stored(
        qrels=folder / "qrels.txt", runs=[folder / f"{number:02}.parquet" for number in range(n_files)], depth=depth
    )
    write_qrels(stored.qrels, topics)
    for path in stored.runs:
        rankings = rank_documents(topics, depth, rng)
        write_stored_run(to_run(topics, rankings, draw_scores("long", rankings.shape, rng)), path)
    return stored


def to_run(topics: Topics, rankings: np.ndarray, scores: Floats) -> Run:
    query_ids = np.repeat(topics.query_ids, rankings.shape[1])
    return Run.from_frame(pl.DataFrame({"query_id": query_ids, "doc_id": rankings.ravel(), "score": scores.ravel()}))


def compare_ways(stored: Stored, rounds: int) -> None:
    labels = read_qrels(stored.qrels)
    ways = {"stored": score_fast(labels), "read_run, evaluate": score_whole(labels), "pytrec_eval": score_peer(labels)}
    costs: dict[str, list[list[Spent]]] = {name: [] for name in ways}
    means: dict[str, list[Means]] = {name: [] for name in ways}
    for way in ways.values():
        way(stored.runs[0])  # what is imported and made ready once is not timed, for none of them
    for _ in range(rounds):
        for name, way in ways.items():
            found = [timed(partial(way, path)) for path in stored.runs]
            costs[name].append([spent for _, spent in found])
            means[name] = [each for each, _ in found]
    size = np.mean([path.stat().st_size for path in stored.runs])
    print(
        f"- {len(stored.runs)} stored runs of {len(labels.query_ids):,} queries × {stored.depth:,}, "
        f"{size / 1e6:.1f} MB each; least of {rounds}, in the mean over the runs"
    )
    cpu_of = {}
    for name in ways:
        cpu, wall = (
            float(np.min([[getattr(each, unit) for each in spent] for spent in costs[name]], axis=0).mean())
            for unit in ("cpu_seconds", "wall_seconds")
        )
        cpu_of[name] = cpu
        print(
            f"  - {name}: CPU {1000 * cpu:.1f} ms, wall {1000 * wall:.1f} ms a run, {1 / cpu:.1f} runs a CPU second; "
            f"means differ by up to {largest_difference(means[name], means['stored']):.1e}"
        )
    own = cpu_of.pop("stored")
    keep(f"stored runs {stored.depth:,} deep", own, cpu_of)


def largest_difference(means: Sequence[Means], others: Sequence[Means]) -> float:
    return max(
        abs(one[key] - other[key])
        for one, other in zip(means, others, strict=True)
        for key in one.keys() & other.keys()
    )


def score_fast(labels: Qrels) -> Way:
    return lambda path: means_of(score_stored(path, labels, MEASURES, name="run"))


def score_whole(labels: Qrels) -> Way:
    return lambda path: means_of(evaluate(labels, {"run": read_run(path)}, MEASURES))


def means_of(found: Evaluation) -> Means:
    """What a board keeps of a run: first ranks and the values of each query; here their means are enough."""
    found.first_ranks(CUTOFF)
    return {measure: float(found.score_table(measure).values.mean()) for measure in MEASURES}


def score_peer(labels: Qrels) -> Way:
    evaluator = pytrec_eval.RelevanceEvaluator(labels.to_dict(), {*COMPARABLE.values(), "recip_rank"})

    def score(path: Path) -> Means:
        run: dict[str, dict[str, float]] = {}
        for query_id, doc_id, value in pl.read_parquet(path, columns=["query_id", "doc_id", "score"]).iter_rows():
            run.setdefault(query_id, {})[doc_id] = value
        values = evaluator.evaluate(run).values()
        n = len(labels.query_ids)
        return {ours: sum(each[theirs] for each in values) / n for ours, theirs in COMPARABLE.items()}

    return score


if __name__ == "__main__":
    sys.exit(main())
