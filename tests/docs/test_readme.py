"""The README is short, and leads every kind of reader on."""

from __future__ import annotations

import re
from pathlib import Path

README = (Path(__file__).parents[2] / "README.md").read_text()
MOST_LINES = 120


def part(heading: str) -> str:
    return README.split(f"\n## {heading}\n")[1].split("\n## ")[0]


def test_it_is_read_in_two_minutes() -> None:
    assert len(README.splitlines()) <= MOST_LINES
    assert len(re.findall(r"!\[[^\]]+\]\(", README)) == 1


def test_it_tells_how_to_install_from_a_wheel_and_from_a_clone() -> None:
    assert re.search(r"pip install '.*\.whl\[", part("Install"))
    assert "git clone" in part("Install")


def test_two_commands_and_five_lines_are_what_it_promises() -> None:
    assert len(re.findall(r"^\$ toprung ", part("Two commands"), re.MULTILINE)) == 2
    assert len(re.findall(r"^>>> ", part("Five lines for a verdict"), re.MULTILINE)) == 5


def test_there_are_four_doors() -> None:
    doors = re.findall(r"\]\(docs/start/(\w+)\.md\)", part("Come in by your door"))
    assert doors == ["researcher", "organiser", "participant", "assessor"]
