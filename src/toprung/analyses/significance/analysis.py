"""Which of many runs differ beyond chance? What is registered of it."""

from __future__ import annotations

from toprung.analyses.examples import PAPER
from toprung.analysis import Analysis, FigureOf, Part

ANALYSIS = Analysis(
    key="significance",
    question="Which of many runs differ beyond chance?",
    help="Test every pair of runs, and say which cannot be told apart.",
    answer="toprung.analyses.significance.find:significance",
    result="SignificanceGrid",
    command="toprung.cli.significance:significance",
    figures=(
        FigureOf(
            kind="significance",
            shows="which pairs of runs differ beyond chance",
            draw="toprung.report.charts.kinds.significance_grid:draw",
            example=PAPER,
            place=70,
        ),
    ),
    parts=(
        Part(
            key="significance",
            question="Which runs differ beyond chance?",
            place=60,
            needs=("two_runs",),
            find="toprung.report.overview.answers:find_grid",
        ),
    ),
)
