"""What a judging effort lives in is not written over, and what is broken in it is told."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Command = Callable[..., Any]


@pytest.fixture
def judged(toprung: Command, files: Path) -> Command:
    (files / "votes").write_text("t a b a\n")
    assert toprung("labels", "import", "votes", "--state", "S").code == 0
    return toprung


@pytest.mark.parametrize("command", [("tournament", "-o"), ("outcomes", "-o"), ("outcomes", "--export")])
@pytest.mark.parametrize("name", ["judgments.jsonl", "manifest.json"])
def test_the_files_of_the_effort_are_not_written_over(
    judged: Command, files: Path, command: tuple[str, str], name: str
) -> None:
    before = (files / "S" / name).read_bytes()
    outcome = judged("labels", command[0], command[1], f"S/{name}", "--state", "S")
    assert outcome.code == 2
    assert "a file of the judging effort itself; expected another place" in outcome.err
    assert (files / "S" / name).read_bytes() == before


def test_other_files_may_lie_in_the_folder(judged: Command, files: Path) -> None:
    assert judged("labels", "tournament", "-o", "S/best.qrels", "--state", "S").code == 0
    assert (files / "S" / "best.qrels").read_text().split() == ["t", "0", "a", "1"]


def test_half_a_record_is_told(judged: Command, files: Path) -> None:
    with (files / "S" / "judgments.jsonl").open("a") as file:
        file.write('{"judgment_id": ')
    outcome = judged("labels", "outcomes", "--state", "S")
    assert outcome.code == 0
    assert "judgments.jsonl is half a record. It is left out" in outcome.err


def test_who_judged_can_be_said(judged: Command, files: Path) -> None:
    assert judged("labels", "import", "votes", "--state", "S", "--kind", "llm").code == 0
    lines = (files / "S" / "judgments.jsonl").read_text().splitlines()
    assert [json.loads(line)["kind"] for line in lines] == ["import", "llm"]
