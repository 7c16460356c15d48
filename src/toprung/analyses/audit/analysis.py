"""Are a run's answers better than the labels? What is registered of it."""

from __future__ import annotations

from toprung.analyses.examples import JUDGMENTS, QRELS
from toprung.analysis import Analysis, FigureOf, Part

ANALYSIS = Analysis(
    key="audit",
    question="Are a run's answers better than the labels?",
    help="Compare one run's first answers with the labels, one pair a query.",
    answer="toprung.labels.votes.audit:audit",
    result="Audit",
    command="toprung.cli.labels.audit:audit",
    path="labels audit",
    figures=(
        FigureOf(
            kind="audit",
            shows="whether a run's answers or the labels are preferred, in four parts",
            draw="toprung.report.charts.kinds.audit_shares:draw",
            example=f"{QRELS} docs/examples/board/rerank2.run.gz --judgments {JUDGMENTS}",
            place=180,
        ),
    ),
    parts=(
        Part(
            key="audit",
            question="Are a run's answers better than the labels?",
            place=160,
            needs=("judging_effort",),
            find="toprung.report.overview.answers:find_audit",
        ),
    ),
)
