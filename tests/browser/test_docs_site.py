"""The docs site is built without a warning, and is read and searched from the disk: nothing is fetched or too wide.

Building takes half a minute: `pytest -m slow tests/browser/test_docs_site.py`. `make docs` builds it as well.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from tests.browser.conftest import OpenPage
from tests.browser.looking import LAPTOP, PHONE, SCHEMES, WIDTHS

ROOT = Path(__file__).parents[2]
PAGES = (
    "index.html",
    "start/researcher.html",
    "first-verdict.html",
    "howto/choose-policies.html",
    "reference/commands/score.html",
    "reference/python/comparing.html",
    "gallery/index.html",
    "glossary.html",
    "published-board.html",
)

DRAWERS = "aside:is(.sidebar-drawer, .toc-drawer) { display: none; }"
"""The navigation waits beside the window until it is opened."""

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With one page in the place of a board."""
    folder = tmp_path_factory.mktemp("docs")
    (folder / "board").mkdir()
    (folder / "board/index.html").write_text("<!doctype html><title>A board</title>")
    where = [str(folder / "board"), "--output", str(folder / "site"), "--work", str(folder / "work")]
    command = [sys.executable, "-m", "docs.site.make", *where]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return folder / "site"


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("page", PAGES)
def test_a_page_fits_and_fetches_nothing(site: Path, open_page: OpenPage, page: str, width: int, scheme: str) -> None:
    visit = open_page((site / page).as_uri(), width=width, scheme=scheme)
    assert visit.errors == []
    assert visit.outside == []
    visit.add_style(DRAWERS)
    assert visit.find_overflow() == []


@pytest.mark.parametrize(
    ("words", "expected"),
    [("ladder", "Choose the policies of a board"), ("--float32-ties", "Score runs"), ("SignificanceGrid", "Compare")],
)
def test_search_works_from_the_disk(site: Path, open_page: OpenPage, words: str, expected: str) -> None:
    visit = open_page(f"{(site / 'search.html').as_uri()}?q={words}", width=LAPTOP)
    visit.run(lambda page: page.wait_for_selector("#search-results li"))
    assert any(expected in found for found in visit.texts("#search-results li"))
    assert visit.outside == []


def test_the_four_doors_are_on_the_start_page(site: Path, open_page: OpenPage) -> None:
    visit = open_page((site / "index.html").as_uri(), width=PHONE)
    assert visit.texts("#come-in-as li a") == ["Researcher", "Organiser", "Participant", "Assessor"]


def test_the_published_board_is_beside_the_pages(site: Path, open_page: OpenPage) -> None:
    visit = open_page((site / "published-board.html").as_uri())
    visit.run(lambda page: page.click(".to-board"))
    assert visit.run(lambda page: page.title()) == "A board"
