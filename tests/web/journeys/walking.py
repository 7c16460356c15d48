"""How does a person get through the site? By what they read on it: buttons and links by their words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Page
from tests.browser.looking import Visit


@dataclass(frozen=True, eq=False, kw_only=True)
class Walk:
    """One person in one window; every step happens in the browser's thread."""

    seen: Visit

    @property
    def url(self) -> str:
        return self.seen.run(lambda page: page.url)

    def go(self, url: str) -> None:
        self.seen.run(lambda page: page.goto(url, wait_until="load"))

    def look_again(self) -> None:
        self.seen.run(lambda page: page.reload(wait_until="load"))

    def press(self, words: str) -> None:
        """A button."""
        self.seen.run(lambda page: page.get_by_role("button", name=words, exact=True).click())

    def press_twice(self, words: str) -> None:
        """As people do who are used to it: what the button does is done once."""
        self.seen.run(lambda page: page.get_by_role("button", name=words, exact=True).dblclick())

    def follow(self, words: str) -> None:
        """A link, the first of these words."""
        self.seen.run(lambda page: page.get_by_role("link", name=words).first.click())

    def write(self, **fields: str) -> None:
        """Into fields by their names in the form."""
        for name, text in fields.items():
            self.seen.run(_filling(name, text))

    def choose(self, name: str, *files: Path) -> None:
        """Files by the dialog of the browser."""
        self.seen.run(lambda page: page.locator(f"input[name={name}]").set_input_files(list(files)))

    def drop(self, selector: str, file: Path) -> None:
        """A file dragged from the desktop, as the browser gets it from the system."""

        def drag() -> None:
            box = self.seen.page.locator(selector).bounding_box()
            assert box is not None
            data = {"items": [], "files": [str(file)], "dragOperationsMask": 1}
            at = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2, "data": data}
            wire = self.seen.page.context.new_cdp_session(self.seen.page)
            for kind in ("dragEnter", "dragOver", "drop"):
                wire.send("Input.dispatchDragEvent", {"type": kind, **at})
            wire.detach()

        self.seen.run(lambda _: drag())

    def wait_for(self, words: str, *, within: str = "main") -> None:
        """Until these words are there, on this page or the one that comes."""
        self.seen.run(lambda page: page.locator(within).get_by_text(words).first.wait_for())

    def reads(self, selector: str = "main") -> str:
        """What stands there, in one line."""
        return " ".join(" ".join(self.seen.texts(selector)).split())

    def row(self, label: str) -> str:
        """Of a table: the row of a run."""
        return self.reads(f"tr:has(a[href$='/runs/{label}/'])")

    @property
    def faults(self) -> list[str]:
        """What no step may leave behind: errors of the console, and requests to elsewhere."""
        return [*self.seen.errors, *self.seen.outside]


def _filling(name: str, text: str) -> Callable[[Page], None]:
    return lambda page: page.locator(f"[name={name}]").last.fill(text)
