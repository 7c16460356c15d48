"""The page of the five everyday tasks: its blocks run, are as short as it says, and agree with the peers."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/howto/everyday-tasks.md").read_text()
TASKS = ("Evaluate", "Compare with a test", "A paper's table", "Plot queries", "Several measures")
PEERS = ("ranx", "ir_measures")
SHORT = 3
BLOCK = re.compile(r"^(Toprung|ranx|ir_measures)\b[^\n]*(?:\n[^\n]+)*\n\n```python\n(.*?)```", re.MULTILINE | re.DOTALL)
CONSOLE = re.compile(r"```console\n\$ (.*)\n")
VALUES = {
    "nDCG@10": ("nDCG@10", "ndcg@10"),
    "RR@10": ("RR@10", "mrr@10"),
    "AP": ("AP", "map"),
    "P@5": ("P@5", "precision@5"),
}
"""Of each measure its name in ir_measures and in ranx."""


def section(task: str) -> str:
    return PAGE.split(f"\n## {task}\n")[1].split("\n## ")[0]


def blocks(task: str) -> dict[str, str]:
    return dict(BLOCK.findall(section(task)))


@pytest.fixture(autouse=True)
def examples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(ROOT / "docs/examples/board", tmp_path / "board")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "agg")


def run(task: str, package: str) -> dict[str, Any]:
    """What the names of the block hold after it ran."""
    pytest.importorskip(package if package != "Toprung" else "toprung")
    names: dict[str, Any] = {}
    exec(compile(blocks(task)[package], f"{task}, {package}", "exec"), names)
    return names


@pytest.mark.parametrize("task", TASKS)
def test_toprung_takes_three_lines_and_one_command(task: str) -> None:
    assert set(blocks(task)) == {"Toprung", *PEERS}
    lines = [line for line in blocks(task)["Toprung"].splitlines() if line]
    assert 1 <= len(lines) <= SHORT
    assert all(";" not in line for line in lines)
    assert len(CONSOLE.findall(section(task))) == 1


def compare_scores(peer: str) -> None:
    found = run("Evaluate", "Toprung")["ev"]
    scores = run("Evaluate", peer)["scores"]
    assert set(scores) == {"rerank", "tuned"}
    for name, score in scores.items():
        assert found.value(name, "nDCG@10") == pytest.approx(score, abs=1e-12)


def compare_tests(peer: str) -> None:
    (row,) = run("Compare with a test", "Toprung")["pairs"].to_frame().to_dicts()
    assert row["t_p"] == pytest.approx(run("Compare with a test", peer)["p"], rel=1e-9)
    assert row["t_p"] < 0.001


def compare_tables(peer: str) -> None:
    """Ranx writes three decimals, the others four."""
    found = run("A paper's table", "Toprung")["table"]
    ours = Path("table.tex").read_text()
    theirs = run("A paper's table", peer)["latex"]
    assert {"nDCG@10", "RR@10"} == {str(each) for each in found.measures}
    for name in ("rerank", "tuned"):
        figures = [figures_in_row(name, latex) for latex in (ours, theirs)]
        assert len(figures[0]) == 2
        assert figures[0] == pytest.approx(figures[1], abs=6e-4)


def figures_in_row(name: str, latex: str) -> list[float]:
    r"""Of the row of a run: rows end in ``\\\\``, whatever lines they are written in."""
    (row,) = re.findall(rf"\b{name}\b[^\\]*?&(.*?\d\.\d.*?)\\\\", latex, re.DOTALL)
    return [float(each) for each in re.findall(r"\d\.\d{3,}", row)]


def compare_plots(peer: str) -> None:
    figure = run("Plot queries", "Toprung")["chart"]
    assert Path("queries.svg").read_text().startswith("<svg")
    ours = {row["query"]: float(row["nDCG@10"]) for row in figure.rows if row["run"] == "tuned"}
    theirs = run("Plot queries", peer)["values"]
    assert len(ours) == 120
    assert ours == pytest.approx({query: float(value) for query, value in theirs.items()}, abs=5.1e-5)


def compare_measures(peer: str) -> None:
    found = run("Several measures", "Toprung")["ev"]
    scores = run("Several measures", peer)["scores"]
    for name, values in scores.items():
        theirs = {str(measure): value for measure, value in values.items()}
        for measure, (in_ir_measures, in_ranx) in VALUES.items():
            value = theirs[in_ranx if peer == "ranx" else in_ir_measures]
            assert found.value(name, measure) == pytest.approx(value, abs=1e-12), (name, measure)


COMPARED = (compare_scores, compare_tests, compare_tables, compare_plots, compare_measures)


@pytest.mark.parametrize("compare", COMPARED, ids=lambda each: each.__name__)
def test_the_figures_are_those_of_ir_measures(compare: Any) -> None:
    compare("ir_measures")


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("compare", COMPARED, ids=lambda each: each.__name__)
def test_the_figures_are_those_of_ranx(compare: Any) -> None:
    """Slow: ranx compiles its measures when they are first used."""
    compare("ranx")
