"""A task in a real browser, on a real server: by keyboard, by touch, without script, offline, in two tabs."""

from __future__ import annotations

from urllib.parse import parse_qs

from playwright.sync_api import Page
from tests.browser.chromium import Chromium
from tests.browser.looking import PHONE, visit
from tests.web.journeys.sitting import (
    LONG_ENOUGH,
    JudgingSite,
    Sit,
    count,
    pause,
    press,
    tab_to,
    wait_for,
    wait_for_pairs,
    wait_for_script,
)

FROM_PROLIFIC = "?PROLIFIC_PID=aaaabbbbccccdddd0001&STUDY_ID=study-0123456789&SESSION_ID=session-0000001"
THREE_AT_ONCE = """() => {
  for (let i = 0; i < 3; i++) document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "1", bubbles: true }));
}"""


def test_a_task_by_keyboard_from_the_link_to_deleting_ones_data(chromium: Chromium, judging: JudgingSite) -> None:
    with visit(chromium, judging.at("ties")) as seen:
        for words in ("I agree, go on", "right passage", "Start"):
            tab_to(seen, words)
        wait_for_script(seen)
        assert count(seen) == "1 of 13"
        press(seen, "ArrowLeft", "1", "ArrowRight", "2", "0")
        assert count(seen) == "6 of 13"
        question = seen.texts("#question")
        press(seen, "s")
        assert seen.texts("#question") != question
        press(seen, "u")
        assert count(seen) == "5 of 13"
        press(seen, "1")
        seen.run(lambda page: page.reload(wait_until="load"))
        wait_for_script(seen)
        assert count(seen) == "6 of 13"
        seen.run(lambda page: page.evaluate(THREE_AT_ONCE))
        assert "Sure?" in seen.texts("#notice")[0], "a choice that comes too soon is held back"
        assert count(seen) == "7 of 13", "however often it is repeated"
        pause(seen)
        press(seen, "1")
        assert count(seen) == "8 of 13"
        assert not seen.texts("#notice")[0]
        press(seen, "?")
        tab_to(seen, "Back to the pairs")
        wait_for_script(seen)
        press(seen, *["1"] * 6)
        wait_for(seen, "That was the last pair")
        tab_to(seen, "Hand in")
        wait_for(seen, "13 of 13 pairs judged")
        tab_to(seen, "Delete my data")
        tab_to(seen, "Delete my answers")
        wait_for(seen, "Your answers are deleted")
        assert [*seen.errors, *seen.outside] == []


def test_by_touch_on_a_phone_then_exit_and_pay(sit: Sit) -> None:
    seen = sit("prolific", FROM_PROLIFIC, width=PHONE, scheme="dark", touch=True)
    assert seen.find_overflow() == []
    assert seen.find_grave_violations() == []
    seen.run(_swipe)
    assert count(seen) == "1 of 13", "a finger that moves reads, and chooses nothing"
    for side in ("left", "right", "left", "right", "left"):
        seen.run(lambda page, side=side: page.locator(f"#{side} p").tap())
        pause(seen)
    assert count(seen) == "6 of 13", "the whole card is the target"
    seen.run(lambda page: page.get_by_role("link", name="Exit").tap())
    wait_for(seen, "$0.77")
    seen.run(lambda page: page.get_by_role("button", name="End here").tap())
    wait_for(seen, "C2LEFT")
    assert "cc=C2LEFT" in str(seen.run(lambda page: page.locator("a.btn.main").get_attribute("href")))
    assert seen.find_grave_violations() == []


def _swipe(page: Page) -> None:
    """Over the first passage, to the side and upwards."""
    box = page.locator("#left p").bounding_box()
    assert box is not None
    wire = page.context.new_cdp_session(page)
    x, y = box["x"] + 20, box["y"] + 10
    for to_x, to_y in ((150, 0), (0, -60)):
        wire.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
        for part in (0.25, 0.5, 0.75, 1):
            at = {"x": x + part * to_x, "y": y + part * to_y}
            wire.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [at]})
        wire.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        page.wait_for_timeout(LONG_ENOUGH)
    wire.detach()


def test_offline_for_ten_seconds_then_closed_then_in_two_tabs(sit: Sit) -> None:
    seen = sit("open")
    sent: list[str] = []
    seen.run(lambda page: page.on("response", lambda each: sent.append(each.request.post_data or "")))
    seen.run(lambda page: page.context.set_offline(True))
    press(seen, "1", "2", "1")
    wait_for(seen, "3 answers are still to be sent")
    press(seen, "Escape")
    pause(seen, 8_500)
    assert count(seen) == "4 of 13", "exit waits until all is sent"
    press(seen, "2")
    seen.run(lambda page: page.context.set_offline(False))
    seen.run(lambda page: page.locator("#notice").wait_for(state="hidden"))
    assert count(seen) == "5 of 13"
    slots = [parse_qs(each)["slot"] for each in sent if "slot=" in each]
    assert slots == [["0"], ["1"], ["2"], ["3"]], "each once, in the order they were given"
    seen.run(_answer_offline_and_come_again)
    assert count(seen) == "7 of 13", "answers of before are sent first"
    other = seen.run(_open_beside)
    press(seen, "1")
    seen.run(lambda _: other.keyboard.press("2"))
    seen.run(lambda _: other.get_by_text("answered already").wait_for())
    assert seen.run(lambda _: other.locator("#count").inner_text()) == "8 of 13"
    seen.run(lambda page: _close_both_offline(page, other))
    assert count(seen) == "10 of 13", "two of one tab; the other's one was late"


def _answer_offline_and_come_again(page: Page) -> None:
    """The page is closed while two answers wait."""
    here = page.url
    page.context.set_offline(True)
    for key in ("1", "2"):
        page.keyboard.press(key)
        page.wait_for_timeout(350)
    page.goto("about:blank")
    page.context.set_offline(False)
    page.goto(here, wait_until="load")
    wait_for_pairs(page)


def _close_both_offline(page: Page, other: Page) -> None:
    """What waits in one of two tabs is not lost for what waits in the other."""
    here = page.url
    page.context.set_offline(True)
    for tab, key in ((page, "1"), (page, "2"), (other, "2")):
        tab.keyboard.press(key)
        tab.wait_for_timeout(350)
    for tab in (page, other):
        tab.goto("about:blank")
    page.context.set_offline(False)
    page.goto(here, wait_until="load")
    wait_for_pairs(page)


def _open_beside(page: Page) -> Page:
    other = page.context.new_page()
    other.goto(page.url, wait_until="load")
    wait_for_pairs(other)
    return other


def test_answers_that_wait_while_the_cookie_is_lost_are_sent_when_the_same_link_is_opened(
    judging: JudgingSite, sit: Sit
) -> None:
    words = "?PROLIFIC_PID=aaaabbbbccccdddd0003&STUDY_ID=study-0123456789&SESSION_ID=session-0000003"
    seen = sit("prolific", words)
    seen.run(lambda page: page.context.set_offline(True))
    press(seen, "1", "2")
    wait_for(seen, "2 answers are still to be sent")
    seen.run(lambda page: page.unroute_all())  # a request that is watched is sent with the cookies of before
    seen.run(lambda page: page.context.clear_cookies(name="toprung_judge"))
    seen.run(lambda page: page.context.set_offline(False))
    wait_for(seen, "Open the study from Prolific again")
    seen.run(lambda page: page.goto(judging.at("prolific") + words, wait_until="load"))
    wait_for_script(seen)
    assert count(seen) == "3 of 13"


def test_a_task_without_script(sit: Sit) -> None:
    seen = sit("open", javascript=False)
    for _ in range(13):
        seen.run(lambda page: page.get_by_role("button", name="left passage").click())
    seen.run(lambda page: page.get_by_role("button", name="Go back to my last answer").click())
    assert count(seen) == "13 of 13"
    seen.run(lambda page: page.get_by_role("button", name="right passage").click())
    seen.run(lambda page: page.get_by_role("button", name="Hand in").click())
    wait_for(seen, "13 of 13 pairs judged")
