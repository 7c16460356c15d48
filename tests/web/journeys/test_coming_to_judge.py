"""An assessor comes from the link to the first pair in less than a minute: few screens, few words."""

from __future__ import annotations

from tests.browser.chromium import Chromium
from tests.browser.looking import PHONE, visit
from tests.web.journeys.counted import count_new_words
from tests.web.journeys.sitting import STEPS, JudgingSite, read_on_the_way, wait_for, wait_for_script

WORDS_A_MINUTE = 200
MOST_SECONDS_OF_READING = 49
"""Of sixty; the rest is for three touches and four pages, which `python -m benchmarks.judging_screen` times."""


def test_little_is_to_be_read_before_the_first_pair(chromium: Chromium, judging: JudgingSite) -> None:
    with visit(chromium, judging.at("open"), width=PHONE, touch=True) as seen:
        screens = seen.run(read_on_the_way)
        wait_for_script(seen)
        assert seen.texts("#count") == ["1 of 13"]
    assert len(screens) == len(STEPS) == 3
    first, second, third = screens
    assert "Delete it on the last page" in first, "what is agreed to stands there, not behind a link"
    assert "Try one" in second
    assert ("Two worked examples" in second, "sourdough" in second) == (True, False), "folded, one touch away"
    assert "Yes, that one. Only the right passage answers." in third
    assert count_new_words(screens) * 60 / WORDS_A_MINUTE <= MOST_SECONDS_OF_READING, count_new_words(screens)


def test_worked_examples_open_at_a_touch(chromium: Chromium, judging: JudgingSite) -> None:
    with visit(chromium, judging.at("open"), javascript=False) as seen:
        seen.run(lambda page: page.get_by_role("button", name="I agree, go on").click())
        seen.run(lambda page: page.get_by_text("Two worked examples").click())
        for words in ("The left passage says how often.", "only the right passage says why"):
            wait_for(seen, words)
