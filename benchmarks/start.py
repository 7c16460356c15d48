"""How long does one wait for help, and for a small evaluation? ``python -m benchmarks.start``, beside peers."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from benchmarks.contenders import PEERS, TOPRUNG
from benchmarks.cost import Cost, best_of, run_child
from benchmarks.figures import keep
from benchmarks.inputs import DEFAULT_FOLDER, INPUTS, REPOSITORY, InputFiles, files_of

ROUNDS = 7
NOWHERE = Path(os.devnull)
HELP, EVALUATE = "toprung --help", "toprung evaluate"
MOST_SECONDS = {HELP: 0.15, EVALUATE: 0.15}
"""What these may take, in CPU seconds."""
SMALL = next(recipe for recipe in INPUTS if recipe.name == "small")
EVALUATE_TOO = ("trec_eval", "pytrec_eval", "ir_measures")
"""Peers that start in less than seconds."""


def main() -> int:
    make = [sys.executable, "-m", "benchmarks.data", "--only", SMALL.name]
    subprocess.run(make, check=True, cwd=REPOSITORY, stdout=subprocess.DEVNULL)
    print(f"## Start\n\n- CPU s, least of {ROUNDS}, in turns, each in a process of its own")
    print(f"- evaluate: {SMALL.n_queries} × {SMALL.depth} lines by four measures, from files to means\n")
    with tempfile.TemporaryDirectory() as scratch:
        costs = time_in_turns(dict(commands(files_of(SMALL, folder=DEFAULT_FOLDER, scale=1), Path(scratch))))
    print("| command | CPU s | ÷ toprung's evaluate |\n| --- | --- | --- |")
    own = costs[EVALUATE].cpu_seconds
    beside = {name: costs[of_same(name)].cpu_seconds for name in EVALUATE_TOO if of_same(name) in costs}
    keep("50 × 1,000 lines", own, beside)
    for name, cost in costs.items():
        print(f"| `{name}` | {cost.cpu_seconds:.3f} | {cost.cpu_seconds / own:.2f} |")
    for name, most in MOST_SECONDS.items():
        if costs[name].cpu_seconds > most:
            print(f"\n- **`{name}` takes more than {most} s here**")
    return 0


def commands(small: InputFiles, scratch: Path) -> Iterator[tuple[str, list[str]]]:
    """Peers that are not installed are left out."""
    yield EVALUATE, TOPRUNG.command(small, scratch)
    for peer in PEERS:
        if peer.name in EVALUATE_TOO and peer.is_installed():
            yield of_same(peer.name), peer.command(small, scratch)
    yield HELP, [str(Path(sys.executable).with_name("toprung")), "--help"]
    yield "python -c ''", [sys.executable, "-c", ""]
    for package in ("click", "toprung", "pytrec_eval", "ir_measures", "numpy"):
        if find_spec(package) is not None:
            yield f"import {package}", [sys.executable, "-c", f"import {package}"]


def of_same(peer: str) -> str:
    return f"{peer} of the same"


def time_in_turns(of: dict[str, list[str]]) -> dict[str, Cost]:
    costs: dict[str, list[Cost]] = {name: [] for name in of}
    for _ in range(ROUNDS):
        for name, command in of.items():
            child = run_child(command, environment={}, stdout=NOWHERE, stderr=NOWHERE)
            if child.exit_code:
                raise SystemExit(f"{' '.join(command)} ended with {child.exit_code}.")
            costs[name].append(child.cost)
    return {name: best_of(each) for name, each in costs.items()}


if __name__ == "__main__":
    sys.exit(main())
