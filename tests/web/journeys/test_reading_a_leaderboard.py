"""The first screen of a board belongs to its answer; its views are made by clicks, and their addresses show them."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext

import pytest
from playwright.sync_api import Page
from tests.browser.chromium import Chromium
from tests.browser.looking import LAPTOP, PHONE, visit
from tests.web.journeys.conftest import Enter
from tests.web.journeys.site import Site

pytestmark = pytest.mark.django_db  # for the world that the served folder is filled with

BOARD = "/b/rounded/"
FIRST_ROW = "document.querySelector('.board tbody tr[id]').getBoundingClientRect().top"
ROW_HEIGHT = "document.querySelector('.board tbody tr[id]').getBoundingClientRect().height"
NAME_WIDTH = "document.querySelector('.board tbody td.run').getBoundingClientRect().width"
ROWS = ".board tbody tr[id]"
ON_TOP = """selector => {
    const element = document.querySelector(selector), { left, top } = element.getBoundingClientRect();
    return element.contains(document.elementFromPoint(left + 4, top + 4));
}"""
AS_WIDE_AS = "document.documentElement.scrollWidth"


STATES = {
    "open": (BOARD, ""),
    "with tabs of organisers": (BOARD, "organiser"),
    "labels v2": ("/b/graded/", ""),
    "as of labels v1": ("/b/graded/?labels=1", ""),
    "closed": ("/b/ended/", ""),
    "newer results on their way": ("/b/graded/", "organiser"),
}
"""A board, and who looks at it."""


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize(("width", "height", "lowest"), [(LAPTOP, 800, 420), (PHONE, 844, 600)])
def test_the_first_row_stands_high(
    site: Site, enter: Enter, state: str, *, width: int, height: int, lowest: int
) -> None:
    """On a laptop eight rows, and the line between those that may be best and the rest, end on the first screen."""

    def look(page: Page) -> tuple[int, int]:
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("window.scrollY") == 0
        assert page.evaluate(AS_WIDE_AS) == width
        first = page.evaluate(FIRST_ROW)
        return round(first), round(first + 8 * page.evaluate(ROW_HEIGHT) + 40)

    with results_on_their_way(site) if state == "newer results on their way" else nullcontext():
        seen = enter(*STATES[state], width=width)
    first, eighth = seen.run(look)
    assert first <= lowest
    assert width == PHONE or eighth <= height


@contextmanager
def results_on_their_way(site: Site) -> Iterator[None]:
    """Something asked for results that no worker has computed yet."""
    due = "UPDATE web_board SET results_due = results_due + ? WHERE slug = 'graded'"
    site.change(due, 1)
    try:
        yield
    finally:
        site.change(due, -1)


def test_with_every_column_chosen_names_keep_their_room(enter: Enter) -> None:
    """The table scrolls within its frame; a name is as high as without them."""

    def look(page: Page) -> tuple[int, list[float], float]:
        choosable = page.locator("#columns input[type='checkbox']").evaluate_all("all => all.map(one => one.value)")
        usual = page.evaluate(ROW_HEIGHT)
        page.goto(f"{page.url}?cols={','.join(choosable)}", wait_until="load")
        assert page.locator("thead th").count() > len(choosable)
        return page.evaluate(AS_WIDE_AS), [usual, page.evaluate(ROW_HEIGHT)], page.evaluate(NAME_WIDTH)

    wide, heights, name = enter("/b/graded/").run(look)
    assert wide == LAPTOP
    assert heights[1] <= heights[0] + 1
    assert name >= 200


@pytest.mark.parametrize("opens", [False, True])
def test_on_a_phone_the_filter_covers_nothing_of_what_it_finds(enter: Enter, *, opens: bool) -> None:
    def look(page: Page) -> bool:
        if opens:
            page.click("#tools .filters > summary")
            assert page.locator("#q").input_value() == "nobody"
        assert "No run matches." in page.inner_text("#asked")
        return bool(page.evaluate(ON_TOP, "#asked p"))

    assert enter(f"{BOARD}?q=nobody", width=PHONE).run(look)


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


@pytest.mark.parametrize("width", [LAPTOP, PHONE])
def test_the_labels_of_before_bring_their_own_verdict(enter: Enter, width: int) -> None:
    """And back: sentence, note, tabs and rows change together, and the keyboard stays where it was."""

    def choose(page: Page, label: str) -> None:
        if width == PHONE:
            page.click("#tools .filters > summary")
        page.focus("#labels-version")
        page.select_option("#labels-version", label=label)

    def look_back(page: Page) -> None:
        assert "second-one does best" in page.inner_text("#said")
        choose(page, "Labels v1")
        page.wait_for_url("**/?labels=1")
        assert "top-one does best" in page.inner_text("#said")
        assert "As of labels v1" in page.inner_text("main")
        assert "?labels=1" in (page.get_attribute("nav.tabs a:has-text('History')", "href") or "")
        page.locator(ROWS).first.and_(page.locator(".may-be-best")).wait_for()  # htmx settles classes a moment later
        assert "top-one" in page.locator(ROWS).first.inner_text()
        if width == LAPTOP:
            assert page.evaluate("document.activeElement.id") == "labels-version"
        choose(page, "Labels v2")
        page.wait_for_selector("#said:has-text('second-one does best')")
        assert "As of labels" not in page.inner_text("main")

    seen = enter("/b/relabelled/", width=width)
    seen.run(look_back)
    assert seen.errors == []


def test_without_script_a_view_is_made_shared_and_taken_as_a_file(chromium: Chromium, site: Site) -> None:
    """Sorted by a link, columns and filter sent by buttons; the address shows it again, and the CSV is its rows."""

    def choose(page: Page) -> str:
        load_by(page, "thead a.sort:has-text('Answered')")
        page.click("#columns > summary")
        page.uncheck("#columns input[value='date']")
        load_by(page, "#columns button")
        page.select_option("select[name='per']", "best")
        load_by(page, "#tools .filterset button")
        return page.url

    def read(page: Page) -> list[list[str]]:
        return [row.locator("th, td").all_inner_texts() for row in page.locator(ROWS).all()]

    def take(page: Page) -> str:
        page.click("#share > summary")
        address = page.get_by_role("link", name="CSV").get_attribute("href")
        return page.request.get(f"{site.url}{address}").text()

    with visit(chromium, f"{site.url}{BOARD}", javascript=False) as seen:
        address = seen.run(choose)
        rows, file = seen.run(read), list(csv.DictReader(io.StringIO(seen.run(take))))
    with visit(chromium, address, javascript=False) as other:
        assert other.run(read) == rows
    assert len({row["team"] for row in file}) >= 3
    assert "date" not in file[0]
    assert [as_on_the_page(row) for row in file] == [as_in_the_file(cells) for cells in rows]


def load_by(page: Page, selector: str) -> None:
    """By a click that opens another page, until it is there with its looks."""
    with page.expect_navigation(wait_until="load"):
        page.click(selector)


def as_on_the_page(row: dict[str, str]) -> list[str]:
    """Rank, name, team, score, answered and search length, as a cell of the table has them."""
    rank = "–".join(dict.fromkeys((row["rank_low"], row["rank_high"])))
    figures = [f"{float(row['score']):.2f}", f"{float(row['answered']):.1%}", f"{float(row['search_length']):.1f}"]
    return [rank, row["name"] or row["run"], row["team"], *figures]


def as_in_the_file(cells: list[str]) -> list[str]:
    """Of a row of the table: what the file has too; the fourth cell is a drawing."""
    rank, run, score, _, answered, length, *_ = cells
    name, team = run.split("\n")[:2]
    return [rank, name, team, score, answered, length]


def test_the_open_menus_can_be_used_by_everybody(site: Site, enter: Enter) -> None:
    for width in (LAPTOP, PHONE):
        for menu in ("columns", "share"):
            seen = enter(BOARD, width=width)
            seen.run(lambda page, menu=menu: page.click(f"#{menu} > summary"))
            assert seen.find_overflow() == []
            assert seen.find_grave_violations() == []
