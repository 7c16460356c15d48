"""What does it cost to score a run that is in memory already? ``python -m benchmarks.held``.

A Polars frame, a dict of dicts and a ``Run`` of 5,793 queries × 100 against pytrec_eval on the same dict; all run in
this process and take turns.
"""

import sys

import numpy as np
import polars as pl
import pytrec_eval

from benchmarks.data import draw_scores, draw_topics, rank_documents
from benchmarks.inputs import BenchmarkInput
from benchmarks.spent import timed
from toprung.data.qrels import Qrels
from toprung.data.run import Run
from toprung.scoring.evaluate import evaluate

ROUNDS = 5
RECIPE = BenchmarkInput(name="held", seed=9, n_queries=5793, depth=100)
MEASURES = ("RR", "nDCG@10", "AP", "R@100")
THEIRS = {"recip_rank", "ndcg_cut_10", "map", "recall_100"}


def main() -> int:
    labels, frame = make_input()
    given = Run.from_frame(frame).to_dict()
    held = Run.from_frame(frame)
    evaluator = pytrec_eval.RelevanceEvaluator(labels.to_dict(), THEIRS)
    ways = {
        "a frame": lambda: evaluate(labels, frame, MEASURES),
        "a dict": lambda: evaluate(labels, given, MEASURES),
        "a Run": lambda: evaluate(labels, held, MEASURES),
        "pytrec_eval, the dict": lambda: evaluator.evaluate(given),
    }
    costs: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(ROUNDS):
        for name, way in ways.items():
            costs[name].append(timed(way)[1].cpu_seconds)
    peer = min(costs["pytrec_eval, the dict"])
    print(f"## Runs in memory\n\n- {RECIPE.n_queries:,} queries × {RECIPE.depth}, least of {ROUNDS}, in turns\n")
    print("| given | CPU s | pytrec_eval ÷ that |\n| --- | --- | --- |")
    for name, each in costs.items():
        print(f"| {name} | {min(each):.3f} | {peer / min(each):.1f} |")
    return 0


def make_input() -> tuple[Qrels, pl.DataFrame]:
    rng = np.random.default_rng(RECIPE.seed)
    topics = draw_topics(RECIPE, rng)
    rankings = rank_documents(topics, RECIPE.depth, rng)
    query, column = np.nonzero(topics.is_judged)
    judged = zip(topics.query_ids[query], topics.judged_docs[query, column], topics.grades[query, column], strict=True)
    labels = Qrels.from_rows((str(query_id), str(doc_id), int(grade)) for query_id, doc_id, grade in judged)
    columns = {
        "query_id": np.repeat(topics.query_ids, RECIPE.depth).astype(str),
        "doc_id": rankings.ravel().astype(str),
        "score": draw_scores(RECIPE.scores, rankings.shape, rng).ravel(),
    }
    return labels, pl.DataFrame(columns)


if __name__ == "__main__":
    sys.exit(main())
