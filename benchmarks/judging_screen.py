"""How long does an assessor wait? ``python -m benchmarks.judging_screen``.

A study is served by ``toprung serve`` and opened in Chromium as on a phone: the network as slow as the preset "Slow 4G"
of its developer tools, which delays every request by 562.5 ms, and the processor four times slower. Measured are the
first pair (from asking for its page until it is painted, nothing kept from before), the next pair (from the key until
the frame that shows it), what a first visit weighs on the wire, and the way from the link to the first pair: its pages
as they are waited for, its words at 200 a minute, and a second for each touch.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Any

from playwright.sync_api import Browser, CDPSession, Page, sync_playwright
from tests.browser.chromium import FLAGS, find_chromium
from tests.web.journeys.counted import count_new_words
from tests.web.journeys.sitting import (
    STEPS,
    TO_READ,
    JudgingSite,
    serve_judging,
    sit_down,
    wait_for_pairs,
)

MOST_OF_FIRST, MOST_OF_NEXT, MOST_BYTES, MOST_OF_WAY = 1_500, 50, 40_000, 60
"""Milliseconds, milliseconds, bytes and seconds."""
WORDS_A_MINUTE, SECONDS_A_TOUCH = 200, 1
SLOW_4G = {"latency": 562.5, "downloadThroughput": 1_600_000 / 8 * 0.9, "uploadThroughput": 750_000 / 8 * 0.9}
CPU_SLOWER = 4
WIDTH, HEIGHT = 390, 844
PAINTED = "performance.getEntriesByName('first-contentful-paint')[0].startTime"
NEXT = """key => new Promise(done => {
  const before = document.body.dataset.shown, pressed = performance.now();
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  const tell = () => done([performance.now() - pressed, before, document.body.dataset.shown]);
  requestAnimationFrame(() => setTimeout(tell));
})"""


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=5, help="first visits (default: 5)")
    given = parser.parse_args(arguments)
    path = find_chromium()
    if path is None:
        parser.error("found no Chromium; expected one, such as Debian's: apt-get install chromium")
    with tempfile.TemporaryDirectory(prefix="toprung-screen-") as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS, chromium_sandbox=False)
        with serve_judging(Path(folder) / "data") as site:
            found = measure(browser, site, given.times) | {"way": [come(browser, site) for _ in range(given.times)]}
        browser.close()
    return say(found)


def measure(browser: Browser, site: JudgingSite, times: int) -> dict[str, list[float]]:
    """Of each visit the first pair and the bytes; of each key the next pair."""
    page = _sit_down(browser, site)
    wire = page.context.new_cdp_session(page)
    weighed: list[float] = []
    wire.send("Network.enable")
    wire.on("Network.loadingFinished", lambda each: weighed.append(each["encodedDataLength"]))
    _slow_down(wire)
    first, heavy, following = [], [], []
    for _ in range(times):
        weighed.clear()
        page.reload(wait_until="load")
        wait_for_pairs(page)
        first.append(float(page.evaluate(PAINTED)))
        heavy.append(sum(weighed))
        following.append(_press(page))
        following.append(_press(page))
    return {"first": first, "next": following, "bytes": heavy}


def come(browser: Browser, site: JudgingSite) -> float:
    """Seconds from the link to the first pair, by somebody who reads every word; says what they are made of."""
    page = browser.new_context(viewport={"width": WIDTH, "height": HEIGHT}, has_touch=True).new_page()
    wire = page.context.new_cdp_session(page)
    wire.send("Network.enable")
    _slow_down(wire, keeps=True)
    began = time.monotonic()
    page.goto(site.at("open"), wait_until="load")
    waited, screens = time.monotonic() - began, []
    for role, name in STEPS:
        screens.append(str(page.evaluate(TO_READ)))
        began = time.monotonic()
        with page.expect_navigation(wait_until="load"):
            page.get_by_role(role, name=name).tap()
        waited += time.monotonic() - began
    wait_for_pairs(page)
    page.context.close()
    n_words = count_new_words(screens)
    print(f"{len(screens)} screens and touches, {n_words} words, {waited:.1f} s of waiting")
    return n_words * 60 / WORDS_A_MINUTE + waited + len(STEPS) * SECONDS_A_TOUCH


def _sit_down(browser: Browser, site: JudgingSite) -> Page:
    page = browser.new_context(viewport={"width": WIDTH, "height": HEIGHT}, has_touch=True).new_page()
    page.goto(site.at("open"))
    sit_down(page)
    wait_for_pairs(page)
    return page


def _slow_down(wire: CDPSession, *, keeps: bool = False) -> None:
    """``keeps``: what came once is not asked for again, as usual."""
    throttled: dict[str, Any] = {"offline": False, **SLOW_4G}
    wire.send("Network.emulateNetworkConditions", throttled)
    wire.send("Network.setCacheDisabled", {"cacheDisabled": not keeps})
    wire.send("Emulation.setCPUThrottlingRate", {"rate": CPU_SLOWER})


def _press(page: Page) -> float:
    """From the key until the next pair is on the screen."""
    taken, before, after = page.evaluate(NEXT, "1")
    if before == after:
        raise AssertionError("the key showed no other pair")
    page.wait_for_timeout(400)
    return float(taken)


def say(found: dict[str, list[float]]) -> int:
    """The least, the median and the worst of each; 1 where the median is too much."""
    rows = (
        ("first pair, Slow 4G (ms)", found["first"], MOST_OF_FIRST),
        ("next pair after the key (ms)", found["next"], MOST_OF_NEXT),
        ("first visit on the wire (bytes)", found["bytes"], MOST_BYTES),
        ("link to first pair, read (s)", found["way"], MOST_OF_WAY),
    )
    for what, values, most in rows:
        least, usual, worst = (f"{each:,.0f}" for each in (min(values), median(values), max(values)))
        print(f"{what:32} least {least}, median {usual}, worst {worst}; asked for {most:,}")
    return int(any(median(values) > most for _, values, most in rows))


if __name__ == "__main__":
    raise SystemExit(main())
