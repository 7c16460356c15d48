"""What could these queries show? What is registered of it."""

from __future__ import annotations

from toprung.analysis import Analysis, Part

ANALYSIS = Analysis(
    key="power",
    question="What could these queries show?",
    help="Say which differences the queries could show, and how many queries a smaller one needs.",
    answer="toprung.analyses.power.find:power",
    result="Power",
    command="toprung.cli.power:power",
    parts=(
        Part(
            key="power",
            question="What could these queries show?",
            place=100,
            needs=("two_runs",),
            find="toprung.report.overview.answers:find_power",
        ),
    ),
)
