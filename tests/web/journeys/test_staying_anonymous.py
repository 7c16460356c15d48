"""A claim that does not pass, by a run whose team nobody is to know, until the day comes."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from tests.web.cast import even_ranks, run_text
from tests.web.journeys.conftest import Enter
from tests.web.journeys.fill import CLAIMED
from tests.web.journeys.site import Site
from tests.web.journeys.walking import Walk

pytestmark = pytest.mark.django_db  # for the world that the served folder is filled with

NAME, TEAM = "hairs-breadth", "Kestrel Lab"


def test_an_anonymous_claim_is_on_record_and_named_when_the_day_comes(site: Site, enter: Enter, tmp_path: Path) -> None:
    today = datetime.now(UTC).date()
    submit_just_above_the_holder(Walk(seen=enter(f"/b/{CLAIMED}/submit/", "participant")), tmp_path, today)
    pages = [Walk(seen=enter(f"/b/{CLAIMED}/{page}")) for page in ("", "history/", "runs/R1/")]
    for page in pages:
        assert TEAM not in page.reads("body")
        assert NAME not in page.reads("body")
    board, claims, *_ = pages
    assert f"Anonymous until {today + timedelta(days=30)}" in board.row("R1")
    assert "claim not passed" in board.row("R1")
    assert "may be best" in board.reads(".sentence")
    assert "not passed" in claims.reads("#claims")

    # The day comes: nothing is computed, nobody does anything, and the same pages tell the name.
    site.change("UPDATE web_submission SET anonymous_until = ? WHERE name = ?", today.isoformat(), NAME)
    for page in pages[:3]:
        page.look_again()
        assert TEAM in page.reads()
        assert NAME in page.reads()
    assert all(page.faults == [] for page in pages)


def submit_just_above_the_holder(walk: Walk, folder: Path, today: datetime) -> None:
    """On one query of forty the answer stands one rank higher."""
    file = folder / f"{NAME}.txt"
    file.write_bytes(run_text(even_ranks(4) | {"q01": 3}))
    walk.choose("file", file)
    walk.wait_for("Counts as one submission", within="#submit-bar")
    walk.write(description="A hair better.", anonymous_until=str(today + timedelta(days=30)))
    walk.press("Submit")
    walk.wait_for("See its page")
    assert walk.faults == []
