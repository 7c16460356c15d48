"""The report in a real browser: of the demo, with all its parts, and of runs with names that no page should run."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page
from tests.browser.chromium import Scheme
from tests.browser.conftest import OpenPage
from tests.browser.looking import LAPTOP, PHONE, SCHEMES, WIDTHS, Visit
from tests.browser.reports import make_demo_report
from tests.browser.serving import PageServer
from tests.every_result import make_overview, make_results
from tests.hostile_names import CASTS

from toprung.report.html import to_page
from toprung.report.page.report import to_report_page
from toprung.result import Result

VIEWS = [(width, scheme) for width in WIDTHS for scheme in SCHEMES]
# Each width and each scheme once, for what takes long: what fits in the light fits in the dark.
CROSSED: list[tuple[int, Scheme]] = [(PHONE, "dark"), (LAPTOP, "light")]
FONTS = {
    "sans-serif": "svg text { font-family: sans-serif !important }",
    "serif": "svg text { font-family: serif !important }",
    "condensed": "svg text { font-family: 'DejaVu Sans Condensed', sans-serif !important }",
}
ALONE = ".plot svg { overflow: hidden }"
"""Figures cut what reaches out of them, as files do that hold nothing else."""
MOST_BYTES = 2_500_000


@pytest.fixture(scope="module")
def demo_report(tmp_path_factory: pytest.TempPathFactory) -> str:
    return make_demo_report(tmp_path_factory.mktemp("demo"))


@pytest.fixture(scope="module")
def demo(demo_report: str, server: PageServer) -> str:
    """Where it is."""
    return server.add(demo_report)


@pytest.fixture(scope="module")
def hostile(server: PageServer) -> str:
    return server.add(to_report_page(make_overview(CASTS["tags"])))


@pytest.fixture(scope="module")
def worst() -> dict[str, Result]:
    return make_results(CASTS["worst"])


@pytest.mark.parametrize(("width", "scheme"), VIEWS)
def test_the_report_fits_and_can_be_walked_through(demo: str, open_page: OpenPage, width: int, scheme: Scheme) -> None:
    seen = open_page(demo, width=width, scheme=scheme)
    open_all(seen)
    assert seen.find_faults() == []


@pytest.mark.parametrize("font", FONTS)
@pytest.mark.parametrize("width", WIDTHS)
def test_no_text_is_cut_off_by_its_figure_in_any_font(demo: str, open_page: OpenPage, width: int, font: str) -> None:
    seen = open_page(demo, width=width)
    open_all(seen)
    seen.add_style(FONTS[font])
    assert seen.find_overflow() == []
    seen.add_style(ALONE)
    assert seen.find_overflow() == []
    assert seen.find_overlap() == []


def test_the_report_is_whole_without_scripts(demo: str, open_page: OpenPage) -> None:
    seen, with_scripts = (open_page(demo, width=PHONE, javascript=is_on) for is_on in (False, True))
    for each in (seen, with_scripts):
        open_all(each)
    assert seen.find_faults() == []
    assert count(seen, "svg[role=img], [role=img] svg") > 20
    for selector in ("h2", "h3", "table", "svg > title"):
        assert seen.texts(f"main {selector}") == with_scripts.texts(f"main {selector}")
    assert visible_actions(seen) == []


@pytest.mark.parametrize(("width", "scheme"), CROSSED)
def test_everybody_can_use_the_report(demo: str, open_page: OpenPage, width: int, scheme: Scheme) -> None:
    seen = open_page(demo, width=width, scheme=scheme)
    assert seen.find_grave_violations() == []
    open_all(seen)
    assert seen.find_grave_violations() == []


@pytest.mark.parametrize("javascript", [True, False])
@pytest.mark.parametrize(("width", "scheme"), CROSSED)
def test_no_name_runs_or_breaks_the_report(
    hostile: str, open_page: OpenPage, width: int, scheme: Scheme, javascript: bool
) -> None:
    seen = open_page(hostile, width=width, scheme=scheme, javascript=javascript)
    open_all(seen)
    assert seen.find_faults() == []
    assert not javascript or seen.find_grave_violations() == []
    assert CASTS["tags"].runs[0] in " ".join(seen.texts("main"))


@pytest.mark.parametrize(
    ("kind", "view"), [("evaluation", 0), ("comparison", 1), ("stability", 0), ("holdout", 1), ("win ratios", 0)]
)
def test_the_page_of_one_result_is_held_to_the_same(
    server: PageServer, open_page: OpenPage, worst: dict[str, Result], kind: str, view: int
) -> None:
    width, scheme = CROSSED[view]
    seen = open_page(server.add(to_page(worst[kind])), width=width, scheme=scheme)
    assert seen.find_faults() == []
    assert seen.find_grave_violations() == []


def test_a_report_opened_from_a_file_asks_for_nothing(demo_report: str, open_page: OpenPage, tmp_path: Path) -> None:
    kept = tmp_path / "report.html"
    kept.write_text(demo_report, encoding="utf-8")
    seen = open_page(kept.as_uri())
    use_figure(seen)
    assert (seen.errors, seen.outside) == ([], [])


def test_the_report_is_small_enough_to_be_sent(demo_report: str) -> None:
    assert len(demo_report.encode()) <= MOST_BYTES


def test_latex_is_copied(demo: str, open_page: OpenPage) -> None:
    seen = open_page(demo)
    seen.run(lambda page: page.context.grant_permissions(["clipboard-read", "clipboard-write"]))
    seen.run(lambda page: page.get_by_role("button", name="Copy LaTeX").first.click())
    seen.run(lambda page: page.get_by_text("Copied").wait_for())
    copied: str = seen.run(lambda page: page.evaluate("navigator.clipboard.readText()"))
    assert copied.startswith("% ")
    assert r"\begin{tabular}" in copied


def test_csv_is_saved(demo: str, open_page: OpenPage, tmp_path: Path) -> None:
    seen = open_page(demo)
    saved = tmp_path / "saved.csv"

    def save() -> None:
        with seen.page.expect_download() as download:
            seen.page.get_by_role("button", name="Download CSV").first.click()
        download.value.save_as(saved)

    seen.run(lambda _: save())
    header, *rows = saved.read_text(encoding="utf-8").splitlines()
    assert "run" in header.split(",")
    assert len(rows) >= 13


def test_a_mark_tells_its_figures_to_the_pointer(demo: str, open_page: OpenPage) -> None:
    seen = open_page(demo)
    open_all(seen)
    assert "%" in use_figure(seen)
    assert seen.errors == []
    assert seen.find_overflow() == []


def test_a_mark_leads_to_the_row_of_its_run(demo: str, open_page: OpenPage) -> None:
    """By keyboard: Tab reaches one mark of a chart, arrows the next; Enter shows the row, which may be folded away."""
    seen = open_page(demo)
    open_all(seen)

    def follow(page: Page) -> tuple[str, str]:
        chart = page.locator(".plot svg:has(a[href^='#run-']):visible").first
        assert chart.locator("a:not([tabindex='-1'])").count() == 1
        chart.locator("a").first.focus()
        page.keyboard.press("ArrowRight")
        place = page.evaluate("document.activeElement.getAttribute('href')")
        said = page.evaluate("document.activeElement.getAttribute('aria-label')")
        page.keyboard.press("Enter")
        assert page.locator(place).is_visible()
        return said, page.locator(f"{place} .name").inner_text()

    said, name = seen.run(follow)
    assert name in said


def test_the_report_prints_without_what_only_a_screen_needs(demo: str, open_page: OpenPage) -> None:
    seen = open_page(demo)
    seen.run(lambda page: page.emulate_media(media="print"))
    assert visible_actions(seen) == []
    assert seen.run(lambda page: page.locator("details.part > section:not(:visible)").count()) == 0
    assert seen.find_overflow() == []


def open_all(seen: Visit) -> None:
    """Unfold every part; by hand, where no script runs."""
    seen.run(
        lambda page: [part.evaluate("part => { part.open = true }") for part in page.locator("details.part").all()]
    )


def count(seen: Visit, selector: str) -> int:
    return seen.run(lambda page: page.locator(selector).count())


def visible_actions(seen: Visit) -> list[str]:
    """Buttons that need a script, or a screen; those of column help need neither."""
    return seen.run(lambda page: page.locator("button:not([popovertarget]):visible").all_inner_texts())


def use_figure(seen: Visit) -> str:
    """Point at a cell of the ranks; what is said then."""

    def point() -> str:
        seen.page.evaluate("for (const part of document.querySelectorAll('details.part')) part.open = true")
        seen.page.locator("#stability .plot.wide-only svg rect:has(title)").first.hover()
        return seen.page.locator(".marktip:visible").inner_text()

    return seen.run(lambda _: point())
