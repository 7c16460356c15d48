"""Scores runs with ir_measures, through its own readers: QRELS RUN...; a run is text, or packed as .gz."""

import sys
from pathlib import Path

import ir_measures
from ir_measures import AP, RR, R, nDCG


def main(qrels_path: str, *run_paths: str) -> None:
    evaluator = ir_measures.evaluator([RR, nDCG @ 10, AP, R @ 1000], ir_measures.read_trec_qrels(qrels_path))
    for run_path in run_paths:
        # Scores every query on the way to the means, and keeps only these: the cheapest way to them.
        means = evaluator.calc_aggregate(ir_measures.read_trec_run(run_path))
        for measure, mean in means.items():
            print(Path(run_path).stem, measure, mean, sep="\t")


if __name__ == "__main__":
    main(*sys.argv[1:])
