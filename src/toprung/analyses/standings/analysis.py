"""Who stands where, by evidence and by score? What is registered of it."""

from __future__ import annotations

from toprung.analysis import Analysis

ANALYSIS = Analysis(
    key="standings",
    question="Who stands where, by evidence and by score?",
    help="Order runs by evidence, beside the order by score.",
    answer="toprung.analyses.standings.find:standings",
    result="Standings",
    command="toprung.cli.standings:standings",
)
