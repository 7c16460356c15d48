"""A published board in a real browser, from the disk and from a plain web server: it looks and works as the board."""

from __future__ import annotations

import os
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from tests.browser.chromium import Chromium, Scheme
from tests.browser.looking import LAPTOP, PHONE, Visit, visit
from tests.browser.serving import LOOPBACK
from tests.web.journeys.site import TOPRUNG, Site

pytestmark = pytest.mark.django_db  # for the world that the served folder is filled with

PAGES = ("index.html", "runs/R1.html", "compare-a-R4-b-R8.html", "history.html", "embed.html")
LOOKS: tuple[tuple[int, Scheme], ...] = ((LAPTOP, "light"), (LAPTOP, "dark"), (PHONE, "light"), (PHONE, "dark"))


class QuietHandler(SimpleHTTPRequestHandler):
    """Notes what is not there."""

    missing: list[str]

    def __init__(self, *arguments: object, missing: list[str], **options: object) -> None:
        self.missing = missing
        super().__init__(*arguments, **options)  # type: ignore[arg-type]  # handed on

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002, ARG002 - as the base class has it
        if "404" in map(str, args):
            self.missing.append(str(args[0]))


@contextmanager
def serve_files(folder: Path) -> Iterator[tuple[str, list[str]]]:
    missing: list[str] = []
    handler = partial(QuietHandler, directory=str(folder), missing=missing)
    with ThreadingHTTPServer((LOOPBACK, 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        thread.start()
        try:
            yield f"http://{LOOPBACK}:{server.server_port}", missing
        finally:
            server.shutdown()
            thread.join()


@pytest.fixture(scope="module")
def published(site: Site, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """By the command, beside the server that runs."""
    folder = tmp_path_factory.mktemp("published") / "some where" / "boards"
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("TOPRUNG_", "DJANGO_"))}
    command = [*TOPRUNG, "publish", "rounded", str(folder), "--data", str(site.folder)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("The rounded board: ")
    return folder


def find_faults(seen: Visit) -> list[str]:
    return [
        *(f"console: {error}" for error in seen.errors),
        *(f"asked for: {url}" for url in seen.outside),
        *(f"too wide: {element}" for element in seen.find_overflow()),
    ]


def is_styled(seen: Visit) -> bool:
    """Whether every stylesheet that the page names holds: a rule of the shared one is about every page."""
    named: int = seen.run(lambda page: page.locator("link[rel=stylesheet]").count())
    applied: int = seen.run(lambda page: page.evaluate("document.styleSheets.length"))
    colour: str = seen.run(lambda page: page.evaluate("getComputedStyle(document.body).backgroundColor"))
    return applied == named >= 2 and colour not in ("rgba(0, 0, 0, 0)", "rgb(255, 255, 255)")


@pytest.mark.parametrize("name", PAGES)
def test_a_page_on_the_disk_is_whole(chromium: Chromium, published: Path, name: str) -> None:
    for width, scheme in LOOKS:
        with visit(chromium, (published / name).as_uri(), width=width, scheme=scheme) as seen:
            assert find_faults(seen) == []
            assert is_styled(seen)


@pytest.mark.parametrize("name", PAGES)
def test_a_page_on_a_plain_server_is_whole(chromium: Chromium, published: Path, name: str) -> None:
    """In a folder of the site, not at its root."""
    with serve_files(published.parent) as (address, missing):
        for width, scheme in LOOKS:
            url = f"{address}/{published.name}/{name}"
            with visit(chromium, url, width=width, scheme=scheme) as seen:
                assert find_faults(seen) == []
                assert is_styled(seen)
    assert missing == []


def test_everybody_can_use_it(chromium: Chromium, published: Path) -> None:
    for name in PAGES[:2]:
        with visit(chromium, (published / name).as_uri()) as seen:
            assert seen.find_grave_violations() == []
            assert seen.find_keyboard_faults() == []


def test_one_walks_through_it_on_the_disk(chromium: Chromium, published: Path) -> None:
    """From the leaderboard to a run, to its comparison with the highest score, to the history, and back."""
    with visit(chromium, (published / "index.html").as_uri()) as seen:
        steps = ("kestrel-near", "Compare with norrland-two", "History", "Methods", "Toprung")
        for words in steps:
            seen.run(lambda page, words=words: page.get_by_role("link", name=words).first.click())
            seen.run(lambda page: page.wait_for_load_state())
        assert seen.run(lambda page: page.url) == (published / "index.html").as_uri()
        assert seen.errors == []


def test_a_text_is_copied_without_a_server(chromium: Chromium, published: Path) -> None:
    """The one script that stays: its button shows itself where it works."""
    with visit(chromium, (published / "compare-a-R4-b-R8.html").as_uri()) as seen:
        assert seen.run(lambda page: page.get_by_role("button", name="Copy as LaTeX").is_visible())
        assert seen.errors == []
