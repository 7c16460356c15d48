"""What do bootstrap ranks of a large board cost, next to a loop over trials? ``python -m benchmarks.bootstrap``.

Both run in this process, on one thread, and take turns. The loop is run on a tenth of the trials and its time
multiplied, unless ``--full-loop`` is given.
"""

import argparse
import os
import sys
from collections.abc import Sequence
from functools import partial

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before NumPy: idle threads spin, and that is CPU time too

import numpy as np
from scipy.stats import rankdata

from benchmarks.statistics import Floats, draw_ranks, reciprocal, timed
from toprung.stats.ranks.intervals import rank_intervals
from toprung.stats.ranks.mass import bootstrap_rank_mass, expected_rank


def main(arguments: Sequence[str] | None = None) -> int:
    options = parse_arguments(arguments)
    print("## Ranks under bootstrapping\n")
    values = reciprocal(draw_ranks(options.queries, options.runs))
    compare_with_loop(values, options)
    time_intervals(values, options.repeat)
    return 0


def parse_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.bootstrap", description=__doc__)
    parser.add_argument("--queries", type=int, default=5793)
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--trials", type=int, default=10_000)
    parser.add_argument("--repeat", type=int, default=3, help="rounds of the comparison (default: 3)")
    parser.add_argument("--full-loop", action="store_true", help="loop over all trials instead of a tenth")
    return parser.parse_args(arguments)


def compare_with_loop(values: Floats, options: argparse.Namespace) -> None:
    looped = options.trials if options.full_loop else max(1, options.trials // 10)
    ours, loops = [], []
    for seed in range(options.repeat):
        mass, spent = timed(partial(bootstrap_rank_mass, values, trials=options.trials, rng=seed))
        ours.append(spent.cpu_seconds)
        ranks, spent = timed(partial(loop_over, values, looped, seed + options.repeat))  # its own draws
        loops.append(spent.cpu_seconds * options.trials / looped)
    how = "all trials" if options.full_loop else f"extrapolated from {looped:,} trials"
    print(f"- {values.shape[1]} runs × {len(values):,} queries, {options.trials:,} trials")
    print(f"  - CPU s, least of {options.repeat}: Toprung {min(ours):.3f}, loop {min(loops):.2f} ({how})")
    print(f"  - ratio {min(loops) / min(ours):.1f}, {min(ours) / options.trials * 1e6:.0f} µs a trial")
    print(f"  - expected ranks: {largest_gap(mass, options.trials, ranks)}")


def loop_over(values: Floats, trials: int, seed: int) -> Floats:
    """The plain way: draw queries, take the means, rank them. The ranks of trials × runs."""
    rng = np.random.default_rng(seed)
    ranks = np.empty((trials, values.shape[1]))
    for trial in range(trials):
        drawn = rng.integers(0, len(values), size=len(values))
        ranks[trial] = rankdata(-values[drawn].mean(axis=0))
    return ranks


def largest_gap(mass: Floats, trials: int, ranks: Floats) -> str:
    """How far apart both expected ranks are, in standard errors of their difference, where they are farthest."""
    found = expected_rank(mass)
    variance = mass @ np.arange(1.0, len(mass) + 1) ** 2 - found**2
    errors = np.sqrt(np.maximum(variance, 0) * (1 / trials + 1 / len(ranks)))
    gaps = np.abs(found - ranks.mean(axis=0))
    in_errors = np.divide(gaps, errors, out=np.zeros(len(gaps)), where=errors > 0)
    return f"at most {gaps.max():.4f} apart, and {in_errors.max():.1f} standard errors of Monte Carlo"


def time_intervals(values: Floats, repeat: int) -> None:
    spent = [timed(lambda: rank_intervals(values))[1] for _ in range(repeat)]
    least = min(each.cpu_seconds for each in spent)
    n_pairs = values.shape[1] * (values.shape[1] - 1) // 2
    print(f"- confidence intervals for the ranks of that board, {n_pairs:,} pairs, 1,000 resamples: CPU {least:.1f} s")


if __name__ == "__main__":
    sys.exit(main())
