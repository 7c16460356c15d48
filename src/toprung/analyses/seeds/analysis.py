"""How good is a system over its seeds? What is registered of it."""

from __future__ import annotations

from toprung.analyses.examples import BOARD, KNOWN
from toprung.analysis import ALPHA, Analysis, FigureOf, Input, Part, correction

HELP = """\
Say how good systems are over their seeds, and which differ beyond chance.

A system's score is the mean over its seeds, with an interval from how far they spread. Two systems are compared by
a test for which seeds and queries are both samples.

Give labels and runs, or --ranks FILE, or --scores FILE. Runs of no system are left out."""

ANALYSIS = Analysis(
    key="seeds",
    question="How good is a system over its seeds?",
    help=HELP,
    answer="toprung.analyses.seeds.find:seeds",
    result="SeedSpread",
    inputs={"table": Input.SCORES, "systems": Input.SYSTEMS},
    options=(correction("all pairs of systems with several seeds"), ALPHA),
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
