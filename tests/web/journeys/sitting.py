"""How does an assessor get through a study, in a real browser? From the link to the first pair, then key by key."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from urllib.request import urlopen

from playwright.sync_api import Page
from tests.browser.looking import Visit
from tests.web.journeys.site import SECONDS_TO_FILL, fill, plain_environment, serve_folder

LONG_ENOUGH = 320
"""Milliseconds after which a choice is taken at once."""
MOST_TABS = 40
STEPS: tuple[tuple[Literal["button", "link"], str], ...] = (
    ("button", "I agree, go on"),
    ("button", "right passage"),
    ("button", "Start"),
)
TO_READ = """() => {
  const folded = [...document.querySelectorAll("main .vh, main details:not([open]) > :not(summary)")];
  folded.forEach(each => { each.hidden = true; });
  const text = document.querySelector("main").innerText;
  folded.forEach(each => { each.hidden = false; });
  return text;
}"""
"""Without what is folded away, or said to screen readers alone."""
type Sit = Callable[..., Visit]


@dataclass(frozen=True, kw_only=True)
class JudgingSite:
    """A server with studies, and a campaign as its organiser sees it."""

    url: str
    paths: Mapping[str, str]
    session: str
    """Of the organiser."""

    def at(self, name: str) -> str:
        return self.url + self.paths[name]


@contextmanager
def serve_judging(folder: Path) -> Iterator[JudgingSite]:
    told = fill(folder, "tests.web.judging.fill_pages")
    with serve_folder(folder, plain_environment()) as url:
        urlopen(f"{url}/healthz", timeout=SECONDS_TO_FILL).close()  # until its first process is up
        yield JudgingSite(url=url, paths=told["paths"], session=told["session"])


def begin(seen: Visit) -> None:
    """From the link to the first pair."""
    seen.run(sit_down)


def sit_down(page: Page) -> None:
    for role, name in STEPS:
        page.get_by_role(role, name=name).click()


def read_on_the_way(page: Page) -> list[str]:
    """From the link to the first pair: what stands to be read on each screen before it is left."""
    screens = []
    for role, name in STEPS:
        screens.append(str(page.evaluate(TO_READ)))
        with page.expect_navigation(wait_until="load"):
            page.get_by_role(role, name=name).click()
    return screens


def wait_for_script(seen: Visit) -> None:
    seen.run(wait_for_pairs)


def wait_for_pairs(page: Page) -> None:
    page.locator("body[data-shown]").wait_for()
    page.wait_for_timeout(LONG_ENOUGH)


def pause(seen: Visit, ms: int = LONG_ENOUGH) -> None:
    seen.run(lambda page: page.wait_for_timeout(ms))


def press(seen: Visit, *keys: str) -> None:
    for key in keys:
        seen.run(_pressing(key))
        pause(seen)


def _pressing(key: str) -> Callable[[Page], None]:
    return lambda page: page.keyboard.press(key)


def tab_to(seen: Visit, words: str) -> None:
    """By the Tab key to what is called so, and Enter."""
    seen.run(lambda page: _tab_to(page, words))


def _tab_to(page: Page, words: str) -> None:
    for _ in range(MOST_TABS):
        page.keyboard.press("Tab")
        if words in str(page.evaluate("document.activeElement.textContent")):
            with page.expect_navigation():
                page.keyboard.press("Enter")
            return
    raise AssertionError(f"{words!r} is not reached by Tab")


def count(seen: Visit) -> str:
    return seen.texts("#count")[0]


def wait_for(seen: Visit, words: str, within: str = "main") -> None:
    seen.run(lambda page: page.locator(within).get_by_text(words).first.wait_for())
