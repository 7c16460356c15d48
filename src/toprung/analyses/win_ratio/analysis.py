"""Whose first answers do assessors prefer? What is registered of it."""

from __future__ import annotations

from toprung.analyses.examples import BOARD, JUDGED, POOLED
from toprung.analysis import Analysis, FigureOf, Part

ANALYSIS = Analysis(
    key="win-ratio",
    question="Whose first answers do assessors prefer?",
    help="Compare runs by whose first answer people prefer.",
    answer="toprung.analyses.win_ratio.find:win_ratios",
    result="WinRatios",
    command="toprung.cli.labels.winratio:winratio",
    path="labels winratio",
    figures=(
        FigureOf(
            kind="win-ratios",
            shows="how often the first answer of each run is preferred to that of each other",
            draw="toprung.report.charts.kinds.win_ratio_matrix:draw",
            example=f"{BOARD} --state judging",
            before=(POOLED, JUDGED),
            place=160,
        ),
    ),
    parts=(
        Part(
            key="winratio",
            question="Whose first answers do assessors prefer?",
            place=150,
            needs=("judging_effort",),
            find="toprung.report.overview.answers:find_win_ratios",
        ),
    ),
)
