"""From nobody to the top rung: the data, an account, a team, a file that is refused, a dry run, a claim that holds."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.web.cast import DEV, even_ranks, run_text
from tests.web.journeys.conftest import Enter
from tests.web.journeys.fill import ARRIVALS
from tests.web.journeys.site import Site
from tests.web.journeys.walking import Walk

pytestmark = pytest.mark.django_db  # for the world that the served folder is filled with


def test_a_newcomer_takes_the_top_rung(site: Site, enter: Enter, tmp_path: Path) -> None:
    walk = Walk(seen=enter(f"/b/{ARRIVALS}/"))
    read_about_the_data(walk)
    make_account(walk)
    found_team(walk)
    send_empty_file(walk, tmp_path)
    send_broken_file(walk, tmp_path)
    try_on_dev_queries(walk, tmp_path)
    drop_good_file(walk, tmp_path)
    submit(walk)
    follow_it(walk)
    find_it_on_the_board(walk, site)
    visitor = Walk(seen=enter("/"))
    understand_by_links_alone(visitor)
    assert [*walk.faults, *visitor.faults] == []


def read_about_the_data(walk: Walk) -> None:
    """What one needs to take part, as commands, and the way to do it in the browser."""
    walk.follow("Data")
    commands = walk.reads(".howto pre")
    assert all(words in commands for words in ("toprung data", "--dry-run", "toprung submit"))
    walk.seen.run(lambda page: page.locator(".howto").get_by_role("link", name="Submit a run").click())


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
    walk.seen.run(lambda page: page.wait_for_load_state("load"))  # a file chosen before is not sent by the script


def send_empty_file(walk: Walk, folder: Path) -> None:
    """What is not even taken is said in the panel too; the browser notes the status of the answer as an error."""
    empty = folder / "empty.txt"
    empty.touch()
    walk.choose("file", empty)
    walk.wait_for("Found an empty file", within="#check")
    assert all("422" in error for error in walk.seen.errors)
    walk.seen.errors.clear()


def send_broken_file(walk: Walk, folder: Path) -> None:
    """By the dialog: what is wrong stands beside the form, and the button stays off."""
    broken = folder / "broken.txt"
    broken.write_text("q01 Q0 d1 1 1.0 x\nq01 Q0 d1 2 0.9 x\n")
    walk.choose("file", broken)
    walk.wait_for("expected each document at most once in a query", within="#check")
    assert "1 error to correct first" in walk.reads("#submit-bar")


def try_on_dev_queries(walk: Walk, folder: Path) -> None:
    """A file with the dev queries alone is scored on them, and cannot be submitted."""
    trial = folder / "trial.txt"
    trial.write_bytes(run_text(dict.fromkeys(DEV, 4)))
    walk.choose("file", trial)
    walk.wait_for("Dry run", within="#check")
    assert "RR@100 0.2500" in walk.reads("#check")
    assert walk.seen.run(lambda page: page.locator("#submit-bar button").get_attribute("aria-disabled")) == "true"


def drop_good_file(walk: Walk, folder: Path) -> None:
    """By drag and drop: the dry run is scored, and the name is taken from the file."""
    good = folder / "first-light.txt"
    good.write_bytes(run_text(even_ranks(2) | dict.fromkeys(DEV, 2)))
    walk.drop("#file", good)
    walk.wait_for("RR@100 0.5000", within="#check")
    walk.wait_for("Counts as one submission", within="#submit-bar")
    assert walk.seen.run(lambda page: page.locator("[name=name]").input_value()) == "first-light"


def submit(walk: Walk) -> None:
    walk.write(description="The answer is always second.")
    walk.press("Submit")


def follow_it(walk: Walk) -> None:
    """The page follows the run to its end, without being loaded again."""
    walk.seen.run(lambda page: page.evaluate("window.wasNotLoadedAgain = true"))
    walk.wait_for("does best, beyond chance.")
    assert walk.seen.run(lambda page: page.evaluate("window.wasNotLoadedAgain")) is True
    walk.follow("See its page")
    walk.wait_for("does best")
    assert "0.500" in walk.reads()


def find_it_on_the_board(walk: Walk, site: Site) -> None:
    walk.go(f"{site.url}/b/{ARRIVALS}/")
    assert "first-light does best" in walk.reads(".sentence")
    row = walk.row("R1")
    assert all(words in row for words in ("first-light", "Ada’s Lab", "0.500", "last proved gain"))
    walk.go(f"{site.url}/b/{ARRIVALS}/history/")
    assert "passed" in walk.reads("#claims")


def understand_by_links_alone(walk: Walk) -> None:
    """The card says what the board says; a bar of the board opens its pair, and the pair the queries that decide."""
    assert "what is known, and what is not" in walk.reads("h1")
    board = f"a[href='/b/{ARRIVALS}/']"
    card = walk.reads(f".card:has({board})")
    walk.seen.run(lambda page: page.click(f".card {board}"))
    assert walk.reads(".sentence") in card
    walk.seen.run(lambda page: page.click("#B1 a[href*='/compare/?']"))
    walk.wait_for("queries that move the difference most", within="#deciding")
    assert all(name in walk.reads(".sentence") for name in ("first-light", "bm25"))
    walk.seen.run(lambda page: page.locator("#deciding").get_by_role("link", name="Browse all").click())
    walk.seen.run(lambda page: page.wait_for_url(f"**/b/{ARRIVALS}/queries/?*"))
    assert all(name in walk.reads(".sentence") for name in ("first-light", "bm25"))
