"""Scores runs with pytrec_eval, reading files into dicts by plain Python as scripts do: [--per-query] QRELS RUN...

A run is text, text packed as .gz or .zst, or .parquet.
"""

import gzip
import sys
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import TextIO, cast

import pytrec_eval

type Scores = dict[str, dict[str, float]]
"""By query and measure."""

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
    if path.suffix == ".parquet":
        import polars as pl

        for query_id, doc_id, value in pl.read_parquet(path, columns=["query_id", "doc_id", "score"]).iter_rows():
            run[query_id][doc_id] = value
        return dict(run)
    with open_text(path) as lines:
        for line in lines:
            query_id, _, doc_id, _, score, _ = line.split()
            run[query_id][doc_id] = float(score)
    return dict(run)


def open_text(path: Path) -> TextIO:
    if path.suffix == ".gz":
        return cast("TextIO", gzip.open(path, "rt"))
    if path.suffix == ".zst":
        import zstandard

        return cast("TextIO", zstandard.open(path, "rt"))
    return path.open()


def main(qrels_path: str, *run_paths: str, tell: Callable[[str, Scores], None]) -> None:
    evaluator = pytrec_eval.RelevanceEvaluator(read_qrels(Path(qrels_path)), set(MEASURES))
    for run_path in run_paths:
        tell(Path(run_path).stem, evaluator.evaluate(read_run(Path(run_path))))


def tell_means(run: str, scores: Scores) -> None:
    for peer_name, measure in MEASURES.items():
        mean = sum(score[peer_name] for score in scores.values()) / len(scores)
        print(run, measure, mean, sep="\t")


def tell_queries(run: str, scores: Scores) -> None:
    for peer_name, measure in MEASURES.items():
        lines = [f"{run}\t{measure}\t{query_id}\t{score[peer_name]}\n" for query_id, score in scores.items()]
        sys.stdout.writelines(lines)


if __name__ == "__main__":
    _, *given = sys.argv
    if given[0] == "--per-query":
        main(*given[1:], tell=tell_queries)
    else:
        main(*given, tell=tell_means)
