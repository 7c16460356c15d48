"""An organiser makes a board in the browser in few steps, adds a baseline, and looks at what only organisers see."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.browser.chromium import Chromium
from tests.browser.looking import PHONE, visit
from tests.web.cast import OFFICIAL, even_ranks, run_text
from tests.web.journeys.conftest import Enter
from tests.web.journeys.counted import CountedWalk
from tests.web.journeys.looks import find_faults_in_all_looks
from tests.web.journeys.site import plain_environment, serve_anew
from tests.web.journeys.walking import Walk

pytestmark = pytest.mark.django_db  # for the world that the served folder is filled with


MOST_CLICKS, MOST_TYPED = 12, 6
"""From an empty server to an open board: what the organiser may have to press, and to fill in by hand."""


def test_from_an_empty_server_to_an_open_board(chromium: Chromium, tmp_path: Path) -> None:
    """By the link that the first start says, to open which is one click; then nothing but what the pages offer."""
    with serve_anew(tmp_path / "data", plain_environment()) as (_, link), visit(chromium, link) as seen:
        walk = CountedWalk(walk=Walk(seen=seen), clicks=1)
        walk.press("Sign in")
        walk.go_by("Boards")
        assert "There is no board yet." in walk.walk.reads()
        walk.follow("/boards/new/")
        make_board(walk, tmp_path)
        add_baseline(walk.walk, tmp_path)


def make_board(walk: CountedWalk, tmp_path: Path) -> None:
    walk.choose("official_file", write_labels(tmp_path / "official.txt", OFFICIAL))
    walk.write(title="Made in few steps", task="Rank documents for a question.")
    walk.press("Next: what is measured")
    walk.walk.wait_for("RR@10")
    assert "One relevant document in 100.0% of queries: RR@10." in walk.walk.reads()
    assert find_faults_in_all_looks(walk.walk.seen) == []
    walk.press("Next: policy")
    walk.walk.wait_for("queries this board sees gains of")
    assert find_faults_in_all_looks(walk.walk.seen) == []
    walk.press("Next: check and open")
    walk.walk.wait_for("Everything is in place.")
    assert find_faults_in_all_looks(walk.walk.seen) == []
    walk.tick("has_read")
    open_it(walk)
    assert walk.walk.url.endswith("/b/made-in-few-steps/organise/")
    assert walk.clicks <= MOST_CLICKS, walk.clicks
    assert walk.typed <= MOST_TYPED, walk.typed


def open_it(walk: CountedWalk) -> None:
    """Pressed twice it is one click; who goes back comes to the board."""
    walk.clicks += 1
    walk.walk.press_twice("Open the board")
    walk.walk.wait_for("The board is open;")
    walk.walk.seen.run(lambda page: page.go_back(wait_until="load"))
    walk.walk.wait_for("The board is open;")


def test_what_is_typed_beside_a_choice_makes_it(enter: Enter) -> None:
    walk = Walk(seen=enter("/b/rounded/organise/policy/", "organiser"))
    chosen, day = "input[name=release]:checked", "input[name=closed_until]"
    walk.write(closed_until="2199-03-01")
    assert walk.seen.run(lambda page: page.input_value(chosen)) == "closed"
    walk.seen.run(lambda page: page.check("input[name=release][value=full]"))
    assert walk.seen.run(lambda page: page.input_value(day)) == "", "who makes another choice takes it back"
    assert walk.faults == []


def test_roles_are_changed_on_a_phone_without_scrolling_sideways(enter: Enter) -> None:
    seen = enter("/b/rounded/organise/people/", "organiser", width=PHONE)
    buttons = "table.roles button"
    places = seen.run(lambda page: [each.bounding_box() for each in page.locator(buttons).all()])
    assert len(places) > 2
    assert [each for each in places if not each or each["x"] < 0 or each["x"] + each["width"] > PHONE] == []
    assert find_faults_in_all_looks(seen) == []


def test_only_organisers_see_how_public_scores_hold_on_private_queries(enter: Enter) -> None:
    path, private_score = "/b/rounded/organise/validity/", "0.588"  # of R5, on queries that nobody could tune on
    seen = Walk(seen=enter(path, "organiser")).reads("body")
    assert private_score in seen
    assert "Quokka Hideout" in seen
    for role in ("", "participant"):
        hidden = Walk(seen=enter(path, role)).reads("body")
        assert private_score not in hidden
        assert "Quokka Hideout" not in hidden


def add_baseline(walk: Walk, folder: Path) -> None:
    """The file is checked while the page is open; then it gets its name."""
    walk.follow("Baselines")
    file = folder / "bm25.txt"
    file.write_bytes(run_text(even_ranks(5)))
    walk.choose("file", file)
    walk.press("Send and check")
    walk.wait_for("Add as a baseline")
    walk.write(name="bm25")
    walk.press("Add as a baseline")
    walk.wait_for("is being scored")
    walk.follow("Validity")
    walk.wait_for("Audit")
    assert walk.faults == []


def write_labels(path: Path, queries: Sequence[str]) -> Path:
    path.write_text("".join(f"{query} 0 rel-{query} 1\n" for query in queries))
    return path
