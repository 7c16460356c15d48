"""All parts of the benchmarks, and one page of what they found: ``python -m benchmarks.everything``.

The page opens with the conditions and the table of where people waited at first and how long they wait now.
"""

import argparse
import datetime
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.conditions import Moment, load_of_machine, machine
from benchmarks.figures import KEPT_IN, Figure, read_figures
from benchmarks.inputs import REPOSITORY
from benchmarks.results import bullets, markdown_table
from benchmarks.waits import say_waits, without_figures

PARTS = (
    "run",
    "start",
    "formats",
    "held",
    "statistics",
    "bootstrap",
    "agreement",
    "labels",
    "report",
    "board_growth",
    "rescoring",
    "board",
)
RESULTS = REPOSITORY / "benchmarks" / "RESULTS.md"


@dataclass(frozen=True, kw_only=True)
class DonePart:
    """What one part printed, and beside what."""

    name: str
    text: str
    exit_code: int
    minutes: float
    load: str
    """When it began."""
    cores_of_others: float | None


def main(arguments: Sequence[str] | None = None) -> int:
    options = parse_arguments(arguments)
    began = machine()
    with tempfile.TemporaryDirectory() as folder:
        kept = Path(folder) / "figures.jsonl"
        parts = [do_part(name, kept) for name in options.parts]
        figures = read_figures(kept)
    options.output.write_text(to_page(began, parts, figures))
    return complain(parts, figures)


def parse_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.everything", description=__doc__)
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=PARTS, metavar="PART", help="(default: all)")
    parser.add_argument("-o", "--output", type=Path, default=RESULTS, help="(default: benchmarks/RESULTS.md)")
    return parser.parse_args(arguments)


def do_part(name: str, kept: Path) -> DonePart:
    """Printed as it comes."""
    print(f"{datetime.datetime.now(datetime.UTC):%H:%M} UTC: {name}", file=sys.stderr, flush=True)
    before, load = Moment.now(), load_of_machine()
    command = [sys.executable, "-m", f"benchmarks.{name}"]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, cwd=REPOSITORY, env={**os.environ, KEPT_IN: str(kept)}
    )
    assert process.stdout is not None  # for the type checker: it is a pipe
    lines = []
    for line in process.stdout:
        print(line, end="", flush=True)
        lines.append(line)
    exit_code = process.wait()
    after = Moment.now()
    return DonePart(
        name=name,
        text="".join(lines).strip(),
        exit_code=exit_code,
        minutes=(after.seconds - before.seconds) / 60,
        load=load,
        cores_of_others=after.cores_of_others(before),
    )


def to_page(began: Sequence[str], parts: Sequence[DonePart], figures: dict[str, Figure]) -> str:
    total = sum(part.minutes for part in parts)
    told = [
        *began,
        f"One run of `make bench`, {total:.0f} minutes; every figure is of it, but for those of the first version",
    ]
    known = [(part.minutes, part.cores_of_others) for part in parts if part.cores_of_others is not None]
    if known:
        cores = sum(minutes * cores for minutes, cores in known) / sum(minutes for minutes, _ in known)
        told.append(
            f"Beside it others used {cores:.2f} of {os.cpu_count()} cores, in the mean: part by part at the end"
        )
    sections = ["# Benchmark results", bullets(told), say_waits(figures), *map(say_part, parts)]
    return "\n\n".join([*sections, say_conditions(parts)]) + "\n"


def say_part(part: DonePart) -> str:
    return f"{part.text}\n\n- **This part ended with {part.exit_code}**" if part.exit_code else part.text


def say_conditions(parts: Sequence[DonePart]) -> str:
    rows = [[part.name, f"{part.minutes:.1f}", part.load, say_cores(part.cores_of_others)] for part in parts]
    headings = ("part", "minutes", "load average when it began", "cores that others used")
    notes = (
        "The load average is that of the last 1, 5 and 15 minutes, the parts before included. "
        "Cores that others used, in the mean: all that was done on the machine meanwhile, without what this run did."
    )
    return f"## Beside what it was measured\n\n{markdown_table(headings, rows)}\n\n{notes}"


def say_cores(number: float | None) -> str:
    return "not known" if number is None else f"{number:.2f}"


def complain(parts: Sequence[DonePart], figures: dict[str, Figure]) -> int:
    failed = [f"{part.name} ended with {part.exit_code}" for part in parts if part.exit_code]
    missing = [f"nothing was measured of: {name}" for name in without_figures(figures, [part.name for part in parts])]
    for line in (*failed, *missing):
        print(line, file=sys.stderr)
    return 1 if failed or missing else 0


if __name__ == "__main__":
    sys.exit(main())
