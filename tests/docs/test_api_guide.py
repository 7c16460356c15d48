"""Every example of the API guide is run against a real server with a worker, and answers what the page says."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.web.cast import even_ranks, run_text
from tests.web.real_board import RealBoard

GUIDE = Path(__file__).parents[2] / "docs/howto/use-the-api.md"
EXAMPLE = re.compile(r"```(sh|python)\n(.*?)```\n```(json|text)\n(.*?)```", re.DOTALL)
ANYTHING = "…"
MOST_TRIES = 30
"""An example that sleeps waits for a worker: on a machine that does other things as well it is asked again."""


@pytest.fixture
def served(tmp_path: Path) -> Iterator[dict[str, str]]:
    """The environment of someone with a token, a server to ask, and a run file in their folder."""
    board = RealBoard(tmp_path / "board")
    try:
        token = board.call("boards_to_submit_to")["participant"]
        port = board.serve()
        board.start("-m", "tests.web.dying_worker")
        yield {"TOPRUNG_SERVER": f"http://127.0.0.1:{port}", "TOPRUNG_TOKEN": token, "PATH": os.environ["PATH"]}
    finally:
        board.stop()


def test_the_examples_of_the_guide_do_what_it_says(served: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "run.txt").write_bytes(run_text(even_ranks(2)))
    (tmp_path / "other.txt").write_bytes(run_text(even_ranks(3)))
    examples = EXAMPLE.findall(GUIDE.read_text())
    assert len(examples) == 9
    for language, code, form, expected in examples:
        for _ in range(MOST_TRIES if code.startswith("sleep") else 1):
            printed = run_example(language, code, served, tmp_path)
            if answers(printed, form, expected):
                break
        else:
            pytest.fail(f"{code}\n{printed}")


def run_example(language: str, code: str, environment: dict[str, str], folder: Path) -> str:
    command = ["sh", "-c", code] if language == "sh" else [sys.executable, "-c", code, "other.txt", "another"]
    done = subprocess.run(
        command, env=environment, cwd=folder, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, f"{code}\n{done.stderr}"
    return done.stdout


def answers(printed: str, form: str, expected: str) -> bool:
    return printed == expected if form == "text" else fits(json.loads(printed), json.loads(expected))


def fits(found: Any, expected: Any) -> bool:
    """Whether it is the same, but for what the guide leaves out."""
    if expected == ANYTHING:
        return found is not None
    if isinstance(expected, dict):
        return (
            isinstance(found, dict)
            and found.keys() == expected.keys()
            and all(fits(found[key], expected[key]) for key in expected)
        )
    if isinstance(expected, list):
        return isinstance(found, list) and len(found) == len(expected) and all(map(fits, found, expected))
    return bool(found == expected)


def test_every_block_of_code_is_an_example() -> None:
    """What is not run is marked as text, and there is only the one that sets the token."""
    blocks = re.findall(r"```(\w+)\n", GUIDE.read_text())
    n_examples = len(EXAMPLE.findall(GUIDE.read_text()))
    assert len(blocks) == 2 * n_examples + 1
