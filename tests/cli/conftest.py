"""Runs the command, in this process or as a real one, in a folder with a few files."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.client.conftest import own_folder, server

from toprung.cli.main import main

__all__ = ["own_folder", "server"]

QRELS = "q1 0 a 1\nq2 0 b 2\nq2 0 c 1\n"
GOOD = "q1 Q0 a 1 2.5 good-tag\nq1 Q0 x 2 1.5 good-tag\nq2 Q0 b 1 9 good-tag\nq2 Q0 c 2 8 good-tag\n"
POOR = "q1 Q0 x 1 2 poor-tag\nq1 Q0 a 2 1 poor-tag\nq2 Q0 y 1 1 poor-tag\n"


@dataclass(frozen=True)
class Outcome:
    """How a command ended, and what it wrote."""

    code: int
    out: str
    err: str


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder the command runs in. RR: good has 1 and 1, poor 1/2 and 0."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "qrels.txt").write_text(QRELS)
    (tmp_path / "good.run").write_text(GOOD)
    (tmp_path / "poor.run").write_text(POOR)
    return tmp_path


@pytest.fixture
def toprung(files: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Outcome]:
    """Runs the command in this process."""
    monkeypatch.setenv("OPENBLAS_THREAD_TIMEOUT", "4")  # main() sets it; so it is taken back after the test

    def run(*arguments: str | Path) -> Outcome:
        monkeypatch.setattr(sys, "argv", ["toprung", *map(str, arguments)])
        with pytest.raises(SystemExit) as end:
            main()
        written = capsys.readouterr()
        assert end.value.code is None or isinstance(end.value.code, int)
        return Outcome(end.value.code or 0, written.out, written.err)

    return run


@pytest.fixture
def real_toprung(files: Path) -> Callable[..., Outcome]:
    """Runs the installed command as a process of its own."""

    def run(*arguments: str | Path, stdin: str = "", **environment: str) -> Outcome:
        done = subprocess.run(
            [Path(sys.executable).with_name("toprung"), *arguments],
            input=stdin,
            capture_output=True,
            encoding="utf-8",
            env={**os.environ, **environment},
            timeout=300,
            check=False,
        )
        return Outcome(done.returncode, done.stdout, done.stderr)

    return run
