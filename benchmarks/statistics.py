"""What do all tests on all pairs of runs cost, next to a SciPy loop? ``python -m benchmarks.statistics``.

Both run in this process and take turns. The loop is run on a tenth of the pairs and its time multiplied, unless
``--full-loop`` is given.
"""

import argparse
import resource
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from benchmarks.cost import MAXRSS_UNIT
from toprung.stats.pairs.pairwise import pair_facets, pair_outcomes, pair_tests
from toprung.stats.pairs.results import Pairs, PairTests, all_pairs

type Ranks = NDArray[np.int64]
type Floats = NDArray[np.float64]

DEPTH = 100
TESTS = ("t", "signed_rank", "rank_sum", "sign")


@dataclass(frozen=True, kw_only=True)
class Spent:
    cpu_seconds: float
    wall_seconds: float


def main(arguments: Sequence[str] | None = None) -> int:
    options = parse_arguments(arguments)
    print("## All tests on all pairs of runs\n")
    ranks = draw_ranks(options.queries, options.runs)
    per_pair = compare_with_loop(reciprocal(ranks), "RR", options)
    compare_with_loop(many_levels(ranks), "a measure of many levels, such as nDCG", options)
    time_large_board(options, per_pair)
    return 0


def parse_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.statistics", description=__doc__)
    parser.add_argument("--queries", type=int, default=5793)
    parser.add_argument("--runs", type=int, default=100, help="runs of the comparison with SciPy (default: 100)")
    parser.add_argument("--many-runs", type=int, default=1000, help="runs of the large board (default: 1000; 0: skip)")
    parser.add_argument("--repeat", type=int, default=5, help="rounds of the comparison (default: 5)")
    parser.add_argument("--full-loop", action="store_true", help="loop over all pairs instead of a tenth")
    return parser.parse_args(arguments)


def compare_with_loop(values: Floats, measure: str, options: argparse.Namespace) -> float:
    """Print both costs, and return the CPU seconds of a pair in our kernel."""
    pairs = all_pairs(options.runs)
    looped = pairs if options.full_loop else every_tenth(pairs)
    pair_tests(values[:, :2])  # imports are not timed, for either
    ours, loops = [], []
    for _ in range(options.repeat):
        found, spent = timed(lambda: pair_tests(values))
        ours.append(spent.cpu_seconds)
        expected, spent = timed(lambda: loop_over(values, looped))
        loops.append(spent.cpu_seconds * len(pairs) / len(looped))
    how = "all pairs" if options.full_loop else f"extrapolated from {len(looped):,} pairs"
    print(f"- {options.runs} runs × {options.queries:,} queries, {len(pairs):,} pairs × {len(TESTS)} tests, {measure}")
    print(f"  - CPU s, least of {options.repeat}: Toprung {min(ours):.3f}, SciPy loop {min(loops):.2f} ({how})")
    print(f"  - ratio {min(loops) / min(ours):.1f}, {min(ours) / len(pairs) * 1e6:.1f} µs a pair")
    print(f"  - largest difference of p: {largest_differences(found, expected, every=1 if options.full_loop else 10)}")
    return min(ours) / len(pairs)


def time_large_board(options: argparse.Namespace, small_cost: float) -> None:
    if not options.many_runs:
        return
    ranks = draw_ranks(options.queries, options.many_runs)
    values = reciprocal(ranks)
    n_pairs = len(all_pairs(options.many_runs))
    print(f"- {options.many_runs:,} runs × {options.queries:,} queries, {n_pairs:,} pairs")
    _, spent = timed(lambda: (pair_outcomes(ranks), pair_tests(values)))
    print(f"  - outcomes and {len(TESTS)} tests: {shown(spent, n_pairs)}")
    print(f"  - cost of a pair ÷ that of {options.runs} runs: {spent.cpu_seconds / n_pairs / small_cost:.2f}")
    graded = many_levels(ranks)
    _, spent = timed(lambda: pair_tests(graded))
    print(f"  - {len(TESTS)} tests, a measure of many levels: {shown(spent, n_pairs)}")
    _, spent = timed(lambda: pair_facets(ranks))
    print(f"  - both facets of the verdicts: {shown(spent, n_pairs)}")


def shown(spent: Spent, n_pairs: int) -> str:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * MAXRSS_UNIT
    return (
        f"wall {spent.wall_seconds:.1f} s, CPU {spent.cpu_seconds:.1f} s, "
        f"{spent.cpu_seconds / n_pairs * 1e6:.1f} µs a pair, peak of this process so far {peak / 1e6:.0f} MB"
    )


def draw_ranks(n_queries: int, n_runs: int) -> Ranks:
    """First ranks of related runs: hard queries are hard for all, some are missed; about 0.4 MRR@100."""
    rng = np.random.default_rng(20210711)
    difficulty = rng.normal(0, 1.2, (n_queries, 1))
    skill = rng.normal(1.0, 0.15, n_runs)
    ranks = np.exp(skill + difficulty + rng.normal(0, 0.9, (n_queries, n_runs))).astype(np.int64) + 1
    ranks[(ranks > DEPTH) | (rng.random(ranks.shape) < 0.08)] = 0
    return ranks


def reciprocal(ranks: Ranks) -> Floats:
    return np.divide(1.0, ranks, out=np.zeros(ranks.shape), where=ranks > 0)


def many_levels(ranks: Ranks) -> Floats:
    """A measure of as many values as there are cells, such as AP or nDCG of graded labels: sorted, not counted."""
    return reciprocal(ranks) + np.random.default_rng(1).uniform(-0.05, 0.05, ranks.shape)


def every_tenth(pairs: Pairs) -> Pairs:
    return Pairs(first=pairs.first[::10], second=pairs.second[::10])


def timed[T](work: Callable[[], T]) -> tuple[T, Spent]:
    cpu, wall = time.process_time(), time.perf_counter()
    result = work()
    return result, Spent(cpu_seconds=time.process_time() - cpu, wall_seconds=time.perf_counter() - wall)


def loop_over(values: Floats, pairs: Pairs) -> Floats:
    """The plain way: every test of every pair by SciPy. One row per test, in the order of ``TESTS``."""
    columns = np.ascontiguousarray(values.T)
    p_values = []
    for first, second in zip(pairs.first, pairs.second, strict=True):
        a, b = columns[first], columns[second]
        differences = np.round(b - a, 10)
        wins, losses = int((differences > 0).sum()), int((differences < 0).sum())
        signed = stats.wilcoxon(differences, zero_method="wilcox", correction=False, method="asymptotic")
        p_values.append(
            (
                stats.ttest_rel(b, a).pvalue,
                signed.pvalue,
                stats.ranksums(b, a).pvalue,
                stats.binomtest(wins, wins + losses).pvalue,
            )
        )
    return np.array(p_values).T


def largest_differences(found: PairTests, expected: Floats, *, every: int) -> str:
    ours = [getattr(found, test).p[::every] for test in TESTS]
    gaps = [np.abs(one - other).max() for one, other in zip(ours, expected, strict=True)]
    return ", ".join(f"{test} {gap:.1e}" for test, gap in zip(TESTS, gaps, strict=True))


if __name__ == "__main__":
    sys.exit(main())
