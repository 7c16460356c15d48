"""Would the same runs lead on other queries? What is registered of it."""

from __future__ import annotations

from toprung.analyses.examples import BOARD, JUDGED, PAPER, POOLED, RELABELLED
from toprung.analysis import Analysis, FigureOf, Part

ANALYSIS = Analysis(
    key="stability",
    question="Would the same runs lead on other queries?",
    help="Draw queries anew, many times, and see which ranks each run takes.",
    answer="toprung.analyses.stability.find:stability",
    result="Stability",
    command="toprung.cli.stability:stability",
    figures=(
        FigureOf(
            kind="stability",
            shows="how often each run takes each rank when queries are drawn anew",
            draw="toprung.report.charts.kinds.rank_heatmap:draw",
            example=PAPER,
            place=80,
        ),
        FigureOf(
            kind="top-ranks",
            shows="how often the first runs keep their ranks, in figures",
            draw="toprung.report.charts.kinds.top_ranks:draw",
            example=PAPER,
            place=90,
        ),
        FigureOf(
            kind="conditions",
            shows="where chosen runs stand under other measures, queries or labels",
            draw="toprung.report.charts.kinds.rank_positions:draw",
            example=f"{BOARD} --labels better=better.qrels --follow tuned --follow rerank2 --follow sparse",
            before=(POOLED, JUDGED, RELABELLED),
            place=100,
        ),
    ),
    parts=(
        Part(
            key="stability",
            question="Would the same runs lead on other queries?",
            place=70,
            needs=("two_runs",),
            find="toprung.report.overview.answers:find_stability",
        ),
    ),
    in_public="toprung.analyses.stability.public:in_public",
)
