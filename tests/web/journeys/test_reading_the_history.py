"""Somebody new: from the board to its history, to two runs compared, by pointer, by keyboard, and without script."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page
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


def test_marks_say_their_row_to_pointer_and_keyboard_and_are_one_stop_of_tab(enter: Enter) -> None:
    """The tooltip is the row of the table; arrows go from mark to mark, Tab leaves, Escape puts it away."""
    marks, tip = "#chart-timeline svg a", ".marktip"

    def walk(page: Page) -> None:
        assert page.locator(marks).count() > 3
        assert page.locator(f"{marks}:not([tabindex='-1'])").count() == 1
        page.locator(marks).first.focus()
        first = page.inner_text(tip)
        page.keyboard.press("ArrowRight")
        assert page.evaluate("document.activeElement.closest('#chart-timeline') !== null")
        assert page.locator(f"{marks}:not([tabindex='-1'])").count() == 1
        assert page.inner_text(tip) != first
        page.keyboard.press("Escape")
        assert not page.locator(tip).is_visible()
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.closest('#chart-timeline svg') === null")
        mark = page.locator("#chart-timeline svg a[data-row='claim-1']").first
        mark.hover()
        said = page.inner_text(tip)
        for cell in page.locator("#claim-1").locator("th, td").all_inner_texts():
            assert all(squeezed(line) in squeezed(said) for line in cell.splitlines())
        lines = [squeezed(line) for line in said.splitlines() if line]
        level = page.inner_text("#claim-1 > td:nth-last-child(2)")
        assert any("Level" in line and squeezed(level) in line for line in lines), (lines, level)

    seen = enter(f"{BOARD}/history/")
    seen.run(walk)
    assert seen.errors == []


def test_a_mark_says_its_row_though_the_table_is_folded_away(enter: Enter) -> None:
    seen = enter("/b/graded/runs/R2/")

    def look(page: Page) -> str:
        page.locator("#chart-versions svg a").first.focus()
        return page.inner_text(".marktip")

    said = squeezed(seen.run(look))
    assert all(squeezed(words) in said for words in ("Labels", "v1,", "95% interval"))
    assert seen.errors == []


def test_names_in_a_chart_have_the_size_they_were_measured_in_and_the_colour_they_were_drawn_in(enter: Enter) -> None:
    """Also where one group gives both to several: no rule of the page may come between."""
    drawn = """() => [...document.querySelectorAll("svg.marks text")].filter(each => each.checkVisibility())
    .map(each => {
      const size = each.closest("[font-size]").getAttribute("font-size");
      return [each.textContent, Number(size), parseFloat(getComputedStyle(each).fontSize),
        each.closest("[fill]").getAttribute("fill"), getComputedStyle(each).fill];
    })"""

    def find(page: Page) -> list[tuple[str, float, float, str, str]]:
        found: list[tuple[str, float, float, str, str]] = page.evaluate(drawn)
        return found

    for path in ("history/", "compare/?b=R8&a=R4"):
        texts = enter(f"{BOARD}/{path}").run(find)
        assert texts
        assert [each for each in texts if each[1] != each[2]] == []
        colours = {(asked, seen) for _, _, _, asked, seen in texts}
        assert len(colours) == len({asked for asked, _ in colours}), "one colour on the page for each that was drawn"
        assert len(colours) > 1


def squeezed(text: str) -> str:
    return "".join(text.split())


def test_without_script_every_mark_is_reached_by_tab(chromium: Chromium, site: Site) -> None:
    with visit(chromium, f"{site.url}{BOARD}/history/", javascript=False) as seen:
        all_of_them = seen.run(lambda page: page.locator("#chart-timeline svg a").count())
        reached = seen.run(lambda page: page.locator("#chart-timeline svg a:not([tabindex='-1'])").count())
        assert reached == all_of_them > 3


@pytest.mark.parametrize("width", [LAPTOP, PHONE])
def test_without_script_the_same_is_there(chromium: Chromium, site: Site, width: int) -> None:
    """On a phone a line for each claim, on a laptop the staircase: one of them, never both."""
    with visit(chromium, f"{site.url}{BOARD}/history/", width=width, javascript=False) as seen:
        staircase = seen.run(lambda page: page.locator("#chart-timeline").is_visible())
        lines = seen.run(lambda page: page.locator(".claimlines").is_visible())
        assert (staircase, lines) == (width == LAPTOP, width == PHONE)
        seen.run(lambda page: page.locator("nav.tabs").get_by_text("Compare").click())
        assert "compared at once." in " ".join(seen.texts(".sentence"))


def test_on_a_phone_all_claims_are_drawn_on_the_scale_above_them(enter: Enter) -> None:
    """One that passed too: what one score is stands below one another, wherever it is drawn."""
    ends = (
        "all => all.map(one => one.getBoundingClientRect()).map(box => [Math.round(box.left), Math.round(box.width)])"
    )
    drawn = enter(f"{BOARD}/history/", width=PHONE).run(lambda page: page.locator(".claimlines svg").evaluate_all(ends))
    assert len(drawn) > 3
    assert len(set(map(tuple, drawn))) == 1
