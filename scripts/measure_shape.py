"""Prints figures of the tree: how large its parts are, where they run in circles, what is said twice, what it costs.

    python -m scripts.measure_shape [--json] [--junit FILE]

FILE is what `pytest --junit-xml FILE` wrote; with it the slowest files of tests are shown too.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

from scripts.shape.cycles import measure_cycles
from scripts.shape.figure import Figure, to_dict, to_markdown
from scripts.shape.pages import measure_pages
from scripts.shape.source import measure_source, measure_tests
from scripts.shape.times import measure_help, measure_test_times

ROOT = Path(__file__).resolve().parents[1]


def main(arguments: Sequence[str] | None = None) -> None:
    asked = _parse(arguments)
    figures = [*measure_tree(ROOT), measure_help()]
    if asked.junit:
        figures.append(measure_test_times(asked.junit))
    print(json.dumps(to_dict(figures), indent=2, ensure_ascii=False) if asked.json else to_markdown(figures))


def measure_tree(root: Path) -> list[Figure]:
    src = root / "src"
    return [*measure_source(src), measure_cycles(src), *measure_pages(src), *measure_tests(root / "tests")]


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Print figures of the tree.")
    parser.add_argument("--json", action="store_true", help="as JSON, with every name")
    parser.add_argument("--junit", type=Path, metavar="FILE", help="what pytest --junit-xml wrote: seconds by file")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main()
