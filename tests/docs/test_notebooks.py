"""The notebooks of the docs show today what is stored in them. `python -m docs.site.run_notebook` stores it anew."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from docs.site.notebooks import to_page

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted((ROOT / "docs").glob("**/*.ipynb"))
FIGURE = re.compile(r"<svg.*?</svg>|toprung-[0-9a-f]{12}", re.DOTALL)
"""Machines draw figures alike to the eye, not to the last digit; what they show stands in tables as well."""


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with all notebooks, run now."""
    folder = tmp_path_factory.mktemp("notebooks")
    command = [sys.executable, "-m", "docs.site.run_notebook", "--into", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    return folder


def cells_of(path: Path) -> list[dict[str, Any]]:
    cells: list[dict[str, Any]] = json.loads(path.read_text())["cells"]
    return [cell for cell in cells if cell["cell_type"] == "code"]


def outputs_of(cell: dict[str, Any]) -> list[str]:
    """All that a cell shows, without figures; what it prints is one text, in however many pieces it was sent."""
    printed = "".join("".join(output.get("text", "")) for output in cell["outputs"])
    rich = [text for output in cell["outputs"] for text in output.get("data", {}).values()]
    return [FIGURE.sub("", "".join(text)) for text in (printed, *rich)]


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.name)
def test_a_notebook_shows_what_is_stored_in_it(notebook: Path, shown: Path) -> None:
    for stored, now in zip(cells_of(notebook), cells_of(shown / notebook.name), strict=True):
        assert outputs_of(now) == outputs_of(stored), "".join(stored["source"])


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.name)
def test_every_cell_of_code_was_run_and_none_failed(notebook: Path) -> None:
    cells = cells_of(notebook)
    assert [cell["execution_count"] for cell in cells] == list(range(1, len(cells) + 1))
    assert all(output["output_type"] != "error" for cell in cells for output in cell["outputs"])
    assert len(cells) > 5


def test_a_notebook_becomes_a_page() -> None:
    stream = {"output_type": "stream", "text": ["two\n"]}
    rich = {"output_type": "execute_result", "data": {"text/html": ["<b>3</b>"], "text/plain": ["3"]}}
    cells = [
        {"cell_type": "markdown", "source": ["# Title\n", "\n", "Text."]},
        {"cell_type": "code", "source": ["print('two')\n", "3"], "outputs": [stream, rich]},
    ]
    assert to_page({"cells": cells}) == (
        "# Title\n\nText.\n\n"
        "`````python\nprint('two')\n3\n`````\n\n"
        "`````{code-block} text\n:class: shown\n\ntwo\n`````\n\n"
        '`````{raw} html\n<div class="shown"><b>3</b></div>\n`````\n'
    )
