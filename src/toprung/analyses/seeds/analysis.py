"""How good is a system over its seeds? What is registered of it."""

from __future__ import annotations

from toprung.analyses.examples import BOARD, KNOWN
from toprung.analysis import Analysis, FigureOf, Input, Part

ANALYSIS = Analysis(
    key="seeds",
    question="How good is a system over its seeds?",
    help="Say how good systems are over their seeds, and which differ beyond chance.",
    answer="toprung.analyses.seeds.find:seeds",
    result="SeedSpread",
    inputs={"table": Input.SCORES, "systems": Input.SYSTEMS},
    command="toprung.cli.seeds:seeds",
    figures=(
        FigureOf(
            kind="seeds",
            shows="the seeds of each system, and their mean with its interval",
            draw="toprung.report.charts.kinds.seeds:draw",
            example=f"{BOARD} --metadata {KNOWN}",
            place=200,
        ),
    ),
    parts=(
        Part(
            key="seeds",
            question="How much of a score is the seed?",
            place=220,
            needs=("several_seeds",),
        ),
    ),
)
