"""How is a real browser driven? Debian's Chromium through Playwright, in a thread of its own.

Playwright's plain interface keeps an event loop running in the thread that started it. In pytest's own thread every
test after it would find that loop: asyncio.run() refuses to start, Django refuses to ask its database. So the browser
has a thread, whatever is done with a page is sent there, and no other test notices.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Playwright

type Scheme = Literal["light", "dark"]

NAMES = ("chromium", "chromium-browser")
HIGH_ENOUGH = 900
PATIENCE = 300.0
"""Seconds in which the browser must start, open a page, or find what it is told to press: a busy machine is slow."""
FLAGS = [
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-gpu",
    "--disable-sync",
    "--no-first-run",
    # Whatever a page asks for, no other machine is found.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
]


@cache
def find_chromium() -> str | None:
    """A Chromium that runs: one that is only looked up may be a wrapper around nothing."""
    for name in NAMES:
        path = shutil.which(name)
        if path is not None and _runs(path):
            return path
    return None


def _runs(path: str) -> bool:
    try:
        asked = subprocess.run([path, "--version"], capture_output=True, check=False, timeout=PATIENCE)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return asked.returncode == 0


@dataclass(frozen=True, eq=False, kw_only=True)
class Chromium:
    """A browser that runs in a thread of its own; contexts of it share nothing."""

    thread: ThreadPoolExecutor
    browser: Browser

    def run[T](self, work: Callable[[], T]) -> T:
        """Do it where the browser lives."""
        return self.thread.submit(work).result()

    def new_context(self, *, width: int, scheme: Scheme, javascript: bool, touch: bool = False) -> BrowserContext:
        """A fresh window; to be used and closed through ``run`` only."""
        context = self.run(
            lambda: self.browser.new_context(
                viewport={"width": width, "height": HIGH_ENOUGH},
                color_scheme=scheme,
                java_script_enabled=javascript,
                has_touch=touch,
                service_workers="block",
                reduced_motion="reduce",
            )
        )
        self.run(lambda: context.set_default_timeout(1000 * PATIENCE))
        return context


@contextmanager
def start_chromium(path: str) -> Iterator[Chromium]:
    """Playwright makes a new folder for the user's data, and removes it."""
    from playwright.sync_api import sync_playwright

    with ThreadPoolExecutor(max_workers=1, thread_name_prefix="chromium") as thread:
        playwright = thread.submit(lambda: sync_playwright().start()).result()
        try:
            browser = thread.submit(lambda: _launch(playwright, path)).result()
            try:
                yield Chromium(thread=thread, browser=browser)
            finally:
                thread.submit(browser.close).result()
        finally:
            thread.submit(playwright.stop).result()


def _launch(playwright: Playwright, path: str) -> Browser:
    """Without the sandbox, which refuses root and many containers: only our own pages are opened."""
    return playwright.chromium.launch(executable_path=path, args=FLAGS, chromium_sandbox=False, timeout=1000 * PATIENCE)
