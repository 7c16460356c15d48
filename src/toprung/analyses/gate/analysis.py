"""May this change be merged? What is registered of it."""

from __future__ import annotations

from toprung.analysis import Analysis

ANALYSIS = Analysis(
    key="gate",
    question="May this change be merged?",
    help="Say whether a change made a run worse: a check for every pull request.",
    answer="toprung.analyses.gate.find:gate",
    result="Gate",
    command="toprung.cli.gate:gate",
)
