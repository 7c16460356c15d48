"""What do runs score? What is registered of it."""

from __future__ import annotations

from toprung.analyses.examples import BOARD
from toprung.analysis import Analysis, FigureOf, Part

ANALYSIS = Analysis(
    key="evaluate",
    question="What do runs score?",
    help="Score runs against relevance labels.",
    answer="toprung.scoring.evaluate:evaluate",
    result="Evaluation",
    command="toprung.cli.files.evaluate:evaluate",
    figures=(
        FigureOf(
            kind="query-scores",
            shows="what each run scores on each query, the hardest query first",
            draw="toprung.report.charts.by_query.heatmap:draw",
            example=f"{BOARD} -m RR@10",
            place=15,
            result="QueryScores",
        ),
    ),
    parts=(
        Part(
            key="measures",
            question="What do other measures say, and how much was judged?",
            place=190,
            needs=("several_measures",),
            find="toprung.report.overview.answers:find_other_measures",
        ),
    ),
)
