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


EXAMPLES = ROOT / "docs" / "examples"
COMMAND = re.compile(r"^\$ (.+)$", re.MULTILINE)
OF_NO_USE = {"backup.md": "qrels.txt stands for any file that is no backup"}


def find_missing(text: str) -> list[str]:
    named = [*NAMED.findall(text), *TESTS.findall(text)]
    return [path for path in named if not (ROOT / path).exists() and not (ROOT / "src/toprung" / path).exists()]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_files_that_a_page_names_are_there(page: Path) -> None:
    made = MADE_BY_THE_READER.get(page.name)
    missing = find_missing(page.read_text(encoding="utf-8"))
    assert [path for path in missing if made is None or made not in path] == []


def uses_examples(text: str) -> bool:
    words = {word for command in COMMAND.findall(text) for word in re.split(r"[\s;|<>]+", command)}
    return any((EXAMPLES / word).is_file() for word in words if word[:1] not in ("", "/", "-", "."))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_whose_commands_read_example_files_says_where_they_lie(page: Path) -> None:
    """Else who types them in an empty folder is told that there is no such file, and no more."""
    text = page.read_text(encoding="utf-8")
    if uses_examples(text) and EXAMPLES not in page.parents and page.name not in OF_NO_USE:
        assert "examples/" in text


def test_a_page_that_uses_examples_is_known_by_its_commands() -> None:
    assert uses_examples("```console\n$ toprung evaluate qrels.txt mine.run | head -1\n```")
    assert not uses_examples("see `qrels.txt`\n$ toprung board web-docs")


def test_a_file_that_is_not_there_is_found() -> None:
    assert find_missing("see `stats/finding.py` and `stats/gone.py`") == ["stats/gone.py"]
    assert find_missing("| held | tests/fuzz, tests/docs/test_gone.py |") == ["tests/docs/test_gone.py"]


def test_every_promise_of_security_names_a_test_that_holds_it() -> None:
    page = (ROOT / "docs/security.md").read_text(encoding="utf-8")
    table = page.partition("| promise | held by |")[2].partition("\n\n")[0]
    rows = [row for row in table.splitlines() if row.startswith("| ")]
    assert len(rows) > 20
    assert [row for row in rows if not TESTS.search(row.rpartition(" | ")[2])] == []
