"""Scores runs with ranx, through its own readers: QRELS RUN...; a run is text, text packed as .gz, or .parquet."""

import sys
from pathlib import Path

from ranx import Qrels, Run, evaluate

MEASURES = {"mrr": "RR", "ndcg@10": "nDCG@10", "map": "AP", "recall@1000": "R@1000"}


def read_run(path: str) -> Run:
    if path.endswith(".parquet"):
        return Run.from_parquet(path, q_id_col="query_id", doc_id_col="doc_id", score_col="score")
    return Run.from_file(path, kind="gz" if path.endswith(".gz") else "trec")


def main(qrels_path: str, *run_paths: str) -> None:
    qrels = Qrels.from_file(qrels_path, kind="trec")
    for run_path in run_paths:
        # evaluate stores the scores of every query in the run and returns their means.
        means = evaluate(qrels, read_run(run_path), list(MEASURES))
        for peer_name, measure in MEASURES.items():
            print(Path(run_path).stem, measure, means[peer_name], sep="\t")


if __name__ == "__main__":
    main(*sys.argv[1:])
