"""Does it hold on private queries? What is registered of it."""

from __future__ import annotations

from toprung.analyses.examples import BOARD, KNOWN, PRIVATE, PUBLISHED
from toprung.analysis import Analysis, FigureOf, Part

ANALYSIS = Analysis(
    key="holdout",
    question="Does it hold on private queries?",
    help="Say whether what the public queries show holds on private ones.",
    answer="toprung.analyses.holdout.find:holdout",
    result="Holdout",
    command="toprung.cli.holdout:holdout",
    figures=(
        FigureOf(
            kind="private",
            shows="whether runs do as well on private queries as on public ones",
            draw="toprung.report.charts.kinds.private_scatter:draw",
            example=f"{BOARD} {PRIVATE} --submissions {KNOWN}",
            place=110,
        ),
        FigureOf(
            kind="private-scores",
            shows="two score columns of a published leaderboard against each other",
            draw="toprung.report.charts.kinds.column_scatter:draw",
            example=f"{PUBLISHED} --public-column dev --private-column eval",
            place=120,
            result="ScoreHoldout",
        ),
        FigureOf(
            kind="private-teams",
            shows="how often each team submitted",
            draw="toprung.report.charts.kinds.team_submissions:draw",
            example=f"{BOARD} {PRIVATE} --submissions {KNOWN}",
            place=130,
        ),
    ),
    parts=(
        Part(
            key="holdout",
            question="Does it hold on private queries?",
            place=110,
            needs=("private_labels", "two_runs"),
            find="toprung.report.overview.answers:find_holdout",
        ),
    ),
)
