"""Scores runs with pytrec_eval, reading files into dicts by plain Python as scripts do: QRELS RUN..."""

import sys
from collections import defaultdict
from pathlib import Path

import pytrec_eval

MEASURES = {"recip_rank": "RR", "ndcg_cut_10": "nDCG@10", "map": "AP", "recall_1000": "R@1000"}


def read_qrels(path: Path) -> dict[str, dict[str, int]]:
    qrels: dict[str, dict[str, int]] = defaultdict(dict)
    with path.open() as lines:
        for line in lines:
            query_id, _, doc_id, grade = line.split()
            qrels[query_id][doc_id] = int(grade)
    return dict(qrels)


def read_run(path: Path) -> dict[str, dict[str, float]]:
    run: dict[str, dict[str, float]] = defaultdict(dict)
    with path.open() as lines:
        for line in lines:
            query_id, _, doc_id, _, score, _ = line.split()
            run[query_id][doc_id] = float(score)
    return dict(run)


def main(qrels_path: str, *run_paths: str) -> None:
    evaluator = pytrec_eval.RelevanceEvaluator(read_qrels(Path(qrels_path)), set(MEASURES))
    for run_path in run_paths:
        scores = evaluator.evaluate(read_run(Path(run_path))).values()
        for peer_name, measure in MEASURES.items():
            mean = sum(score[peer_name] for score in scores) / len(scores)
            print(Path(run_path).stem, measure, mean, sep="\t")


if __name__ == "__main__":
    main(*sys.argv[1:])
