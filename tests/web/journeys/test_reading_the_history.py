"""Somebody new: from the board to its history, to two runs compared, by pointer, by keyboard, and without script."""

from __future__ import annotations

import pytest
from tests.browser.chromium import Chromium
from tests.browser.looking import LAPTOP, PHONE, visit
from tests.web.journeys.conftest import Enter
from tests.web.journeys.site import Site
from tests.web.journeys.walking import Walk

pytestmark = pytest.mark.django_db  # for the world that the served folder is filled with

BOARD = "/b/rounded"


def test_from_the_board_to_its_history_to_two_runs(enter: Enter) -> None:
    walk = Walk(seen=enter(f"{BOARD}/"))
    walk.follow("History")
    assert "proved an improvement" in walk.reads(".sentence")
    words = walk.reads("#claim-1 .words")
    walk.seen.run(lambda page: page.locator("#claim-1 .words a").click())
    assert "/compare/?b=R1" in walk.url
    assert "all" in walk.reads(".sentence")
    assert words.split(",")[0] in ("better", "cannot be told apart")
    walk.follow("The claim on record")
    assert walk.url.endswith("/history/#claim-1")
    assert walk.faults == []


def test_a_mark_of_the_staircase_is_reached_by_keyboard_and_opens_its_run(enter: Enter) -> None:
    walk = Walk(seen=enter(f"{BOARD}/history/"))
    label = walk.seen.run(lambda page: page.locator("#chart-timeline a").first.get_attribute("aria-label"))
    assert label
    walk.seen.run(lambda page: page.locator("#chart-timeline a").first.focus())
    walk.seen.run(lambda page: page.keyboard.press("Enter"))
    walk.seen.run(lambda page: page.wait_for_url("**/runs/R*/"))
    assert walk.faults == []


@pytest.mark.parametrize("width", [LAPTOP, PHONE])
def test_without_script_the_same_is_there(chromium: Chromium, site: Site, width: int) -> None:
    """On a phone a line for each claim, on a laptop the staircase: one of them, never both."""
    with visit(chromium, f"{site.url}{BOARD}/history/", width=width, javascript=False) as seen:
        staircase = seen.run(lambda page: page.locator("#chart-timeline").is_visible())
        lines = seen.run(lambda page: page.locator(".claimlines").is_visible())
        assert (staircase, lines) == (width == LAPTOP, width == PHONE)
        seen.run(lambda page: page.locator("nav.tabs").get_by_text("Compare").click())
        assert "compared at once." in " ".join(seen.texts(".sentence"))
