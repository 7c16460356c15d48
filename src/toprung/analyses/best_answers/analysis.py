"""Which answers do assessors find best? What is registered of it."""

from __future__ import annotations

from toprung.analysis import Analysis, Part

ANALYSIS = Analysis(
    key="best-answers",
    question="Which answers do assessors find best?",
    help="Make the best answers of each query its labels.",
    answer="toprung.analyses.best_answers.find:derive_labels",
    result="LabelReport",
    command="toprung.cli.labels.tournament:tournament",
    path="labels tournament",
    parts=(
        Part(
            key="labels",
            question="Which answers do assessors find best?",
            place=140,
            needs=("judging_effort",),
            find="toprung.report.overview.answers:find_labels",
        ),
    ),
)
