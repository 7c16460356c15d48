"""What the tests of pages share: a report of runs with awkward names, made once."""

from __future__ import annotations

from datetime import date

import numpy as np
import pytest

import toprung as tr
from toprung.analyses.leaderboard.find import Leaderboard, leaderboard
from toprung.boards.engine.rules import Rule
from toprung.report.overview.result import Overview
from toprung.report.page.report import to_report_page

HOSTILE = "<script>alert('1')</script>"
RUNS = (HOSTILE, '"=cmd" & \\b', "עברית 🏆", "plain")


@pytest.fixture(scope="session")
def ranks() -> tr.FirstRanks:
    """Forty queries; the first run answers all of them at rank 1, the last none; the two between take turns."""
    rows = [[1, 2, 3, 0] if number % 2 else [1, 3, 2, 0] for number in range(40)]
    query_ids = tuple(f"q{number}" for number in range(40))
    return tr.FirstRanks(query_ids=query_ids, runs=RUNS, values=np.array(rows, dtype=np.int32), cutoff=10)


@pytest.fixture(scope="session")
def hostile_overview(ranks: tr.FirstRanks) -> Overview:
    return tr.report(ranks, title="A <b>board</b>", trials=20)


@pytest.fixture(scope="session")
def report_text(hostile_overview: Overview) -> str:
    return to_report_page(hostile_overview)


@pytest.fixture(scope="session")
def dated_board(ranks: tr.FirstRanks) -> Leaderboard:
    """The baseline first, then the two, then the one that answers all: its claim is the last to pass."""
    days = {run: date(2021, 5, day) for day, run in enumerate(reversed(RUNS), start=1)}
    return leaderboard(
        ranks,
        dates=days,
        rule=Rule.MEASURE,
        baselines=["plain"],
        teams={HOSTILE: "Team <i>"},
        tags={"עברית 🏆": ("generative",)},
    )
