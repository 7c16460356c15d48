"""What do bootstrap ranks of a large board cost, next to a loop over trials? ``python -m benchmarks.bootstrap``.

Both run in this process and take turns. The loop is run on a tenth of the trials and its time multiplied, unless
``--full-loop`` is given. The ranks are timed once more while processes that do nothing but count keep the cores busy:
nothing may wait in a loop for a core that somebody else has. Simultaneous intervals are timed with the compiled kernel
and without, in turns.
"""

import argparse
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial

import numpy as np
from scipy.stats import rankdata

from benchmarks.figures import keep
from benchmarks.spent import timed
from benchmarks.statistics import Floats, draw_ranks, reciprocal
from toprung.stats.ranks.intervals import rank_intervals
from toprung.stats.ranks.mass import bootstrap_rank_mass, expected_rank

LONGEST_BUSY = 600
"""Seconds after which a busy process ends by itself, if nobody ended it."""
COUNT_ON = f"import time; until = time.monotonic() + {LONGEST_BUSY}\nwhile time.monotonic() < until: pass"


def main(arguments: Sequence[str] | None = None) -> int:
    options = parse_arguments(arguments)
    print("## Ranks under bootstrapping\n")
    values = reciprocal(draw_ranks(options.queries, options.runs))
    compare_with_loop(values, options)
    time_beside_others(values, options)
    for n_runs, n_queries in ((options.runs, options.queries), (250, 1_000), (options.many_runs, 1_000)):
        compare_intervals(reciprocal(draw_ranks(n_queries, n_runs)), options.repeat)
    return 0


def parse_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.bootstrap", description=__doc__)
    parser.add_argument("--queries", type=int, default=5793)
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--trials", type=int, default=10_000)
    parser.add_argument("--many-runs", type=int, default=1_000, help="of the largest intervals (default: 1000)")
    parser.add_argument("--repeat", type=int, default=5, help="rounds of the comparison (default: 5)")
    parser.add_argument("--busy", type=int, default=5, help="processes that run beside it (default: 5)")
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
    print(f"  - expected ranks: {largest_gap(mass, options.trials, ranks)}", flush=True)
    keep("bootstrap", min(ours), {"loop": min(loops)})


def time_beside_others(values: Floats, options: argparse.Namespace) -> None:
    """In turns alone and beside busy processes, so that a slow spell of the machine falls on both."""
    alone, beside = [], []
    for seed in range(options.repeat):
        work = partial(bootstrap_rank_mass, values, trials=options.trials, rng=seed)
        alone.append(timed(work)[1].cpu_seconds)
        with busy_processes(options.busy):
            beside.append(timed(work)[1].cpu_seconds)
    print(
        f"  - alone {min(alone):.3f}, beside {options.busy} busy processes {min(beside):.3f} "
        f"(CPU s, least of {options.repeat}); at most {max(alone):.3f} and {max(beside):.3f}; {os.cpu_count()} cores",
        flush=True,
    )
    keep("bootstrap beside others", min(beside))


@contextmanager
def busy_processes(number: int) -> Iterator[None]:
    """Which count on until the work is done."""
    children = [subprocess.Popen([sys.executable, "-c", COUNT_ON]) for _ in range(number)]
    try:
        yield
    finally:
        for child in children:
            child.kill()
            child.wait()


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


def compare_intervals(values: Floats, repeat: int) -> None:
    """Simultaneous intervals with the compiled kernel and by NumPy alone."""
    compiled, plain = [], []
    for _ in range(repeat):
        found, spent = timed(lambda: rank_intervals(values))
        compiled.append(spent.cpu_seconds)
        with switched_off("TOPRUNG_KERNEL"):
            expected, spent = timed(lambda: rank_intervals(values))
        plain.append(spent.cpu_seconds)
    n_queries, n_runs = values.shape
    how = "a standard error for each resample" if found.is_studentised else "the observed standard error"
    is_same = np.array_equal(found.is_better, expected.is_better)
    print(
        f"- intervals for the ranks of {n_runs:,} runs × {n_queries:,} queries × {found.resamples:,} resamples, {how}"
    )
    print(f"  - CPU s, least of {repeat}: kernel {min(compiled):.2f}, NumPy {min(plain):.2f}, ", end="")
    print(f"ratio {min(plain) / min(compiled):.1f}; the same relation: {'yes' if is_same else 'NO'}", flush=True)
    keep(f"intervals of {n_runs:,}", min(compiled), {"NumPy": min(plain)})


@contextmanager
def switched_off(variable: str) -> Iterator[None]:
    os.environ[variable] = "off"
    try:
        yield
    finally:
        del os.environ[variable]


if __name__ == "__main__":
    sys.exit(main())
