"""Which queries decide between two runs? What is registered of it."""

from __future__ import annotations

from toprung.analyses.examples import QRELS
from toprung.analysis import Analysis, FigureOf, Part

ANALYSIS = Analysis(
    key="queries",
    question="Which queries decide between two runs?",
    help="Say which queries decide between two runs, and on which kinds of queries they differ.",
    answer="toprung.analyses.queries.find:queries",
    result="QueryDifferences",
    command="toprung.cli.queries:queries",
    figures=(
        FigureOf(
            kind="query-differences",
            shows="by how much two runs differ on each query",
            draw="toprung.report.charts.kinds.query_differences:draw",
            example=f"{QRELS} docs/examples/board/bm25.run.gz docs/examples/board/late-1.run.gz",
            place=45,
        ),
    ),
    parts=(
        Part(
            key="queries",
            question="Which queries decide between the two highest scores?",
            place=55,
            needs=("two_runs",),
            find="toprung.report.overview.answers:find_deciding_queries",
        ),
    ),
)
