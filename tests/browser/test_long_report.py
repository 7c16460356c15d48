"""A report of 63 runs: short before anything is unfolded, whole when it is, and easy to find one's run in."""

from __future__ import annotations

import pytest
from tests.browser.conftest import OpenPage
from tests.browser.looking import LAPTOP, PHONE, WIDTHS, Visit
from tests.browser.reports import LONG_NAME, N_RUNS, make_long_report
from tests.browser.serving import PageServer

TALLEST, SCREEN = 4_000, 800
HEIGHT = "document.documentElement.scrollHeight"
OPENING_ENDS = "document.querySelector('.at-a-glance').getBoundingClientRect().bottom"
OPEN_PARTS = "[...document.querySelectorAll('details.part[open] > section')].map((each) => each.id)"


@pytest.fixture(scope="module")
def address(server: PageServer) -> str:
    return server.add(make_long_report())


def ask[T](seen: Visit, script: str, kind: type[T]) -> T:
    found = seen.run(lambda page: page.evaluate(script))
    assert isinstance(found, kind)
    return found


def open_all(seen: Visit) -> None:
    seen.run(lambda page: page.get_by_role("button", name="Open all").click())


def test_it_is_short_before_anything_is_unfolded(address: str, open_page: OpenPage) -> None:
    seen = open_page(address, width=LAPTOP)
    assert seen.find_faults() == []
    assert ask(seen, HEIGHT, int) <= TALLEST
    assert ask(seen, OPENING_ENDS, float) <= SCREEN
    assert seen.texts(".careful li")[-1] == "424 queries without labels ignored in 63 runs."
    assert ask(seen, OPEN_PARTS, list) == ["board"]


@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_is_cut_off_folded_or_unfolded(address: str, open_page: OpenPage, width: int) -> None:
    seen = open_page(address, width=width)
    assert seen.find_overflow() == []
    open_all(seen)
    assert seen.find_overflow() == []
    assert seen.errors == []


def test_names_are_whole_in_figures_and_legends_do_not_run_into_each_other(address: str, open_page: OpenPage) -> None:
    seen = open_page(address)
    open_all(seen)
    drawn = set(ask(seen, "[...document.querySelectorAll('.plot svg text')].map((each) => each.textContent)", list))
    assert {LONG_NAME.format(n) for n in (3, 23, 43)} <= drawn
    assert seen.find_overlap() == []


@pytest.mark.parametrize("javascript", [True, False])
def test_a_link_unfolds_the_part_it_leads_to(address: str, open_page: OpenPage, javascript: bool) -> None:
    seen = open_page(f"{address}#stability", javascript=javascript)
    assert seen.run(lambda page: page.locator("#stability").is_visible())
    assert not seen.run(lambda page: page.locator("#agreement").is_visible())


def test_all_parts_are_opened_closed_and_printed(address: str, open_page: OpenPage) -> None:
    seen = open_page(address)
    n_parts = seen.run(lambda page: page.locator("details.part").count())
    open_all(seen)
    assert len(ask(seen, OPEN_PARTS, list)) == n_parts
    seen.run(lambda page: page.get_by_role("button", name="Close all").click())
    assert ask(seen, OPEN_PARTS, list) == []
    seen.run(lambda page: page.emulate_media(media="print"))
    assert seen.run(lambda page: page.locator("details.part > section:visible").count()) == n_parts


def test_a_filter_leaves_the_rows_of_some_runs_and_says_so(address: str, open_page: OpenPage) -> None:
    seen = open_page(address)
    open_all(seen)
    seen.run(lambda page: page.get_by_label("Filter runs").fill("CROSS-encoder"))
    wanted = {LONG_NAME.format(n) for n in (3, 23, 43)}
    assert set(seen.texts(".board tbody tr:visible .name")) == wanted  # also those that were folded away
    assert set(seen.texts("#stability tr:visible th[scope=row]")) == wanted
    assert len(seen.texts("#comparison tr:visible th[scope=row]")) == 3
    assert seen.texts("#filter-status") == [f"3 of {N_RUNS} runs in the tables; sentences and figures are of all."]
    assert len(seen.texts(".top-figure tbody tr:visible")) == 8
    seen.run(lambda page: page.get_by_label("Filter runs").fill(""))
    assert len(seen.texts(".board tbody tr:visible")) == 15
    assert seen.texts("#filter-status") == [""]


def test_a_part_is_unfolded_by_keyboard(address: str, open_page: OpenPage) -> None:
    seen = open_page(address, width=PHONE)
    seen.run(lambda page: page.locator("summary", has_text="Which runs differ beyond chance?").focus())
    seen.run(lambda page: page.keyboard.press("Enter"))
    assert "significance" in ask(seen, OPEN_PARTS, list)
