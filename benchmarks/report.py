"""What does a whole report cost, from files to the page? ``python -m benchmarks.report``.

Each round is a fresh process that runs ``toprung report`` with everything a report can be given but a judging effort:
private labels, other labels, and dates, teams, costs and seeds of the runs; 1,000 trials. A round before them, which is
not counted, leaves the compiled modules that a user's first report leaves. Rounds of all sizes take turns. CPU time is
that of all threads; the least of the rounds counts, and the highest peak of memory. ``trec-63`` is a track of TREC: 63
runs of 50 queries × 1,000 documents with graded labels, of which only dates, teams, costs and seeds are known.
"""

import argparse
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.cost import Cost, best_of, run_child
from benchmarks.figures import keep
from benchmarks.inputs import DEFAULT_FOLDER, REPOSITORY

BOARDS = ("13", "63", "100", "trec-63")
SHAPES = {False: "5,793 queries × 100, packed", True: "50 queries × 1,000, graded"}
COMPILED = {"PYTHONDONTWRITEBYTECODE": ""}
"""Else no round would leave compiled modules for the next."""


def main(arguments: Sequence[str] | None = None) -> int:
    options = parse_arguments(arguments)
    costs: dict[str, list[Cost]] = {board: [] for board in options.boards}
    for board in options.boards:
        make_inputs(folder_of(board))
    time_report(folder_of(options.boards[0]), options.jobs)
    for _ in range(options.repeat):
        for board in options.boards:
            costs[board].append(time_report(folder_of(board), options.jobs))
    print("## A report, from files to the page\n")
    for board in options.boards:
        tell(board, costs[board], options.jobs)
    return 0


def parse_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.report", description=__doc__)
    parser.add_argument("--boards", nargs="+", default=BOARDS, help=f"numbers of runs (default: {' '.join(BOARDS)})")
    parser.add_argument("--repeat", type=int, default=5, help="rounds (default: 5)")
    parser.add_argument("--jobs", "-j", type=int, default=2, help="cores the command may use (default: 2)")
    return parser.parse_args(arguments)


def folder_of(board: str) -> Path:
    return DEFAULT_FOLDER / f"report-{board}"


def make_inputs(folder: Path) -> None:
    # In a child, for this process has to stay small: see cost.run_child.
    n_runs = folder.name.rpartition("-")[2]
    subprocess.run([sys.executable, "-m", "benchmarks.report_data", str(folder), n_runs], check=True, cwd=REPOSITORY)


def time_report(folder: Path, jobs: int) -> Cost:
    """Run the command once; what it says goes to files beside its inputs."""
    toprung = Path(sys.executable).with_name("toprung")
    known = {"--private-qrels": "private.qrels", "--labels": "new.qrels", "--dates": "runs.csv"}
    told = [each for option, name in known.items() if (folder / name).exists() for each in (option, str(folder / name))]
    runs = [str(path) for path in sorted((folder / "runs").iterdir())]
    command = [str(toprung), "report", str(folder / "qrels.txt"), *runs, *told, "-j", str(jobs)]
    stderr = folder / "stderr.txt"
    finished = run_child(
        [*command, "--output", str(page_in(folder))], environment=COMPILED, stdout=folder / "stdout.txt", stderr=stderr
    )
    if finished.exit_code:
        raise SystemExit(stderr.read_text(errors="replace"))
    return finished.cost


def page_in(folder: Path) -> Path:
    return folder / "report.html"


def tell(board: str, costs: Sequence[Cost], jobs: int) -> None:
    least = best_of(costs)
    parts = (folder_of(board) / "stdout.txt").read_text().rstrip().rpartition(": ")[2]
    n_runs, shape = board.rpartition("-")[2], SHAPES["trec" in board]
    print(f"- {n_runs} runs × {shape}, -j {jobs}, least of {len(costs)}")
    print(f"  - wall {least.wall_seconds:.1f} s, CPU {least.cpu_seconds:.1f} s, peak {least.peak_bytes / 1e6:.0f} MB")
    print(f"  - {parts}")
    keep(f"report of {board}", least.cpu_seconds, peak_bytes=least.peak_bytes)


if __name__ == "__main__":
    sys.exit(main())
