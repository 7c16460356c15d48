"""Where does every run stand? What is registered of it."""

from __future__ import annotations

from toprung.analyses.examples import PAPER
from toprung.analysis import Analysis, FigureOf, Part

ANALYSIS = Analysis(
    key="leaderboard",
    question="Where does every run stand?",
    help="Make the leaderboard: scores and ranks with intervals, who may be best, and who proved it.",
    answer="toprung.analyses.leaderboard.find:leaderboard",
    result="Leaderboard",
    command="toprung.cli.leaderboard:leaderboard",
    figures=(
        FigureOf(
            kind="scores",
            shows="the score of each run with its interval, and who may be best",
            draw="toprung.report.charts.kinds.forest:draw",
            example=f"{PAPER} --dates demo/runs.csv",
            place=10,
        ),
    ),
    parts=(
        Part(
            key="board",
            question="Where does every run stand?",
            place=10,
            find="toprung.report.overview.answers:find_board",
        ),
    ),
    in_public="toprung.analyses.leaderboard.public:in_public",
)
