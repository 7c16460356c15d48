"""What does the screen of a pair look and sound like? One screen on a laptop and a phone, at 200%, in any direction."""

from __future__ import annotations

from playwright.sync_api import Page, Request
from tests.browser.looking import LAPTOP, PHONE, Visit
from tests.web.journeys.sitting import Sit, count, pause, press, wait_for_pairs

MOST_ON_THE_WIRE = 40_000
"""Bytes of a first visit to a pair, with its stylesheets, script, icon and the whole task; there are no fonts."""
FITS = """() => {
  const high = innerHeight, cards = [...document.querySelectorAll(".passage")];
  return {
    page: document.scrollingElement.scrollHeight - high,
    buttons: cards.map(card => card.querySelector("button").getBoundingClientRect().bottom - high),
    hidden: cards.map(card => { const p = card.querySelector("p"); return p.scrollHeight - p.clientHeight; }),
  };
}"""
TOPS = "() => [...document.querySelectorAll('.pick')].map(each => Math.round(each.getBoundingClientRect().top))"
TOO_SOON = """() => {
  for (let i = 0; i < 2; i++) document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "2", bubbles: true }));
}"""
DIRECTIONS = """() => [...document.querySelectorAll(".passage p")].map(p => [
  /[\u0590-\u05ff]/.test(p.textContent), getComputedStyle(p).direction, p.lang])"""


def test_long_passages_scroll_in_their_cards_in_both_directions(sit: Sit) -> None:
    seen = sit("long", width=LAPTOP)
    for width, height in ((LAPTOP, 800), (PHONE, 844), (PHONE, 664)):
        seen.run(lambda page, size=(width, height): _resize(page, *size))
        found = seen.run(lambda page: page.evaluate(FITS))
        assert found["page"] <= 0, "the page itself does not scroll"
        assert max(found["buttons"]) < 0, "both buttons are in view"
        assert min(found["hidden"]) > 100, "the passages do"
    told = seen.run(lambda page: page.evaluate(DIRECTIONS))
    assert {(is_hebrew, direction) for is_hebrew, direction, _ in told} == {(True, "rtl"), (False, "ltr")}
    assert {lang for *_, lang in told} == {"he"}
    seen.run(lambda page: page.locator("#right p").focus())
    press(seen, "PageDown")
    assert seen.run(lambda page: page.evaluate("document.querySelector('#right p').scrollTop")) > 50
    press(seen, "2")
    assert seen.run(lambda page: page.evaluate("document.querySelector('#right p').scrollTop")) == 0
    seen.run(lambda page: _resize(page, 640, 400))  # a laptop at 200%
    assert seen.find_overflow() == []
    seen.run(lambda page: page.locator("#right .pick").click())
    assert count(seen).startswith("3 of")
    _mark_words(seen)


def _resize(page: Page, width: int, height: int) -> None:
    page.set_viewport_size({"width": width, "height": height})


def _mark_words(seen: Visit) -> None:
    """Off until someone turns it on; said with every answer, also where it was turned off again before choosing."""
    sent: list[str] = []
    seen.run(lambda page: page.on("request", lambda each: sent.append(each.post_data or "")))
    assert seen.run(lambda page: page.locator("mark").count()) == 0
    pause(seen)
    press(seen, "1")
    seen.run(lambda page: page.get_by_label("Mark words of the question").click())
    seen.run(lambda page: page.get_by_label("Mark words of the question").click())
    press(seen, "1", "1")
    assert [part for each in sent for part in each.split("&") if part.startswith("highlighted")] == [
        "highlighted=0",
        "highlighted=1",
        "highlighted=0",
    ]


def test_buttons_keep_their_place_and_a_reader_hears_where_it_is(sit: Sit) -> None:
    seen = sit("ties")
    for width in (LAPTOP, PHONE):
        seen.run(lambda page, width=width: _resize(page, width, 844))
        before = seen.run(lambda page: page.evaluate(TOPS))
        press(seen, "1")
        seen.run(lambda page: page.evaluate(TOO_SOON))
        assert "Sure?" in seen.texts("#notice")[0]
        assert seen.run(lambda page: page.evaluate(TOPS)) == before, (
            "of passages of any length, with a notice or without"
        )
        press(seen)
    question = seen.texts("#question")[0]
    heard = seen.run(lambda page: page.locator("main").aria_snapshot())
    number = count(seen)
    assert f'status: "Pair {number}: {question}"' in heard
    for side in ("left", "right"):
        assert f'region "{side.title()} passage"' in heard
        assert f"This one {side} passage" in heard
    bar = seen.run(lambda page: page.get_by_role("progressbar", name="Progress").get_attribute("aria-valuetext"))
    assert bar == f"Pair {number}"


def test_a_pair_is_light_and_all_pages_of_a_task_are_equally_long_on_the_wire(sit: Sit) -> None:
    seen = sit("prolific", FROM_SOMEONE)
    asked = seen.run(_load_anew)
    sizes = seen.run(lambda _: [(each.url, _on_the_wire(each)) for each in asked])
    assert len(sizes) == 6, sizes  # the page, two stylesheets, the script, the icon or not, and the task
    assert sum(size for _, size in sizes) <= MOST_ON_THE_WIRE, sizes
    pages = set()
    for _ in range(3):
        press(seen, "1")
        pages.add(seen.run(_length))
    assert len(pages) == 1, "blanks are not packed away"


FROM_SOMEONE = "?PROLIFIC_PID=aaaabbbbccccdddd0002&STUDY_ID=study-0123456789&SESSION_ID=session-0000002"


def _load_anew(page: Page) -> list[Request]:
    """As on a first visit, with nothing kept."""
    asked: list[Request] = []

    def note(request: Request) -> None:
        asked.append(request)

    wire = page.context.new_cdp_session(page)
    wire.send("Network.setCacheDisabled", {"cacheDisabled": True})
    page.on("requestfinished", note)
    page.reload(wait_until="load")
    wait_for_pairs(page)
    return asked


def _on_the_wire(request: Request) -> int:
    told = request.sizes()
    return told["responseBodySize"] + told["responseHeadersSize"]


def _length(page: Page) -> int:
    response = page.request.get(page.url)
    assert response.headers.get("content-encoding", "identity") == "identity"
    return len(response.body())
