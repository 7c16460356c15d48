"""Every command and every Python example in the docs is run, and must give what the page says."""

from __future__ import annotations

import doctest
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.warm.python import warm_path

from toprung.cli.main import main

ROOT = Path(__file__).parents[2]
PAGES = sorted([ROOT / "README.md", *ROOT.glob("docs/**/*.md")])
CONSOLE = re.compile(r"```console\n(.*?)```", re.DOTALL)
COMMAND = re.compile(r"^\$ (.+)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)
OF_A_SERVER = "backup|export|host|import|login|migrate|publish|restore|serve|submit|verify|web|worker"
PLAIN = re.compile(rf"toprung (?!{OF_A_SERVER})[^|<>;&$`*]*")
"""A command that asks nothing of the shell, nor sets Django up for itself."""


def commands_of(page: Path) -> list[tuple[str, str]]:
    return [found for block in CONSOLE.findall(page.read_text()) for found in COMMAND.findall(block)]


@pytest.fixture
def examples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "examples"
    shutil.copytree(ROOT / "docs/examples", folder)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("PATH", os.pathsep.join([warm_path(), str(Path(sys.executable).parent), os.environ["PATH"]]))
    return folder


@pytest.fixture
def printed(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Callable[[str], str]:
    """What a command prints: of a plain one in this process, of others in one that need not start from nothing."""
    monkeypatch.setenv("OPENBLAS_THREAD_TIMEOUT", "4")  # main() sets it; so it is taken back after the test

    def run(command: str) -> str:
        if not PLAIN.fullmatch(command):
            done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False, timeout=300)
            return done.stdout + done.stderr
        monkeypatch.setattr(sys, "argv", shlex.split(command))
        with pytest.raises(SystemExit):
            main()
        written = capfd.readouterr()
        return written.out + written.err

    return run


@pytest.mark.parametrize("page", [page for page in PAGES if commands_of(page)], ids=lambda page: page.name)
def test_commands_print_what_the_page_says(page: Path, examples: Path, printed: Callable[[str], str]) -> None:
    for command, expected in commands_of(page):
        assert printed(command) == expected, command


@pytest.mark.parametrize("page", [page for page in PAGES if ">>> " in page.read_text()], ids=lambda page: page.name)
def test_python_examples_give_what_the_page_says(page: Path, examples: Path) -> None:
    # A closing fence would otherwise be read as part of the last expected output.
    text = page.read_text().replace("```", "")
    parsed = doctest.DocTestParser().get_doctest(text, {}, page.name, str(page), 0)
    runner = doctest.DocTestRunner()
    runner.run(parsed)
    assert runner.tries > 0
    assert runner.failures == 0


def test_every_dependency_has_its_reason() -> None:
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    listed = [
        *project["dependencies"],
        *(name for extra in project["optional-dependencies"].values() for name in extra),
    ]
    reasons = (ROOT / "docs/design/dependencies.md").read_text()
    for requirement in listed:
        name = re.split(r"[\[><=~]", requirement)[0]
        assert re.search(rf"\b{re.escape(name)}\b", reasons), f"{name} has no reason in dependencies.md"
