"""Which reports are looked at? That of the demo, with every part it can have, on few queries; and one of many runs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from click.testing import CliRunner
from demo import build, judge

from toprung.cli.main import app
from toprung.data.matrices import ScoreTable
from toprung.report.overview import answers
from toprung.report.overview.find import report
from toprung.report.page.report import to_report_page

DEMO = Path(__file__).parents[2] / "demo"
N_QUERIES, N_PRIVATE, N_JUDGED, TRIALS = 250, 80, 50, 50
N_RUNS, N_FEW = 63, 12
LONG_NAME = "a-team-of-three-words.bm25+rm3-then-cross-encoder-v{:02}"


def make_demo_report(folder: Path) -> str:
    """The page that ``make demo`` writes, from the first queries of the reconstruction."""
    few = folder / "ranks.csv"
    pl.read_csv(DEMO / "lin2021_reconstruction.csv.gz").head(N_QUERIES).write_csv(few)
    with pytest.MonkeyPatch.context() as smaller:
        smaller.setattr(build, "RANKS", few)
        smaller.setattr(build, "N_PRIVATE", N_PRIVATE)
        smaller.setattr(judge, "N_QUERIES", N_JUDGED)
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


def make_long_report() -> str:
    """A page of 63 runs, some with long names, of a graded measure on few queries."""
    rng = np.random.default_rng(63)
    names = tuple(LONG_NAME.format(n) if n % 20 == 3 else f"run{n:02}" for n in range(N_RUNS))
    values = np.clip(rng.normal(np.linspace(0.2, 0.6, N_RUNS), 0.15, (N_FEW, N_RUNS)), 0, 1).round(2)
    queries = tuple(f"q{n}" for n in range(N_FEW))
    remarks = (f"424 queries without labels ignored in {N_RUNS} runs.",)
    scores = ScoreTable(query_ids=queries, runs=names, values=values, measure="nDCG@10", remarks=remarks)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(answers, "ENOUGH_SPLIT_PAIRS", 1)  # the fewest splits
        return to_report_page(report(scores, trials=20))
