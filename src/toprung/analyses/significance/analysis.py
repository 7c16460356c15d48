"""Which of many runs differ beyond chance? What is registered of it."""

from __future__ import annotations

from toprung.analyses.examples import PAPER
from toprung.analysis import ALPHA, WORKERS, Analysis, FigureOf, Input, Option, Part, ProgressSaid, seed

HELP = """\
Compare all runs at once, and say which cannot be told apart.

Give the older runs first: in each pair the later run is B, and a difference is B less A. With --ranks or --scores
the arguments name the runs wanted, all when left out.

The table has a row for each run; --format csv and json have every pair. Tests and corrections are for information:
who is better than whom is the same as on the leaderboard."""

ANALYSIS = Analysis(
    key="significance",
    question="Which of many runs differ beyond chance?",
    help=HELP,
    answer="toprung.analyses.significance.find:significance",
    result="SignificanceGrid",
    inputs={"table": Input.SCORES},
    options=(
        Option(
            name="tests",
            spelling="test",
            help="For information: rank sum, signed ranks, paired t, sign; repeat for more.",
            choices="toprung.analyses.significance.grid_tests:TESTS",
        ),
        Option(
            name="corrections",
            spelling="correction",
            help="Of those tests, for all pairs together; repeat for more.",
            choices="toprung.stats.tests.corrections:CORRECTION_NAMES",
        ),
        ALPHA,
        seed("the resamples, and of the permutations that fewer than 50 queries need"),
        WORKERS,
    ),
    progress=ProgressSaid(doing="Testing", steps="toprung.analyses.significance.find:count_steps"),
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
    in_public="toprung.analyses.significance.public:in_public",
)
