"""Deep passages: few queries, many graded documents each, 24 runs; what 60 queries can tell, and what they cannot."""

from __future__ import annotations

from pathlib import Path

from demo.made.files import write_labels, write_run
from demo.made.graded import draw_grades, draw_rankings
from demo.made.run import read_runs

SEED = 24
N_QUERIES = 60
BEST = 1.55
"""The sharpness of those that may be best; a run that was made less sharp scores less."""
RUNS = read_runs(Path(__file__).with_suffix(".csv"), lambda row: (float(row["sharpness"]), row["sees_as"]))


def build(folder: Path) -> None:
    grades = draw_grades(N_QUERIES, seed=SEED)
    write_labels(folder / "qrels.txt", grades)
    sharpness, sees_as = zip(*(run.skill for run in RUNS), strict=True)
    rankings = draw_rankings(grades, sharpness, sees_as, seed=SEED)
    for run, ranking in zip(RUNS, rankings, strict=True):
        write_run(folder / "runs", run.name, ranking)
