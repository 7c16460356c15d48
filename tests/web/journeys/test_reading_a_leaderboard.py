"""The first screen of a board belongs to its answer; its views are made by clicks, and their addresses show them."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page
from tests.browser.looking import LAPTOP, PHONE
from tests.web.journeys.conftest import Enter
from tests.web.journeys.site import Site

pytestmark = pytest.mark.django_db  # for the world that the served folder is filled with

BOARD = "/b/rounded/"
FIRST_ROW = "document.querySelector('.board tbody tr[id]').getBoundingClientRect().top"
ROW_HEIGHT = "document.querySelector('.board tbody tr[id]').getBoundingClientRect().height"
AS_WIDE_AS = "document.documentElement.scrollWidth"


@pytest.mark.parametrize(("width", "height", "lowest"), [(LAPTOP, 800, 420), (PHONE, 844, 600)])
def test_the_first_row_stands_high(site: Site, enter: Enter, width: int, height: int, lowest: int) -> None:
    """On a laptop eight rows, and the line between those that may be best and the rest, end on the first screen."""

    def look(page: Page) -> None:
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("window.scrollY") == 0
        assert page.evaluate(FIRST_ROW) <= lowest
        assert page.evaluate(AS_WIDE_AS) == width
        if width == LAPTOP:
            assert page.evaluate(FIRST_ROW) + 8 * page.evaluate(ROW_HEIGHT) + 40 <= height

    enter(BOARD, width=width).run(look)


def test_a_view_is_made_and_its_address_shows_the_same(site: Site, enter: Enter) -> None:
    """Sorted by a heading, columns chosen: the address follows, and whoever opens it sees the same table."""

    def choose(page: Page) -> str:
        page.click("thead a.sort:has-text('Answered')")
        page.wait_for_url("**/?sort=-answered")
        page.wait_for_selector("th[aria-sort='descending'] a:has-text('Answered')")
        page.click("#columns > summary")
        page.uncheck("#columns input[value='date']")
        page.wait_for_url("**cols=**")
        page.wait_for_selector("thead:not(:has(a:has-text('Date')))")
        assert "Sorted by queries answered" in page.inner_text("#asked")
        assert "sort=-answered" in (page.get_attribute("#share a:has-text('CSV')", "href") or "")
        return page.url

    seen = enter(BOARD)
    address = seen.run(choose).removeprefix(site.url)
    assert enter(address).texts(".board tbody tr[id] .name") == seen.texts(".board tbody tr[id] .name")
    assert enter(address).texts(".board thead th") == seen.texts(".board thead th")


def test_the_open_menus_can_be_used_by_everybody(site: Site, enter: Enter) -> None:
    for width in (LAPTOP, PHONE):
        for menu in ("columns", "share"):
            seen = enter(BOARD, width=width)
            seen.run(lambda page, menu=menu: page.click(f"#{menu} > summary"))
            assert seen.find_overflow() == []
            assert seen.find_grave_violations() == []
