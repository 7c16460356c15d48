from __future__ import annotations

import io
import sys

import pytest

from toprung.cli.progress import progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def written(monkeypatch: pytest.MonkeyPatch, stream: io.StringIO, total: int) -> str:
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("TERM", "xterm")
    with progress(total, "Scoring") as advance:
        for number in range(total):
            advance(f"run{number}")
    return stream.getvalue()


def test_a_person_sees_what_is_being_done(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "Scoring" in written(monkeypatch, Terminal(), 3)


def test_a_file_gets_no_progress_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    assert written(monkeypatch, io.StringIO(), 3) == ""


def test_one_thing_needs_no_progress_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    assert written(monkeypatch, Terminal(), 1) == ""
