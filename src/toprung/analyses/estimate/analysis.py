"""What would people say of all queries? What is registered of it."""

from __future__ import annotations

from toprung.analyses.examples import MODEL_LABELS, RUNS, SOME_BY_PEOPLE
from toprung.analysis import Analysis, FigureOf

ANALYSIS = Analysis(
    key="estimate",
    question="What would people say of all queries?",
    help="Estimate scores from a model's labels of all queries, corrected by people's labels of some.",
    answer="toprung.analyses.estimate.find:estimate",
    result="Estimate",
    command="toprung.cli.estimate:estimate",
    figures=(
        FigureOf(
            kind="estimate",
            shows="scores by people's labels alone, corrected by a model's labels, and by the model alone",
            draw="toprung.report.charts.kinds.three_estimates:draw",
            example=f"{SOME_BY_PEOPLE} {RUNS} {MODEL_LABELS} --human-sample random",
            place=175,
        ),
    ),
)
