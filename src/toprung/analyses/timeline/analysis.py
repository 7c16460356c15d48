"""Which submissions proved an improvement when they came? What is registered of it."""

from __future__ import annotations

from toprung.analyses.examples import PAPER, PUBLISHED
from toprung.analysis import Analysis, FigureOf, Part

ANALYSIS = Analysis(
    key="timeline",
    question="Which submissions proved an improvement when they came?",
    help="Follow claims over time: which submissions proved an improvement when they came.",
    answer="toprung.analyses.timeline.find:timeline",
    result="Timeline",
    command="toprung.cli.timeline:timeline",
    figures=(
        FigureOf(
            kind="timeline",
            shows="which claims passed over time, which did not, and the highest score",
            draw="toprung.report.charts.kinds.timeline:draw",
            example=f"{PAPER} --dates demo/runs.csv",
            place=20,
        ),
        FigureOf(
            kind="score-timeline",
            shows="the highest score of a published leaderboard over time",
            draw="toprung.report.charts.kinds.score_timeline:draw",
            example=PUBLISHED,
            place=30,
            result="ScoreTimeline",
        ),
    ),
    parts=(
        Part(
            key="timeline",
            question="Which submissions proved an improvement when they came?",
            place=20,
            needs=("dates",),
            find="toprung.report.overview.answers:find_timeline",
        ),
    ),
    in_public="toprung.analyses.timeline.public:in_public",
)
