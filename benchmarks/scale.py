"""How does work grow towards 10,000 runs × 10,000 queries and 100 million lines? ``python -m benchmarks.scale``.

Each part is timed at two sizes or more in this process, one thread, and divided by what it is computed to grow with:
if the quotients agree, the last column, that quotient times the full size, can be believed. ``--only lines`` times
`toprung evaluate` on runs of 7 and 14 million lines.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.cost import Cost, run_child
from benchmarks.inputs import DEFAULT_FOLDER, BenchmarkInput, files_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    type Floats = NDArray[np.float64]

FULL_RUNS, FULL_QUERIES, FULL_LINES = 10_000, 10_000, 100_000_000
DEPTH = 1_000
LINES = (7_000_000, 14_000_000)
BOARDS = ((500, 1_000), (1_000, 1_000), (1_000, 2_000))
RESAMPLES = 1_000


@dataclass(frozen=True, kw_only=True)
class Part:
    """A part of the work: what is done with queries × runs, what it grows with, and the most runs it is timed for."""

    name: str
    grows_with: str
    size: Callable[[int, int], float]
    work: Callable[[Floats], object]
    most_runs: int = 1_000


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=["boards", "lines"], help="one of the two tables (default: both)")
    parser.add_argument("--large", action="store_true", help="10,000 runs × 1,000 queries too; takes minutes")
    parser.add_argument("--make", action="store_true", help="make the runs of many lines, and no more")
    parser.add_argument("--rounds", type=int, default=2, help="the least counts (default: 2)")
    parser.add_argument("--folder", type=Path, default=DEFAULT_FOLDER, help="where inputs are made")
    options = parser.parse_args(arguments)
    if options.make:
        make_lines(options.folder)
        return 0
    if options.only != "boards":
        # In a process of its own: what this one holds when a child starts counts as the child's peak.
        subprocess.run([sys.executable, "-m", "benchmarks.scale", "--make", "--folder", options.folder], check=True)
        print_lines(options.folder, options.rounds)
    if options.only != "lines":
        print_boards(options.rounds, [*BOARDS, *([(FULL_RUNS, 1_000)] if options.large else [])])
    return 0


def print_lines(folder: Path, rounds: int) -> None:
    print("## One run of many lines\n")
    print("| lines | CPU s | peak MB | ns a line | 100M lines, CPU s |")
    print("|---:|---:|---:|---:|---:|")
    for n_lines in LINES:
        files = files_of(_recipe(n_lines), folder=folder, scale=1)
        costs = [_evaluate(files.qrels, files.runs[0]) for _ in range(rounds)]
        cpu = min(each.cpu_seconds for each in costs)
        each_line = cpu / n_lines
        peak = max(each.peak_bytes for each in costs) / 1e6
        cells = [f"{cpu:.2f}", f"{peak:.0f}", f"{each_line * 1e9:.0f}", f"{each_line * FULL_LINES:.0f}"]
        print(f"| {n_lines:,} | {' | '.join(cells)} |", flush=True)


def _recipe(n_lines: int) -> BenchmarkInput:
    return BenchmarkInput(name=f"lines-{n_lines // 1_000_000}m", seed=18, n_queries=n_lines // DEPTH, depth=DEPTH)


def make_lines(folder: Path) -> None:
    """The runs of many lines, unless they are there."""
    from benchmarks.data import ensure_input

    for n_lines in LINES:
        recipe = _recipe(n_lines)
        ensure_input(recipe, files_of(recipe, folder=folder, scale=1))


def _evaluate(qrels: Path, run: Path) -> Cost:
    with tempfile.TemporaryDirectory() as scratch:
        out, err = Path(scratch, "out"), Path(scratch, "err")
        command = [sys.executable, "-m", "toprung", "evaluate", str(qrels), str(run), "-f", "json"]
        finished = run_child(command, environment={}, stdout=out, stderr=err)
        if finished.exit_code:
            sys.exit(err.read_text(errors="replace"))
    return finished.cost


def print_boards(rounds: int, boards: Sequence[tuple[int, int]]) -> None:
    print("\n## Boards of many runs\n")
    print("| part | grows with | runs × queries | CPU s | ps a unit | 10,000 × 10,000, CPU min |")
    print("|---|---|---|---:|---:|---:|")
    matrices = [_draw_board(n_runs, n_queries) for n_runs, n_queries in boards]
    for part in _parts():
        for values in matrices:
            if values.shape[1] <= part.most_runs:
                _print_part(part, values, rounds if values.shape[1] < FULL_RUNS else 1)


def _print_part(part: Part, values: Floats, rounds: int) -> None:
    from benchmarks.spent import timed

    n_queries, n_runs = values.shape
    cpu = min(timed(lambda: part.work(values))[1].cpu_seconds for _ in range(rounds))
    each = cpu / part.size(n_runs, n_queries)
    minutes = each * part.size(FULL_RUNS, FULL_QUERIES) / 60
    board = f"{n_runs:,} × {n_queries:,}"
    print(f"| {part.name} | {part.grows_with} | {board} | {cpu:.2f} | {each * 1e12:.0f} | {minutes:.1f} |", flush=True)


def _draw_board(n_runs: int, n_queries: int) -> Floats:
    """Scores as nDCG has them: of hard and easy queries, runs a little better one than the other."""
    import numpy as np

    rng = np.random.default_rng(18)
    values = rng.normal(0, 0.25, (n_queries, n_runs))
    values += rng.beta(0.5, 0.7, (n_queries, 1)) + np.linspace(0, 0.1, n_runs)
    return np.clip(values, 0, 1, out=values).round(4)


def _parts() -> list[Part]:
    import numpy as np

    from toprung.stats.models.divergence import find_divergences, resamples_for
    from toprung.stats.pairs.observed import observe_pairs
    from toprung.stats.pairs.pairwise import pair_tests
    from toprung.stats.pairs.resamples import fill_gaps
    from toprung.stats.pairs.scaled import resample_means
    from toprung.stats.ranks.intervals import rank_intervals
    from toprung.stats.ranks.mass import bootstrap_rank_mass

    def pairs(n_runs: int) -> float:
        return n_runs * (n_runs - 1) / 2

    def diverge(values: Floats) -> object:
        half = len(values) // 2
        n_tests = values.shape[1]
        few = resamples_for(n_tests) // 100  # each deal costs the same
        return find_divergences(values[:half], values[half:], n_tests=n_tests, resamples=few)

    return [
        Part(
            name="all pairs observed",
            grows_with="queries × pairs",
            size=lambda runs, queries: queries * pairs(runs),
            work=lambda values: observe_pairs(*fill_gaps(values)),
            most_runs=FULL_RUNS,
        ),
        Part(
            name="means in 1,000 resamples",
            grows_with="queries × runs × resamples",
            size=lambda runs, queries: queries * runs * RESAMPLES,
            work=lambda values: resample_means(fill_gaps(values)[0], RESAMPLES, np.random.default_rng(0)),
            most_runs=FULL_RUNS,
        ),
        Part(
            name="rank intervals, all of it",
            grows_with="queries × pairs",
            size=lambda runs, queries: queries * pairs(runs),
            work=lambda values: rank_intervals(values, most_work=0),
            most_runs=FULL_RUNS,
        ),
        Part(
            name="four tests of all pairs",
            grows_with="queries × pairs",
            size=lambda runs, queries: queries * pairs(runs),
            work=lambda values: pair_tests(values, method="asymptotic"),
        ),
        Part(
            name="ranks in 1,000 trials",
            grows_with="queries × runs × trials",
            size=lambda runs, queries: queries * runs * RESAMPLES,
            work=lambda values: bootstrap_rank_mass(values, trials=RESAMPLES),
        ),
        Part(
            name="public against private, 1 deal of 100",
            grows_with="queries × runs × deals ÷ 100",
            size=lambda runs, queries: queries * runs * resamples_for(runs) / 100,
            work=diverge,
        ),
    ]


if __name__ == "__main__":
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    sys.exit(main())
