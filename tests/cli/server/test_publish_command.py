"""``toprung publish`` on a folder of its own, as one gives it in a terminal."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from tests.warm.python import TOPRUNG, run_warm

pytest.importorskip("django")
ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def hosted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example board, without runs."""
    folder = tmp_path_factory.mktemp("hosted") / "data"
    done = run("host", "create", str(ROOT / "docs/examples/board.toml"), "--data", str(folder))
    assert done.returncode == 0, done.stderr
    return folder


def run(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("TOPRUNG_", "DJANGO_"))}
    return run_warm(TOPRUNG, *arguments, env=kept | variables, text=True, timeout=300)


def publish(hosted: Path, folder: Path, *options: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return run("publish", "harbour-questions", str(folder), "--data", str(hosted), *options, **variables)


def test_it_says_what_it_wrote_and_where(hosted: Path, tmp_path: Path) -> None:
    done = publish(hosted, tmp_path / "site")
    assert (done.returncode, done.stderr) == (0, "")
    told, place = done.stdout.splitlines()
    assert told.startswith("Harbour questions: ")
    assert told.endswith(" MB, without results yet.")
    assert place == f"Open {tmp_path / 'site/index.html'}"
    assert "static/toprung/toprung.css" in (tmp_path / "site/index.html").read_text()  # without a digest in its name


@pytest.mark.parametrize(
    ("options", "variables", "address"),
    [
        ([], {}, ""),
        ([], {"TOPRUNG_URL": "http://127.0.0.1:8000"}, ""),
        ([], {"TOPRUNG_URL": "https://boards.example.org"}, "https://boards.example.org"),
        (
            ["--url", "https://other.example.org/"],
            {"TOPRUNG_URL": "https://boards.example.org"},
            "https://other.example.org",
        ),
    ],
)
def test_it_links_to_the_board_where_others_can_come(
    hosted: Path, tmp_path: Path, options: list[str], variables: dict[str, str], address: str
) -> None:
    done = publish(hosted, tmp_path / "site", *options, **variables)
    assert done.returncode == 0, done.stderr
    page = (tmp_path / "site/index.html").read_text()
    if address:
        assert f'href="{address}/b/harbour-questions/"' in page
    else:
        assert "The board itself" not in page


@pytest.mark.parametrize("url", ["boards.example.org", "ftp://x.example", "https://", 'https://x.example/"><script>'])
def test_an_address_that_is_none_is_refused(hosted: Path, tmp_path: Path, url: str) -> None:
    done = publish(hosted, tmp_path / "site", "--url", url)
    assert done.returncode == 2
    assert "--url: found" in done.stderr
    assert not (tmp_path / "site").exists()


def test_a_board_that_is_not_there_is_refused(hosted: Path, tmp_path: Path) -> None:
    done = run("publish", "harbor", str(tmp_path / "site"), "--data", str(hosted))
    assert done.returncode == 2
    assert done.stderr == "toprung: Found no board 'harbor'; expected one of those there: harbour-questions.\n"


def test_a_folder_with_something_else_is_refused(hosted: Path, tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("Years of work.")
    done = publish(hosted, tmp_path)
    assert done.returncode == 2
    assert "found a folder with something else in it" in done.stderr
    assert (tmp_path / "thesis.tex").read_text() == "Years of work."
