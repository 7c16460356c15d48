"""Is one run really better than another? What is registered of it."""

from __future__ import annotations

from toprung.analyses.examples import PAPER
from toprung.analysis import Analysis, FigureOf, Part

ANALYSIS = Analysis(
    key="compare",
    question="Is one run really better than another?",
    help="Say whether one run is really better than another, and in which way.",
    answer="toprung.analyses.compare.find:compare",
    result="Comparisons",
    command="toprung.cli.compare:compare",
    figures=(
        FigureOf(
            kind="outcomes",
            shows="on how many queries each of two runs does better, and in which way",
            draw="toprung.report.charts.kinds.outcome_bars:draw",
            example=f"{PAPER} R1 R2 R3 R9 R13",
            place=40,
        ),
        FigureOf(
            kind="rank-differences",
            shows="how far apart two runs put the answer, where both find it",
            draw="toprung.report.charts.kinds.rank_differences:draw",
            example=f"{PAPER} R9 R10",
            place=50,
        ),
        FigureOf(
            kind="miss-cost",
            shows="what a miss would have to cost for one run to be the cheaper to read",
            draw="toprung.report.charts.kinds.miss_cost:draw",
            example=f"{PAPER} R9 R10",
            place=60,
        ),
    ),
    parts=(
        Part(
            key="comparison",
            question="How does every run compare with the highest score?",
            place=30,
            needs=("two_runs",),
            find="toprung.report.overview.answers:compare_with_best",
        ),
        Part(
            key="baseline",
            question="How does every run compare with the baseline?",
            place=40,
            needs=("two_runs", "baseline"),
            find="toprung.report.overview.answers:compare_with_baseline",
        ),
        Part(
            key="two_best",
            question="What sets the two highest scores apart?",
            place=50,
            needs=("two_runs",),
            find="toprung.report.overview.answers:compare_two_best",
        ),
    ),
    in_public="toprung.analyses.compare.public:in_public",
)
