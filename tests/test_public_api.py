"""The public names, and what may be imported to get at them."""

from __future__ import annotations

import ast
import inspect
import json
import subprocess
import sys
from pathlib import Path

import pytest

import toprung
from toprung.data.formats.runs.compiled import has_scanner

HEAVY = ["numpy", "pandas", "polars", "rich", "scipy"]
DATA_QRELS, DATA_RUN = "q1 0 a 1\n", "q1 Q0 a 1 1.0 t\n"


def test_the_public_names_are_sorted_and_each_is_there() -> None:
    assert toprung.__all__ == sorted(toprung.__all__)
    assert len(toprung.__all__) == len(set(toprung.__all__))
    for name in toprung.__all__:
        assert getattr(toprung, name) is not None


def test_the_names_promised_are_there() -> None:
    promised = {"evaluate", "read_qrels", "read_run", "read_ranks", "read_scores", "Evaluation", "Run", "Qrels"}
    assert promised <= set(toprung.__all__)


def test_every_public_class_and_function_says_what_it_is_for() -> None:
    undocumented = [
        name for name in toprung.__all__ if callable(getattr(toprung, name)) and not getattr(toprung, name).__doc__
    ]
    assert undocumented == []


def test_dir_shows_the_public_names_alone() -> None:
    assert dir(toprung) == toprung.__all__


def test_type_checkers_see_the_names_that_are_loaded_on_use() -> None:
    tree = ast.parse(inspect.getsource(toprung))
    (checking,) = [node for node in tree.body if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"]
    seen = {
        str(node.module): tuple(sorted(alias.name for alias in node.names))
        for node in checking.body
        if isinstance(node, ast.ImportFrom)
    }
    assert seen == {module: tuple(sorted(names)) for module, names in toprung._HOMES.items()}
    assert sorted([*toprung._HOME_OF, "__version__"]) == toprung.__all__


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'toprung' has no attribute 'evalute'"):
        toprung.evalute  # noqa: B018


def loaded_after(code: str, folder: Path) -> set[str]:
    """Which heavy packages a fresh Python has loaded after this code."""
    script = f"import json, sys\n{code}\nprint(json.dumps([name for name in {HEAVY} if name in sys.modules]))"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=folder, timeout=60
    )
    return set(json.loads(done.stdout.splitlines()[-1]))


@pytest.mark.parametrize("module", ["toprung", "toprung.cli.main"])
def test_starting_loads_nothing_heavy(module: str, tmp_path: Path) -> None:
    assert loaded_after(f"import {module}", tmp_path) == set()


COMMAND = """
from toprung.cli.main import main
sys.argv = ["toprung", "evaluate", "qrels.txt", *{arguments}]
try:
    main()
except SystemExit as end:
    assert not end.code, end.code
"""


@pytest.mark.skipif(not has_scanner(), reason="THE SCANNER WAS NOT BUILT: what it saves is not tested")
@pytest.mark.parametrize(
    "arguments",
    [
        ["a.run"],
        ["a.run", "b.run"],
        ["a.run", "-f", "json"],
        ["a.run", "-f", "csv", "--per-query"],
        ["a.run", "-f", "latex", "-m", "nDCG@10", "-m", "ERR"],
    ],
)
def test_evaluating_text_files_loads_numpy_alone(arguments: list[str], tmp_path: Path) -> None:
    (tmp_path / "qrels.txt").write_text(DATA_QRELS)
    for name in ("a.run", "b.run"):
        (tmp_path / name).write_text(DATA_RUN)
    assert loaded_after(COMMAND.format(arguments=arguments), tmp_path) == {"numpy"}
