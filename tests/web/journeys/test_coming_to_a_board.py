"""From nobody to the top rung: an account, a team, a file that is refused, one that is taken, a claim that holds."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.web.cast import even_ranks, run_text
from tests.web.journeys.conftest import Enter
from tests.web.journeys.fill import ARRIVALS
from tests.web.journeys.site import Site
from tests.web.journeys.walking import Walk

pytestmark = pytest.mark.django_db  # for the world that the served folder is filled with


def test_a_newcomer_takes_the_top_rung(site: Site, enter: Enter, tmp_path: Path) -> None:
    walk = Walk(seen=enter(f"/b/{ARRIVALS}/"))
    walk.follow("Submit a run")
    make_account(walk)
    found_team(walk)
    send_broken_file(walk, tmp_path)
    drop_good_file(walk, tmp_path)
    submit(walk)
    follow_it(walk)
    find_it_on_the_board(walk, site)
    assert walk.faults == []


def make_account(walk: Walk) -> None:
    walk.wait_for("Sign in")
    walk.follow("Make an account")
    walk.write(name="Ada Newcomer", email="ada@example.org", password1="a long pass phrase")
    walk.press("Make the account")


def found_team(walk: Walk) -> None:
    """The page that needs a team says so, and leads back."""
    walk.wait_for("team")
    walk.follow("Found a team")
    walk.write(name="Ada’s Lab")
    walk.press("Found the team")
    walk.wait_for("submissions left")


def send_broken_file(walk: Walk, folder: Path) -> None:
    """By the dialog: what is wrong stands beside the form, and the button stays off."""
    broken = folder / "broken.txt"
    broken.write_text("q01 Q0 d1 1 1.0 x\nq01 Q0 d1 2 0.9 x\n")
    walk.choose("file", broken)
    walk.wait_for("expected each document at most once in a query", within="#check")
    assert "1 error to correct first" in walk.reads("#submit-bar")


def drop_good_file(walk: Walk, folder: Path) -> None:
    """By drag and drop: the dry run is scored, and the name is taken from the file."""
    good = folder / "first-light.txt"
    good.write_bytes(run_text(even_ranks(2)))
    walk.drop("#file", good)
    walk.wait_for("Dry run", within="#check")
    assert "RR@100 1.0000" in walk.reads("#check")
    walk.wait_for("Counts as one submission", within="#submit-bar")
    assert walk.seen.run(lambda page: page.locator("[name=name]").input_value()) == "first-light"


def submit(walk: Walk) -> None:
    walk.write(description="The answer is always second.")
    walk.press("Submit")


def follow_it(walk: Walk) -> None:
    """The page follows the run to its end, without being loaded again."""
    walk.seen.run(lambda page: page.evaluate("window.wasNotLoadedAgain = true"))
    walk.wait_for("R1 is done")
    assert walk.seen.run(lambda page: page.evaluate("window.wasNotLoadedAgain")) is True
    walk.follow("See R1")
    walk.wait_for("does best")
    assert "0.500" in walk.reads()


def find_it_on_the_board(walk: Walk, site: Site) -> None:
    walk.go(f"{site.url}/b/{ARRIVALS}/")
    assert "first-light does best" in walk.reads(".sentence")
    row = walk.row("R1")
    assert all(words in row for words in ("first-light", "Ada’s Lab", "0.500", "last proved gain"))
    walk.go(f"{site.url}/b/{ARRIVALS}/history/")
    assert "passed" in walk.reads("#claims")
