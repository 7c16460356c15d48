"""What do all tests on all pairs of runs cost, next to a SciPy loop? ``python -m benchmarks.statistics``.

Both run in this process and take turns. The loop is run on a tenth of the pairs, of the large board on a thousandth,
and its time multiplied; ``--full-loop`` runs it on all pairs of the smaller board.
"""

import argparse
import resource
import sys
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from benchmarks.cost import MAXRSS_UNIT
from benchmarks.figures import keep
from benchmarks.spent import timed
from toprung.stats.pairs.pairwise import pair_facets, pair_outcomes, pair_tests
from toprung.stats.pairs.results import Pairs, PairTests, all_pairs

type Ranks = NDArray[np.int64]
type Floats = NDArray[np.float64]

DEPTH = 100
TESTS = ("t", "signed_rank", "rank_sum", "sign")
RR, MANY_LEVELS = "RR", "a measure of many levels, such as nDCG"
KEPT = {
    (100, RR): "tests, RR",
    (100, MANY_LEVELS): "tests, many levels",
    (1000, RR): "tests of 1,000 runs, RR",
    (1000, MANY_LEVELS): "tests of 1,000 runs, many levels",
}


def main(arguments: Sequence[str] | None = None) -> int:
    options = parse_arguments(arguments)
    print("## All tests on all pairs of runs\n")
    boards = [(options.runs, 1 if options.full_loop else 10)]
    if options.many_runs:
        boards.append((options.many_runs, 1_000))
    for n_runs, every in boards:
        ranks = draw_ranks(options.queries, n_runs)
        compare_with_loop(reciprocal(ranks), RR, every, options)
        compare_with_loop(many_levels(ranks), MANY_LEVELS, every, options)
    if options.many_runs:
        time_verdicts(ranks, options.repeat)
    return 0


def parse_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.statistics", description=__doc__)
    parser.add_argument("--queries", type=int, default=5793)
    parser.add_argument("--runs", type=int, default=100, help="runs of the comparison with SciPy (default: 100)")
    parser.add_argument("--many-runs", type=int, default=1000, help="runs of the large board (default: 1000; 0: skip)")
    parser.add_argument("--repeat", type=int, default=5, help="rounds of the comparison (default: 5)")
    parser.add_argument("--full-loop", action="store_true", help="loop over all pairs of the smaller board")
    return parser.parse_args(arguments)


def compare_with_loop(values: Floats, measure: str, every: int, options: argparse.Namespace) -> None:
    """Print both costs; the loop goes over one pair of so many."""
    n_queries, n_runs = values.shape
    pairs = all_pairs(n_runs)
    looped = take_every(pairs, every)
    pair_tests(values[:, :2])  # imports are not timed, for either
    ours, loops = [], []
    for _ in range(options.repeat):
        found, spent = timed(lambda: pair_tests(values))
        ours.append(spent.cpu_seconds)
        expected, spent = timed(lambda: loop_over(values, looped))
        loops.append(spent.cpu_seconds * len(pairs) / len(looped))
    how = "all pairs" if every == 1 else f"extrapolated from {len(looped):,} pairs"
    print(f"- {n_runs:,} runs × {n_queries:,} queries, {len(pairs):,} pairs × {len(TESTS)} tests, {measure}")
    print(f"  - CPU s, least of {options.repeat}: Toprung {min(ours):.3f}, SciPy loop {min(loops):,.2f} ({how})")
    print(f"  - ratio {min(loops) / min(ours):.1f}, {min(ours) / len(pairs) * 1e6:.1f} µs a pair, {say_peak()}")
    print(f"  - largest difference of p: {largest_differences(found, expected, every)}", flush=True)
    if name := KEPT.get((n_runs, measure)):
        keep(name, min(ours), {"SciPy loop": min(loops)})


def time_verdicts(ranks: Ranks, repeat: int) -> None:
    """What the verdicts of a board need, of all its pairs."""
    n_pairs = len(all_pairs(ranks.shape[1]))
    outcomes, facets = [], []
    for _ in range(repeat):
        outcomes.append(timed(lambda: pair_outcomes(ranks))[1].cpu_seconds)
        facets.append(timed(lambda: pair_facets(ranks))[1].cpu_seconds)
    for name, costs in (("outcomes of ranks", outcomes), ("both facets of the verdicts", facets)):
        each = min(costs) / n_pairs * 1e6
        print(f"  - {name}: CPU s, least of {repeat}: {min(costs):.2f}, {each:.1f} µs a pair, {say_peak()}")


def say_peak() -> str:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * MAXRSS_UNIT
    return f"peak of this process so far {peak / 1e6:.0f} MB"


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


def take_every(pairs: Pairs, number: int) -> Pairs:
    return Pairs(first=pairs.first[::number], second=pairs.second[::number])


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


def largest_differences(found: PairTests, expected: Floats, every: int) -> str:
    ours = [getattr(found, test).p[::every] for test in TESTS]
    gaps = [np.abs(one - other).max() for one, other in zip(ours, expected, strict=True)]
    return ", ".join(f"{test} {gap:.1e}" for test, gap in zip(TESTS, gaps, strict=True))


if __name__ == "__main__":
    sys.exit(main())
