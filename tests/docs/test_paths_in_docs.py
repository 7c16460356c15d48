"""A page that names a file of the project names one that is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = sorted({*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")} - {ROOT / "CHANGELOG.md"})
MADE_BY_THE_READER = {"add-an-analysis.md": "spread", "add-a-page.md": "arrivals"}
"""What the files are called that a page tells how to write."""
NAMED = re.compile(r"`((?:[\w.-]+/)+[\w.-]+\.(?:py|css|toml|c))`")
TESTS = re.compile(r"(?<![\w./`])tests/(?:[\w-]+/)*[\w-]+(?:\.py\b)?")
"""Named without marks, as in a table of what holds a promise."""


def find_missing(text: str) -> list[str]:
    named = [*NAMED.findall(text), *TESTS.findall(text)]
    return [path for path in named if not (ROOT / path).exists() and not (ROOT / "src/toprung" / path).exists()]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_files_that_a_page_names_are_there(page: Path) -> None:
    made = MADE_BY_THE_READER.get(page.name)
    missing = find_missing(page.read_text(encoding="utf-8"))
    assert [path for path in missing if made is None or made not in path] == []


def test_a_file_that_is_not_there_is_found() -> None:
    assert find_missing("see `stats/finding.py` and `stats/gone.py`") == ["stats/gone.py"]
    assert find_missing("| held | tests/fuzz, tests/docs/test_gone.py |") == ["tests/docs/test_gone.py"]


def test_every_promise_of_security_names_a_test_that_holds_it() -> None:
    page = (ROOT / "docs/security.md").read_text(encoding="utf-8")
    table = page.partition("| promise | held by |")[2].partition("\n\n")[0]
    rows = [row for row in table.splitlines() if row.startswith("| ")]
    assert len(rows) > 20
    assert [row for row in rows if not TESTS.search(row.rpartition(" | ")[2])] == []
