"""What do other labels do to the order? What is registered of it."""

from __future__ import annotations

from toprung.analyses.examples import JUDGED, POOLED, QRELS, RELABELLED, RUNS
from toprung.analysis import Analysis, FigureOf, Part

ANALYSIS = Analysis(
    key="relabel",
    question="What do other labels do to the order?",
    help="Score runs under the original and under new labels: who moves, and who does better than perfect?",
    answer="toprung.analyses.relabel.find:rescore",
    result="Relabelled",
    command="toprung.cli.labels.rescore:rescore",
    path="labels rescore",
    figures=(
        FigureOf(
            kind="label-sets",
            shows="the scores of runs under the original and the new labels",
            draw="toprung.report.charts.kinds.two_label_sets:draw",
            example=f"{QRELS} better.qrels {RUNS}",
            before=(POOLED, JUDGED, RELABELLED),
            place=170,
        ),
    ),
    parts=(
        Part(
            key="relabel",
            question="What do other labels do to the order?",
            place=130,
            needs=("new_labels",),
            find="toprung.report.overview.answers:find_relabelled",
        ),
    ),
    in_public="toprung.analyses.relabel.public:in_public",
)
