"""An organiser with runs and texts comes from an empty server to a running pilot, in few steps."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.browser.chromium import Chromium
from tests.web.journeys.made_for_a_pilot import N_RUNS, make_files
from tests.web.journeys.to_a_pilot import PilotJourney, go_to_a_pilot

COMMANDS, TYPED, MOST_CLICKS = 2, 4, 39
"""Of the clicks twelve are test pairs that are looked at; docs/howto/run-a-campaign.md names the figures."""


def go(chromium: Chromium, folder: Path, *, n_runs: int, n_queries: int) -> PilotJourney:
    brought = make_files(folder / "brought", n_queries=n_queries, depth=10, n_runs=n_runs)
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("TOPRUNG_", "DJANGO_"))}
    return go_to_a_pilot(chromium, folder / "data", brought, environment | {"PYTHONUNBUFFERED": "1"})


def check(told: PilotJourney) -> None:
    assert told.faults == []
    assert told.pair == "1 of 13"
    assert "Second look pilot of 10 tasks Pause Go on after the pilot" in told.campaign
    assert (told.commands, told.typed) == (COMMANDS, TYPED)
    assert told.clicks <= MOST_CLICKS, told.clicks


def test_from_an_empty_server_to_a_running_pilot(chromium: Chromium, tmp_path: Path) -> None:
    check(go(chromium, tmp_path, n_runs=4, n_queries=25))


@pytest.mark.slow
def test_with_sixty_runs_the_way_is_the_same(chromium: Chromium, tmp_path: Path) -> None:
    """How long it takes is said by `python -m benchmarks.first_pilot`."""
    told = go(chromium, tmp_path, n_runs=N_RUNS, n_queries=100)
    check(told)
    assert "0 of 100 queries are decided" in told.campaign
