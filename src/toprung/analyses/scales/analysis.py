"""What may be done with the values of a measure? What is registered of it."""

from __future__ import annotations

from toprung.analysis import Analysis, Part

ANALYSIS = Analysis(
    key="scales",
    question="What may be done with the values of a measure?",
    help="Check whether a measure's values may be averaged, or only ordered.",
    answer="toprung.analyses.scales.find:check_scales",
    result="ScaleChecks",
    command="toprung.cli.scales:scales",
    parts=(
        Part(
            key="scales",
            question="What may be done with the values of the measure?",
            place=90,
            find="toprung.report.overview.answers:find_scale",
        ),
    ),
)
