"""Who stands where, by evidence and by score? What is registered of it."""

from __future__ import annotations

from toprung.analysis import ALPHA, Analysis, Input, Option, seed

HELP = """\
Order runs by evidence, beside the order by score.

A run stands above every run it does better than: by answering more queries, or by ranking answers higher, without
harm to the other. Each row says from whom a run cannot be told apart.

Give labels and runs, or --ranks FILE and, if not all are wanted, the names of runs."""

ANALYSIS = Analysis(
    key="standings",
    question="Who stands where, by evidence and by score?",
    help=HELP,
    answer="toprung.analyses.standings.tiers:standings",
    result="Standings",
    inputs={"ranks": Input.RANKS, "submitted_at": Input.DATES},
    options=(
        Option(name="facet", help="What ranking is judged by where both answer: search length or RR."),
        Option(name="facet_test", help="And by which test: paired t or signed ranks."),
        ALPHA,
        seed("the permutations that few queries need"),
    ),
)
