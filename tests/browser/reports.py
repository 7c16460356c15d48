"""Which report is looked at? That of the demo, with every part it can have, on fewer queries."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import polars as pl
from click.testing import CliRunner

from toprung.cli.main import app

DEMO = Path(__file__).parents[2] / "demo"
N_QUERIES, N_PRIVATE, N_JUDGED, TRIALS = 250, 80, 50, 50


def make_demo_report(folder: Path) -> str:
    """The page that ``make demo`` writes, from the first queries of the reconstruction."""
    few = folder / "ranks.csv"
    pl.read_csv(DEMO / "lin2021_reconstruction.csv.gz").head(N_QUERIES).write_csv(few)
    build, judge = _load("build"), _load("judge")
    build.RANKS, build.N_PRIVATE, judge.N_QUERIES = few, N_PRIVATE, N_JUDGED
    build.main(folder)
    judge.main(folder)
    page = folder / "report.html"
    runs = sorted(map(str, (folder / "runs").iterdir()))
    options = {
        "--private-qrels": folder / "private.qrels",
        "--labels": folder / "judging",
        "--dates": DEMO / "runs.csv",
        "--output": page,
        "--trials": TRIALS,
    }
    given = [str(each) for option in options.items() for each in option]
    done = CliRunner().invoke(app, ["report", str(folder / "qrels.txt"), *runs, *given], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return page.read_text(encoding="utf-8")


def _load(name: str) -> ModuleType:
    """A script of the demo, which is no package."""
    spec = importlib.util.spec_from_file_location(f"demo_{name}", DEMO / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
