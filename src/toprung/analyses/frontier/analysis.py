"""Which runs are worth their cost? What is registered of it."""

from __future__ import annotations

from toprung.analyses.examples import BOARD, KNOWN
from toprung.analysis import ALPHA, Analysis, FigureOf, Input, Option, Part, seed

HELP = """\
Hold score against cost, and say which runs are worth it.

The front holds the runs that no run at the same cost or less scores above. A run is worth its cost where it does
better than every cheaper run beyond chance, and dominated where a run that costs no more does better beyond chance:
who does better than whom is what `toprung leaderboard` goes by, all runs compared at once.

Give labels and runs, or --ranks FILE, or --scores FILE. Runs without a cost are left out and named."""

ANALYSIS = Analysis(
    key="frontier",
    question="Which runs are worth their cost?",
    help=HELP,
    answer="toprung.analyses.frontier.find:frontier",
    result="Frontier",
    inputs={"table": Input.SCORES, "costs": Input.COSTS},
    options=(
        Option(name="by", help="What runs cost: the column cost, of any unit, or latency, in milliseconds per query."),
        ALPHA,
        seed("the resamples behind the comparison of runs and the intervals of the scores"),
    ),
    figures=(
        FigureOf(
            kind="cost",
            shows="score against cost or latency, and which runs are worth it",
            draw="toprung.report.charts.kinds.frontier:draw",
            example=f"{BOARD} --metadata {KNOWN}",
            place=190,
        ),
    ),
    parts=(
        Part(
            key="cost",
            question="Which runs are worth their cost?",
            place=200,
            needs=("cost", "two_runs"),
            find="toprung.report.overview.answers:find_cost",
        ),
        Part(
            key="latency",
            question="Which runs are worth their time?",
            place=210,
            needs=("latency", "two_runs"),
            find="toprung.report.overview.answers:find_latency",
        ),
    ),
)
