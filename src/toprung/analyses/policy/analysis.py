"""Did submissions keep to the policy? What is registered of it."""

from __future__ import annotations

from toprung.analyses.examples import KNOWN
from toprung.analysis import Analysis, FigureOf, Part

ANALYSIS = Analysis(
    key="policy",
    question="Did submissions keep to the policy?",
    help="Say which submissions broke a board's policy.",
    answer="toprung.analyses.policy.find:audit_policy",
    result="PolicyAudit",
    command="toprung.cli.policy:policy",
    figures=(
        FigureOf(
            kind="teams",
            shows="the submissions of each team against the policy",
            draw="toprung.report.charts.kinds.team_submissions:draw",
            example=f"{KNOWN} --limit 2 --days 30",
            place=140,
        ),
    ),
    parts=(
        Part(
            key="policy",
            question="Did submissions keep to the policy?",
            place=120,
            needs=("teams_and_dates",),
            find="toprung.report.overview.answers:find_policy",
        ),
    ),
)
