"""All pages around judging: nothing is too wide, and everybody can use them, light and dark."""

from __future__ import annotations

from playwright.sync_api import Page
from tests.browser.chromium import Chromium
from tests.browser.looking import LAPTOP, PHONE, Visit, visit
from tests.web.journeys.sitting import JudgingSite, press, tab_to, wait_for_script

OF_LOOKS = ("color-contrast", "link-in-text-block", "scrollable-region-focusable", "target-size")
OPEN_ALL = "document.querySelectorAll('details').forEach(each => each.open = true)"
ORGANISED = (
    *("campaigns", "new campaign", "draft", "golds", "texts", "campaign", "query", "open queries", "assessors", "pay"),
    *("review", "spare minutes"),
)


def go(seen: Visit, url: str) -> None:
    seen.run(lambda page: page.goto(url, wait_until="load"))


def look(seen: Visit, name: str) -> list[str]:
    """Wide and light with every rule, then narrow and dark with those that colours and widths can break."""
    found = [*seen.find_overflow(), *seen.find_grave_violations()]
    seen.run(lambda page: page.emulate_media(color_scheme="dark"))
    seen.run(lambda page: page.set_viewport_size({"width": PHONE, "height": 844}))
    found += [*seen.find_overflow(), *seen.find_grave_violations(*OF_LOOKS)]
    seen.run(lambda page: page.emulate_media(color_scheme="light"))
    seen.run(lambda page: page.set_viewport_size({"width": LAPTOP, "height": 900}))
    return [f"{name}: {each}" for each in found]


def test_pages_of_organisers(chromium: Chromium, judging: JudgingSite) -> None:
    faults = []
    with visit(chromium, judging.at("campaigns"), cookies={"sessionid": judging.session}) as seen:
        for name in ORGANISED:
            go(seen, judging.at(name))
            seen.run(lambda page: page.evaluate(OPEN_ALL))
            faults += look(seen, name)
        assert [*faults, *seen.errors, *seen.outside] == []


def test_the_page_of_a_campaign_renews_itself_and_leaves_the_focus(chromium: Chromium, judging: JudgingSite) -> None:
    with visit(chromium, judging.at("campaigns"), cookies={"sessionid": judging.session}) as seen:
        seen.run(lambda page: page.clock.install())
        go(seen, judging.at("campaign"))
        seen.run(lambda page: page.locator("#to-assessors").focus())
        for _ in range(2):
            seen.run(lambda page: page.evaluate("document.getElementById('live').dataset.seen = 'yes'"))
            seen.run(_let_half_a_minute_pass)
            assert seen.texts("#live .because")[0].startswith("Decided: ")
            assert seen.run(lambda page: page.evaluate("document.activeElement.id")) == "to-assessors"
        assert [*seen.errors, *seen.outside] == []


def _let_half_a_minute_pass(page: Page) -> None:
    """Of the browser's clock, until other figures are there."""
    with page.expect_response("**/news/") as news:
        page.clock.run_for(30_000)
    assert news.value.ok
    page.locator("#live:not([data-seen])").wait_for()


def test_pages_of_assessors(chromium: Chromium, judging: JudgingSite) -> None:
    faults = []
    with visit(chromium, judging.at("ties")) as seen:
        for name, act in (
            ("consent", "I agree, go on"),
            ("guidelines", "right passage"),
            ("ready", "Start"),
        ):
            faults += look(seen, name)
            tab_to(seen, act)
        wait_for_script(seen)
        press(seen, "1")
        faults += look(seen, "pair")
        for name in ("exit", "tell", "delete"):
            go(seen, f"{judging.at('ties')}{name}/")
            faults += look(seen, name)
        assert [*faults, *seen.errors, *seen.outside] == []
