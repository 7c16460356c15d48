"""Without its extras Toprung scores, compares and ranks; what needs one says which, in Python as in the terminal."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "docs/examples"
SCORED = ("qrels.txt", "bm25.run", "dense.run")
FRAMES, FIGURES = "pip install 'toprung[frames]'.", "pip install 'toprung[figures]'."
# Hides what only extras install, then says what each command gives: its exit code, output and errors.
HIDDEN = """
import importlib.abc, json, sys
from click.testing import CliRunner

class Hide(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in HIDDEN:
            raise ModuleNotFoundError(f"No module named '{name}'", name=name)

sys.meta_path.insert(0, Hide())
"""
COMMANDS = """
from toprung.cli.main import app
for arguments in json.loads(sys.argv[1]):
    said = CliRunner().invoke(app, arguments)
    print(json.dumps([said.exit_code, said.output, f"{type(said.exception).__name__}: {said.exception}"]))
"""


def names_of(extra: str) -> set[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return {re.split(r"[\[><=~]", each)[0] for each in project["optional-dependencies"][extra]}


def say(code: str, *arguments: str) -> list[Any]:
    hidden = f"HIDDEN = {{'polars', 'vl_convert', 'pandas', 'django'}}\n{HIDDEN}"
    done = subprocess.run(
        [sys.executable, "-c", hidden + code, *arguments],
        cwd=EXAMPLES,
        env={**os.environ, "PYTHONWARNINGS": "ignore"},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_what_is_hidden_here_is_what_extras_install() -> None:
    assert names_of("frames") == {"polars"}
    assert names_of("figures") == {"vl-convert-python"}
    assert "toprung" in names_of("web")


def test_the_first_commands_work_in_every_format_of_text() -> None:
    formats = ("table", "csv", "json", "markdown", "latex")
    asked = [
        [command, *SCORED, "-f", each]
        for command in ("evaluate", "compare", "leaderboard", "table")
        for each in formats
    ]
    asked += [[command, *SCORED] for command in ("significance", "standings", "gate", "stability", "power")]
    asked += [["compare", "--ranks", "two-kinds.csv", "holder", "finder"], ["measures"]]
    for arguments, (code, said, error) in zip(asked, say(COMMANDS, json.dumps(asked)), strict=True):
        assert (code in (0, 3), error) == (True, "NoneType: None" if code == 0 else "SystemExit: 3"), (arguments, said)
        assert said


@pytest.mark.skipif(os.environ.get("TOPRUNG_SCANNER") == "off", reason="reads by Polars")
def test_the_figures_are_those_of_the_whole_install(tmp_path: Path) -> None:
    asked = [["leaderboard", *SCORED, "-f", "csv"]]
    ((_, said, _),) = say(COMMANDS, json.dumps(asked))
    whole = subprocess.run(
        [sys.executable, "-m", "toprung", *asked[0]], cwd=EXAMPLES, capture_output=True, text=True, check=True
    )
    assert said == whole.stdout


NEEDS = {
    ("validate", "qrels.txt"): FRAMES,  # a run without faults needs nothing; all that is wrong is found by Polars
    ("convert", "bm25.run", os.devnull): FRAMES,
    ("plot", "query-scores", *SCORED, "-o", "x.png"): FIGURES,
    ("plot", "query-scores", *SCORED, "-o", "x.pdf"): FIGURES,
}


def test_commands_say_which_extra_they_need() -> None:
    found = say(COMMANDS, json.dumps([*NEEDS]))
    for (arguments, extra), (_, _, error) in zip(NEEDS.items(), found, strict=True):
        assert error.startswith("MissingPackageError: Found no package"), arguments
        assert error.endswith(extra), arguments


IN_PYTHON = """
import toprung as tr
ev = tr.evaluate("qrels.txt", ["bm25.run", "dense.run"], "RR")
for ask in (ev.to_frame, lambda: ev.save("x.png"), tr.leaderboard(ev).plot().to_pdf):
    try:
        ask()
    except tr.MissingPackageError as error:
        print(json.dumps(str(error)))
print(json.dumps(tr.leaderboard(ev)._repr_html_()))
"""


def test_python_says_which_extra_it_needs_and_a_notebook_shows_the_rest() -> None:
    *said, shown = say(IN_PYTHON)
    assert [each.endswith(FRAMES) for each in said] == [True, False, False]
    assert [each.endswith(FIGURES) for each in said] == [False, True, True]
    assert "<svg" in shown, "figures need no extra"
    assert "0.8333" in shown
