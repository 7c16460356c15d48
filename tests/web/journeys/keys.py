"""How does a person get through the site who has no pointer? By Tab, Enter, blanks, arrows and letters."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import FileChooser, Page
from playwright.sync_api import TimeoutError as NotInTimeError
from tests.browser.looking import Visit

MOST_TABS = 120
MOST_PRESSES, PATIENCE = 5, 30_000.0
IS_THERE = """([selector, words]) => {
    const at = document.activeElement;
    return at.matches(selector) && `${at.innerText} ${at.value} ${at.ariaLabel}`.includes(words);
}"""


@dataclass(frozen=True, eq=False, kw_only=True)
class Keyboard:
    """One person in one window; nothing is clicked."""

    seen: Visit

    def tab_to(self, selector: str, words: str = "") -> None:
        """From where the focus is, as often as it takes."""
        self.seen.run(lambda page: _tab_to(page, selector, words))

    def press(self, *keys: str) -> None:
        for key in keys:
            self.seen.run(lambda page, key=key: page.keyboard.press(key))

    def open(self, selector: str, words: str = "") -> None:
        """What leads to another page, until that is there."""
        self.tab_to(selector, words)

        def enter(page: Page) -> None:
            with page.expect_navigation(wait_until="load"):
                page.keyboard.press("Enter")

        self.seen.run(enter)

    def type_into(self, selector: str, text: str) -> None:
        self.tab_to(selector)
        self.seen.run(lambda page: page.keyboard.type(text))

    def choose_file(self, selector: str, file: Path) -> None:
        """By the dialog that the key opens."""
        self.tab_to(selector)

        self.seen.run(lambda page: _open_dialog(page).set_files(file))


def _open_dialog(page: Page) -> FileChooser:
    """By the key, once more where the browser was too busy to show it."""
    for _ in range(MOST_PRESSES):
        with suppress(NotInTimeError), page.expect_file_chooser(timeout=PATIENCE) as asked:
            page.keyboard.press("Enter")
        with suppress(NotInTimeError):
            return asked.value
    raise AssertionError(f"Enter opens no dialog of files on {page.url}")


def _tab_to(page: Page, selector: str, words: str) -> None:
    for _ in range(MOST_TABS):
        page.keyboard.press("Tab")
        if page.evaluate(IS_THERE, [selector, words]):
            return
    raise AssertionError(f"{selector} {words!r} is not reached by Tab on {page.url}")
