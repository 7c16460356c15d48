"""What would a policy get wrong? What is registered of it."""

from __future__ import annotations

from toprung.analysis import Analysis

ANALYSIS = Analysis(
    key="simulate",
    question="What would a policy get wrong?",
    help="Make up whole leaderboards, and see what each policy gets wrong, before you open one.",
    answer="toprung.analyses.simulate.find:simulate",
    result="Simulation",
    command="toprung.cli.simulate:simulate",
)
