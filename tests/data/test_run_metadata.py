"""What is known of runs, taken apart into what each analysis asks for."""

from __future__ import annotations

import math
from datetime import date

import pytest

from toprung.data.run_metadata import Metadata, RunMetadata
from toprung.errors import FormatError, InputError

KNOWN = Metadata(
    entries=(
        RunMetadata(name="bm25", is_baseline=True, cost=1, tags=("sparse",)),
        RunMetadata(name="d1", team="Halden", date=date(2021, 5, 1), system="dense", seed="1", latency=20.0),
        RunMetadata(name="d2", team="Halden", date=date(2021, 5, 2), system="dense", seed="2", cost=4.0),
    ),
    source="m.csv",
)


def test_each_view_holds_the_runs_that_say_so() -> None:
    assert KNOWN.dates() == {"d1": date(2021, 5, 1), "d2": date(2021, 5, 2)}
    assert KNOWN.teams() == {"d1": "Halden", "d2": "Halden"}
    assert KNOWN.tags() == {"bm25": ("sparse",)}
    assert KNOWN.costs() == {"bm25": 1.0, "d2": 4.0}
    assert KNOWN.latencies() == {"d1": 20.0}
    assert KNOWN.systems() == {"dense": ("d1", "d2")}
    assert KNOWN.baselines() == ("bm25",)
    assert KNOWN.by_run["d2"].seed == "2"


def test_a_baseline_without_a_team_is_no_submission() -> None:
    made = KNOWN.submissions()
    assert [(each.run, each.team) for each in made.entries] == [("d1", "Halden"), ("d2", "Halden")]
    assert made.source == "m.csv"


@pytest.mark.parametrize(
    ("entry", "missing"),
    [(RunMetadata(name="x", team="T"), "date"), (RunMetadata(name="x", date=date(2021, 1, 1)), "team")],
)
def test_a_submission_needs_a_team_and_a_date(entry: RunMetadata, missing: str) -> None:
    with pytest.raises(InputError, match=f"Found no {missing} for run 'x'; expected a team and a date"):
        Metadata(entries=(entry,)).submissions()


def test_a_part_keeps_the_order_and_leaves_unknown_runs_out() -> None:
    assert [entry.name for entry in KNOWN.select(["d2", "bm25", "other"]).entries] == ["bm25", "d2"]


@pytest.mark.parametrize("cost", [0.0, -1.0, math.inf, math.nan])
def test_a_cost_is_a_positive_number(cost: float) -> None:
    with pytest.raises(FormatError, match=r"run 'a': found cost .*; expected a positive number"):
        RunMetadata(name="a", cost=cost)


def test_a_run_stands_once() -> None:
    with pytest.raises(InputError, match="Found run 'a' twice"):
        Metadata(entries=(RunMetadata(name="a"), RunMetadata(name="a")))
