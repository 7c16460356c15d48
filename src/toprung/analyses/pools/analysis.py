"""Which answers deserve a look? What is registered of it."""

from __future__ import annotations

from toprung.analyses.examples import BOARD
from toprung.analysis import Analysis, FigureOf, Part

ANALYSIS = Analysis(
    key="pools",
    question="Which answers deserve a look?",
    help="Pool the first answer of every run with each label.",
    answer="toprung.analyses.pools.find:describe_pools",
    result="PoolReport",
    command="toprung.cli.labels.pool:pool",
    path="labels pool",
    figures=(
        FigureOf(
            kind="pool-sizes",
            shows="how many answers the queries have to compare",
            draw="toprung.report.charts.kinds.pool_sizes:draw",
            example=f"{BOARD} --state judging",
            place=150,
        ),
    ),
    parts=(
        Part(
            key="judged-pools",
            question="How large are the pools that were judged?",
            place=170,
            needs=("judging_effort",),
            find="toprung.report.overview.answers:find_judged_pools",
        ),
        Part(
            key="pools",
            question="Which answers deserve a look?",
            place=180,
            needs=("judging_effort", "pools_not_judged"),
            find="toprung.report.overview.answers:find_pools",
        ),
    ),
)
