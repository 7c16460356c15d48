"""One browser for all tests, a new window for each; without a browser they are skipped, and that is said."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest
from tests.browser.chromium import Chromium, Scheme, find_chromium, start_chromium
from tests.browser.looking import LAPTOP, Visit, visit
from tests.browser.serving import PageServer, serve_pages

type OpenPage = Callable[..., Visit]


NOT_TESTED = pytest.StashKey[int]()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Skipped before anything is made for them."""
    looking = [item for item in items if "chromium" in getattr(item, "fixturenames", ())]
    if looking and find_chromium() is None:
        config.stash[NOT_TESTED] = len(looking)
        for item in looking:
            item.add_marker(pytest.mark.skip(reason="NO BROWSER"))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Once and loud, for the reasons of skips are easily overlooked."""
    n = config.stash.get(NOT_TESTED, 0)
    if n:
        del config.stash[NOT_TESTED]  # said once, whichever conftest is asked first
        terminalreporter.write_line(
            f"NO BROWSER, SO NO PAGE WAS TESTED ({n} tests): console, requests, width, keyboard and accessibility. "
            "Install Debian's Chromium: apt-get install chromium. With CI set, make test does.",
            red=True,
            bold=True,
        )


@pytest.fixture(scope="session")
def chromium() -> Iterator[Chromium]:
    path = find_chromium()
    assert path is not None, "tests that need a browser are skipped without one"
    with start_chromium(path) as started:
        yield started


@pytest.fixture(scope="session")
def server() -> Iterator[PageServer]:
    with serve_pages() as started:
        yield started


@pytest.fixture
def open_page(chromium: Chromium) -> Iterator[OpenPage]:
    """Opens an address with a width, a colour scheme, and JavaScript on or off."""
    with ExitStack() as windows:

        def open_one(url: str, *, width: int = LAPTOP, scheme: Scheme = "light", javascript: bool = True) -> Visit:
            window = visit(chromium, url, width=width, scheme=scheme, javascript=javascript)
            return windows.enter_context(window)

        yield open_one
