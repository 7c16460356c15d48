"""What does split-half agreement cost, next to a SciPy loop? ``python -m benchmarks.agreement``.

The experiment of Craswell et al. 2021: 100 splits, all pairs of runs, four tests, and the medians, on both halves. The
loop is run on both halves of one split for one pair of fifty, and its time multiplied by splits and pairs; both take
turns in this process. Then all is done once with ``-j``, whose CPU time counts worker processes.
"""

import argparse
import sys
from collections.abc import Sequence

import numpy as np

from benchmarks.figures import keep
from benchmarks.spent import cpu_with_children, timed
from benchmarks.statistics import Floats, draw_ranks, loop_over, many_levels, reciprocal, take_every
from toprung.analyses.agreement.find import Agreement, agreement
from toprung.data.matrices import ScoreTable
from toprung.stats.pairs.results import Pairs, all_pairs
from toprung.stats.pairs.split_half import draw_halves
from toprung.workers import Workers

ONE_OF = 50
"""Pairs, of which the loop tests the first."""


def main(arguments: Sequence[str] | None = None) -> int:
    options = parse_arguments(arguments)
    print("## Split-half agreement of four tests\n")
    ranks = draw_ranks(options.queries, options.runs)
    compare_with_loop(table_of(reciprocal(ranks), "RR@100"), "split-half, RR", options)
    compare_with_loop(table_of(many_levels(ranks), "a measure of many levels"), "split-half, many levels", options)
    return 0


def parse_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.agreement", description=__doc__)
    parser.add_argument("--queries", type=int, default=5793)
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--splits", type=int, default=100)
    parser.add_argument("--repeat", type=int, default=5, help="rounds of the comparison (default: 5)")
    parser.add_argument("--jobs", "-j", type=int, default=2, help="workers of the timed wall clock (default: 2)")
    return parser.parse_args(arguments)


def compare_with_loop(table: ScoreTable, kept_as: str, options: argparse.Namespace) -> None:
    pairs = all_pairs(options.runs)
    looped = take_every(pairs, ONE_OF)
    agreement(table.select(list(table.runs[:2])), splits=1)  # imports are not timed, for either
    ours, loops = [], []
    for _ in range(options.repeat):
        alone, spent = timed(lambda: agreement(table, splits=options.splits))
        ours.append(spent)
        _, spent = timed(lambda: loop_over_halves(table.values, looped))
        loops.append(spent.cpu_seconds * options.splits * len(pairs) / len(looped))
    spread, with_workers = timed(lambda: agree_with_workers(table, options), clock=cpu_with_children)
    cpu, wall = min(each.cpu_seconds for each in ours), min(each.wall_seconds for each in ours)
    print(f"- {options.splits} splits × {len(pairs):,} pairs × 4 tests, {options.queries:,} queries, {table.measure}")
    print(f"  - CPU s, least of {options.repeat}: Toprung {cpu:.1f}, SciPy loop {min(loops):,.0f} (extrapolated from")
    print(f"    1 split and {len(looped):,} pairs), ratio {min(loops) / cpu:.0f}")
    print(f"  - wall s: {wall:.1f} in one process, {with_workers.wall_seconds:.1f} with {options.jobs} workers, once")
    print(f"    (CPU s {with_workers.cpu_seconds:.1f}, workers' start-up included)")
    print(f"  - one result whoever works: {'yes' if is_same(alone, spread) else 'NO'}", flush=True)
    keep(kept_as, cpu, {"SciPy loop": min(loops)})


def agree_with_workers(table: ScoreTable, options: argparse.Namespace) -> Agreement:
    """End joblib's processes, too, which otherwise stay for the next call: only then is their time known."""
    from joblib.externals.loky import get_reusable_executor

    found = agreement(table, splits=options.splits, workers=Workers(count=options.jobs))
    get_reusable_executor().shutdown(wait=True)
    return found


def table_of(values: Floats, measure: str) -> ScoreTable:
    n_queries, n_runs = values.shape
    return ScoreTable(
        query_ids=tuple(f"{query:06}" for query in range(n_queries)),
        runs=tuple(f"run{run:04}" for run in range(n_runs)),
        values=values,
        measure=measure,
    )


def loop_over_halves(values: Floats, pairs: Pairs) -> None:
    """The plain way: every test of every pair by SciPy, and each run's mean and median, on both halves of a split."""
    for rows in draw_halves(len(values), np.random.default_rng(0)):
        half = values[rows]
        half.mean(axis=0)
        np.median(half, axis=0)
        loop_over(half, pairs)


def is_same(one: Agreement, other: Agreement) -> bool:
    return bool((one.counts == other.counts).all() and (one.undirected == other.undirected).all())


if __name__ == "__main__":
    sys.exit(main())
