"""The public names, and what may be imported to get at them."""

from __future__ import annotations

import ast
import inspect
import json
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

import toprung
from toprung.data.formats.runs.compiled import has_scanner
from toprung.scoring.compiled import has_scorer

HEAVY = ["joblib", "numpy", "pandas", "polars", "rich", "scipy"]


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
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=folder, timeout=300
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


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Labels, a run, and one with ties, scores that tie as 32-bit numbers, a missing query and one without labels."""
    (tmp_path / "qrels.txt").write_text("q1 0 a 1\nq1 0 b 0\nq2 0 a 2\nq3 0 c 0\n")
    (tmp_path / "a.run").write_text("q1 Q0 a 1 1.0 t\n")
    (tmp_path / "b.run").write_text(
        "q1 Q0 b 1 1.0 t\nq1 Q0 a 2 1.0 t\nq2 Q0 a 1 0.30000000001 t\nq2 Q0 z 2 0.3 t\nq9 Q0 a 1 1.0 t\n"
    )
    rows = {"query_id": ["q1", "q1", "q2"], "doc_id": ["a", "b", "a"], "score": [2.0, 1.0, 0.5]}
    pl.DataFrame(rows).write_parquet(tmp_path / "c.parquet")
    pl.DataFrame(rows)[[0, 2, 1]].write_parquet(tmp_path / "mixed.parquet")
    return tmp_path


needs_compiled = pytest.mark.skipif(
    not (has_scanner() and has_scorer()), reason="SCANNER OR SCORER WAS NOT BUILT: what they save is not tested"
)


@needs_compiled
@pytest.mark.parametrize(
    "arguments",
    [
        ["a.run"],
        ["a.run", "b.run"],
        ["b.run", "-m", "nDCG@10", "-m", "ERR", "-m", "P@1", "-m", "Success@5", "-m", "Judged@10", "-m", "NumRet"],
        ["a.run", "b.run", "-f", "json"],
        ["a.run", "b.run", "-f", "csv", "--per-query"],
        ["a.run", "b.run", "--denominator", "run", "-f", "markdown"],
        ["b.run", "-f", "latex", "-o", "b.tex"],
        ["b.run", "--float32-ties"],
        ["c.parquet"],
        ["mixed.parquet"],
    ],
)
def test_evaluating_files_by_common_measures_loads_nothing_heavy(arguments: list[str], folder: Path) -> None:
    assert loaded_after(COMMAND.format(arguments=arguments), folder) == set()


@needs_compiled
@pytest.mark.parametrize("measure", ["RBP", "ESL", "nDCG(dcg='exp-log2')@10"])
def test_evaluating_text_files_by_other_measures_loads_numpy_alone(measure: str, folder: Path) -> None:
    assert loaded_after(COMMAND.format(arguments=["b.run", "-m", measure]), folder) == {"numpy"}
