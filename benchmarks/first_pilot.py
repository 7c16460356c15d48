"""How long does an organiser take from an empty server to a running pilot? ``python -m benchmarks.first_pilot``.

Sixty runs, labels and texts are made; then a browser and a shell do what docs/howto/run-a-campaign.md says, one by one.
Waiting is measured. A person is reckoned with: every word of the docs' section and of the test pairs at 200 a minute,
and seconds for each click, field and command. Installing is not in it. The short form is a test,
``tests/web/journeys/test_coming_to_a_pilot.py``.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tests.browser.chromium import find_chromium, start_chromium
from tests.web.journeys.made_for_a_pilot import N_RUNS, make_files
from tests.web.journeys.to_a_pilot import PilotJourney, go_to_a_pilot

DOCS = Path(__file__).parents[1] / "docs/howto/run-a-campaign.md"
SECTION = "## From an empty server to a pilot"
MOST_MINUTES = 15
WORDS_A_MINUTE = 200
SECONDS_A_CLICK, SECONDS_A_FIELD, SECONDS_A_COMMAND = 5, 15, 30
"""Of somebody who looks for the button, thinks of a name, and opens a terminal."""


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--queries", type=int, default=500, help="with six passages each that have a text")
    parser.add_argument("--depth", type=int, default=100, help="documents of each run for a query")
    given = parser.parse_args(arguments)
    path = find_chromium()
    if path is None:
        parser.error("found no Chromium; expected one, such as Debian's: apt-get install chromium")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("TOPRUNG_", "DJANGO_"))}
    with tempfile.TemporaryDirectory(prefix="toprung-pilot-") as folder, start_chromium(path) as chromium:
        brought = make_files(Path(folder) / "brought", n_queries=given.queries, depth=given.depth)
        told = go_to_a_pilot(chromium, Path(folder) / "data", brought, environment | {"PYTHONUNBUFFERED": "1"})
    print(f"{N_RUNS} runs on {given.queries} queries, {given.depth} deep")
    return say(told, count_docs(DOCS.read_text(encoding="utf-8")))


def count_docs(text: str) -> int:
    """Words of the section that leads to a pilot."""
    return len(text.partition(SECTION)[2].partition("\n## ")[0].split())


def say(told: PilotJourney, n_words: int) -> int:
    """Every part, and 1 where the sum is too much."""
    acted = told.clicks * SECONDS_A_CLICK + told.typed * SECONDS_A_FIELD + told.commands * SECONDS_A_COMMAND
    read = (n_words + told.words) * 60 / WORDS_A_MINUTE
    waited = sum(told.seconds.values())
    print(f"{told.commands} commands, {told.typed} fields, {told.clicks} clicks: {acted / 60:.1f} minutes")
    print(f"{n_words} words of docs and {told.words} of test pairs: {read / 60:.1f} minutes")
    for step, seconds in told.seconds.items():
        print(f"  {step:24} {seconds:6.1f} s")
    print(f"waiting: {waited / 60:.1f} minutes")
    total = (acted + read + waited) / 60
    print(f"in all: {total:.1f} minutes; asked for {MOST_MINUTES}")
    return int(total > MOST_MINUTES)


if __name__ == "__main__":
    raise SystemExit(main())
