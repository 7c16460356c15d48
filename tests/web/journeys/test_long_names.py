"""Names of runs and teams as long as they may be: figures stay in view beside them, and no page scrolls sideways."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page
from tests.browser.looking import LAPTOP, PHONE
from tests.web.journeys.conftest import Enter
from tests.web.journeys.site import Site

pytestmark = pytest.mark.django_db  # for the world that the served folder is filled with

LONG = "an-extremely-long-name-that-somebody-gave-to-an-ensemble-of-ten-cross-encoders"
BOARD = "/b/graded/"
BESIDE = "table => Math.round(table.getBoundingClientRect().right - table.parentElement.getBoundingClientRect().right)"
"""By how much a table reaches out of what it stands in."""
FITTING = {"stability/": (".forest", ".heat"), "runs/R1/": (".fits",), "": (), "history/": ()}
"""Pages of a board, with tables whose figures are all to be seen without scrolling."""


@pytest.fixture(scope="module")
def named(site: Site) -> Iterator[str]:
    rename = "UPDATE web_submission SET name = ? WHERE run_id = 'R1' AND name = ? AND board_id = "
    rename += "(SELECT id FROM web_board WHERE slug = 'graded')"
    site.change(rename, LONG, "heron")
    try:
        yield LONG
    finally:
        site.change(rename, "heron", LONG)


@pytest.mark.parametrize("width", [LAPTOP, PHONE])
@pytest.mark.parametrize("page", FITTING)
def test_figures_stay_in_view_beside_them(named: str, enter: Enter, page: str, width: int) -> None:
    def look(seen: Page) -> list[int]:
        assert named in seen.inner_text("main")
        return [seen.locator(table).first.evaluate(BESIDE) for table in FITTING[page]]

    opened = enter(f"{BOARD}{page}", "participant", width=width)
    assert max(opened.run(look), default=0) <= 1
    assert opened.find_overflow() == []
