from __future__ import annotations

import io
import sys

import pytest

from toprung.cli.options.progress import byte_progress, progress


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


@pytest.mark.parametrize(("stream", "is_shown"), [(Terminal(), True), (io.StringIO(), False)], ids=["person", "file"])
def test_bytes_are_shown_to_a_person_alone(
    monkeypatch: pytest.MonkeyPatch, stream: io.StringIO, is_shown: bool
) -> None:
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("TERM", "xterm")
    with byte_progress(2_000_000, "sending [red]") as reach:
        reach(2_000_000)
    assert ("sending [red]" in stream.getvalue()) == is_shown
    assert ("2.0/2.0 MB" in stream.getvalue()) == is_shown
