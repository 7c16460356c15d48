"""What does a person have to do on the way? Clicks, fields that are filled in by hand, commands, and words to read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Locator, Page
from tests.web.journeys.walking import Walk


@dataclass(kw_only=True)
class CountedWalk:
    """A walk that counts what the person does: a file that is chosen is a click."""

    walk: Walk
    clicks: int = 0
    typed: int = 0

    def press(self, words: str) -> None:
        self.clicks += 1
        self.walk.press(words)

    def follow(self, path: str) -> None:
        """The first link that leads there."""
        self.clicks += 1
        self.walk.seen.run(lambda page: page.locator(f"main a[href$='{path}']").first.click())

    def go_by(self, words: str) -> None:
        """The first link of these words."""
        self.clicks += 1
        self.walk.follow(words)

    def tick(self, name: str) -> None:
        self.clicks += 1
        self.walk.seen.run(lambda page: page.locator(f"input[name={name}]").first.check())

    def tick_all(self, name: str, value: str) -> None:
        """Of every question whose name begins so, this answer."""
        boxes = self.walk.seen.run(lambda page: page.locator(f"input[name^='{name}'][value={value}]").all())
        self.clicks += len(boxes)
        for box in boxes:
            self.walk.seen.run(_checking(box))

    def choose(self, name: str, file: Path) -> None:
        self.clicks += 1
        self.walk.choose(name, file)

    def select(self, name: str, value: str) -> None:
        self.clicks += 1
        self.walk.seen.run(lambda page: page.locator(f"select[name={name}]").last.select_option(value))

    def write(self, **fields: str) -> None:
        self.typed += len(fields)
        self.walk.write(**fields)


def _checking(box: Locator) -> Callable[[Page], None]:
    return lambda _: box.check()


def count_new_words(screens: Sequence[str]) -> int:
    """What somebody reads who goes from screen to screen: lines that stood on one before are not read again."""
    seen: set[str] = set()
    n = 0
    for screen in screens:
        lines = [line.strip() for line in screen.splitlines()]
        n += sum(len(line.split()) for line in dict.fromkeys(lines) if line not in seen)
        seen.update(lines)
    return n
