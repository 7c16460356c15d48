"""Which runs are worth their cost? What is registered of it."""

from __future__ import annotations

from toprung.analyses.examples import BOARD, KNOWN
from toprung.analysis import Analysis, FigureOf, Input, Part

ANALYSIS = Analysis(
    key="frontier",
    question="Which runs are worth their cost?",
    help="Hold score against cost, and say which runs are worth it.",
    answer="toprung.analyses.frontier.find:frontier",
    result="Frontier",
    inputs={"table": Input.SCORES, "costs": Input.COSTS},
    command="toprung.cli.frontier:frontier",
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
        ),
        Part(
            key="latency",
            question="Which runs are worth their time?",
            place=210,
            needs=("latency", "two_runs"),
            options={"by": "latency"},
        ),
    ),
)
