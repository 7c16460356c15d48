"""How long does one wait for help? ``python -m benchmarks.start``: ``toprung --help`` next to Python and to imports."""

import os
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from benchmarks.cost import Cost, best_of, run_child

ROUNDS = 5
NOWHERE = Path(os.devnull)
MOST_SECONDS = 0.15
"""What `toprung --help` may take, in CPU seconds."""


def main() -> int:
    print(f"## Start\n\n- CPU s, least of {ROUNDS}, each in a process of its own; help may take {MOST_SECONDS}\n")
    print("| command | CPU s | ÷ that of help |\n| --- | --- | --- |")
    costs = {name: time_of(command) for name, command in commands()}
    own = costs["toprung --help"].cpu_seconds
    for name, cost in costs.items():
        print(f"| `{name}` | {cost.cpu_seconds:.3f} | {cost.cpu_seconds / own:.2f} |")
    if own > MOST_SECONDS:
        print(f"\n- **help takes more than {MOST_SECONDS} s here**")
    return 0


def commands() -> Iterator[tuple[str, list[str]]]:
    """Peers that are not installed are left out."""
    yield "toprung --help", [str(Path(sys.executable).with_name("toprung")), "--help"]
    yield "python -c ''", [sys.executable, "-c", ""]
    for package in ("toprung", "pytrec_eval", "ir_measures", "numpy"):
        if find_spec(package) is not None:
            yield f"import {package}", [sys.executable, "-c", f"import {package}"]


def time_of(command: list[str]) -> Cost:
    children = [run_child(command, environment={}, stdout=NOWHERE, stderr=NOWHERE) for _ in range(ROUNDS)]
    failed = next((child.exit_code for child in children if child.exit_code), 0)
    if failed:
        raise SystemExit(f"{' '.join(command)} ended with {failed}.")
    return best_of(child.cost for child in children)


if __name__ == "__main__":
    sys.exit(main())
