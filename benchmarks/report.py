"""What does a whole report cost, from files to the page? ``python -m benchmarks.report``.

Each round is a fresh process that runs ``toprung report`` with everything a report can be given but a judging effort:
private labels, other labels, and dates, teams, costs and seeds of the runs; 1,000 trials. A round before them, which is
not counted, leaves the compiled modules that a user's first report leaves. Rounds of all sizes take turns. CPU time is
that of all threads; the least of the rounds counts, and the highest peak of memory.
"""

import argparse
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.cost import Cost, best_of, run_child
from benchmarks.inputs import DEFAULT_FOLDER, REPOSITORY

N_RUNS = (13, 63, 100)
COMPILED = {"PYTHONDONTWRITEBYTECODE": ""}
"""Else no round would leave compiled modules for the next."""


def main(arguments: Sequence[str] | None = None) -> int:
    options = parse_arguments(arguments)
    costs: dict[int, list[Cost]] = {n_runs: [] for n_runs in options.runs}
    for n_runs in options.runs:
        make_inputs(folder_of(n_runs))
    time_report(folder_of(min(options.runs)), options.jobs)
    for _ in range(options.repeat):
        for n_runs in options.runs:
            costs[n_runs].append(time_report(folder_of(n_runs), options.jobs))
    print("## A report, from files to the page\n")
    for n_runs in options.runs:
        tell(n_runs, costs[n_runs], options.jobs)
    return 0


def parse_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.report", description=__doc__)
    parser.add_argument("--runs", type=int, nargs="+", default=N_RUNS, help="sizes of the board (default: 13 63 100)")
    parser.add_argument("--repeat", type=int, default=3, help="rounds (default: 3)")
    parser.add_argument("--jobs", "-j", type=int, default=2, help="cores the command may use (default: 2)")
    return parser.parse_args(arguments)


def folder_of(n_runs: int) -> Path:
    return DEFAULT_FOLDER / f"report-{n_runs}"


def make_inputs(folder: Path) -> None:
    # In a child, for this process has to stay small: see cost.run_child.
    n_runs = folder.name.rpartition("-")[2]
    subprocess.run([sys.executable, "-m", "benchmarks.report_data", str(folder), n_runs], check=True, cwd=REPOSITORY)


def time_report(folder: Path, jobs: int) -> Cost:
    """Run the command once; what it says goes to files beside its inputs."""
    toprung = Path(sys.executable).with_name("toprung")
    known = ["--private-qrels", "private.qrels", "--labels", "new.qrels", "--dates", "runs.csv"]
    known = [each if each.startswith("--") else str(folder / each) for each in known]
    runs = [str(path) for path in sorted((folder / "runs").iterdir())]
    command = [str(toprung), "report", str(folder / "qrels.txt"), *runs, *known, "-j", str(jobs)]
    stderr = folder / "stderr.txt"
    finished = run_child(
        [*command, "--output", str(page_in(folder))], environment=COMPILED, stdout=folder / "stdout.txt", stderr=stderr
    )
    if finished.exit_code:
        raise SystemExit(stderr.read_text(errors="replace"))
    return finished.cost


def page_in(folder: Path) -> Path:
    return folder / "report.html"


def tell(n_runs: int, costs: Sequence[Cost], jobs: int) -> None:
    least = best_of(costs)
    parts = (folder_of(n_runs) / "stdout.txt").read_text().rstrip().rpartition(": ")[2]
    print(f"- {n_runs} runs × 5,793 queries, {jobs} cores, least of {len(costs)}")
    print(f"  - wall {least.wall_seconds:.1f} s, CPU {least.cpu_seconds:.1f} s, peak {least.peak_bytes / 1e6:.0f} MB")
    print(f"  - {parts}")


if __name__ == "__main__":
    sys.exit(main())
