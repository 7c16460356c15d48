"""On a terminal tables fit its width; a pipe and a file get all. The shell completes what can be typed."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Command = Callable[..., Any]
TOPRUNG = Path(sys.executable).with_name("toprung")
LONG = "a-system-with-a-very-long-name-of-which-the-end-matters-seed-1"
ASKED = ("evaluate", "qrels.txt", f"{LONG}.run", "-m", "RR", "-m", "AP", "-m", "nDCG@10", "-m", "R@1000")


def on_terminal(*arguments: str, columns: int) -> str:
    """What a terminal of so many columns shows."""
    here, there = os.openpty()
    environment = {**os.environ, "COLUMNS": str(columns)}
    with subprocess.Popen([TOPRUNG, *arguments], stdout=there, env=environment) as process:
        os.close(there)
        shown = bytearray()
        try:
            while piece := os.read(here, 4096):
                shown += piece
        except OSError:  # how Linux says that the other end was closed
            pass
        os.close(here)
    assert process.returncode == 0
    return shown.decode().replace("\r\n", "\n")


def table_in(text: str) -> list[str]:
    return text.split("\n\n")[1].splitlines()


@pytest.fixture
def long_run(files: Path) -> None:
    (files / f"{LONG}.run").write_text((files / "good.run").read_text())


@pytest.mark.usefixtures("long_run")
def test_a_table_is_as_wide_as_the_terminal() -> None:
    header, row = table_in(on_terminal(*ASKED, columns=70))
    assert header.split() == ["run", "RR", "AP", "nDCG@10", "R@1000"]
    assert (len(header), len(row)) == (70, 70)
    assert row.startswith("a-system-with-a-ve…end-matters-seed-1  1.0000")


@pytest.mark.usefixtures("long_run")
def test_what_is_left_out_on_a_narrow_terminal_is_named() -> None:
    header, _, note = table_in(on_terminal(*ASKED, columns=40))
    assert header.split() == ["run", "RR", "AP"]
    assert note == "(not shown, for want of width: nDCG@10, R@1000)"


@pytest.mark.usefixtures("long_run")
def test_a_pipe_and_a_file_get_all(real_toprung: Command, files: Path) -> None:
    piped = real_toprung(*ASKED, COLUMNS="40")
    assert table_in(piped.out)[1].startswith(f"{LONG}  1.0000")
    on_terminal(*ASKED, "-o", "out.txt", columns=40)
    assert (files / "out.txt").read_text() == piped.out


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("toprung st", ["standings", "stability", "status"]),
        ("toprung labels a", ["audit"]),
        ("toprung --v", ["--version"]),
        ("toprung evaluate --fr", ["--from"]),
        ("toprung evaluate qrels.txt good.run --format m", ["markdown"]),
    ],
)
def test_the_shell_completes_what_can_be_typed(real_toprung: Command, typed: str, offered: list[str]) -> None:
    asked = {"_TOPRUNG_COMPLETE": "bash_complete", "COMP_WORDS": typed, "COMP_CWORD": str(typed.count(" "))}
    outcome = real_toprung(**asked)
    assert outcome.code == 0
    assert outcome.out.split() == [f"plain,{each}" for each in offered]
