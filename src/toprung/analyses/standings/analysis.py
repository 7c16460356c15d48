"""Who stands where, and who is better than whom? What is registered of it."""

from __future__ import annotations

from toprung.analysis import ALPHA, WORKERS, Analysis, Input, Option, seed

HELP = """\
Order runs by score, and say which runs each is better than.

Each row says which runs it is better and worse than, and from which it cannot be told apart, all compared at once as
on the leaderboard. With --rule lin2021 runs stand in tiers by the verdicts of Lin et al. 2021 on every pair.

Give labels and runs, or --ranks FILE or --scores FILE and, if not all are wanted, the names of runs."""

ANALYSIS = Analysis(
    key="standings",
    question="Who stands where, and who is better than whom?",
    help=HELP,
    answer="toprung.analyses.standings.find:standings",
    result="Standings",
    inputs={"matrix": Input.MATRIX, "submitted_at": Input.DATES},
    options=(
        Option(name="rule", help="By the measure, all runs at once; or by the verdicts of Lin et al. 2021."),
        Option(name="facet", help="Under lin2021: what ranking is judged by where both answer, search length or RR."),
        Option(name="facet_test", help="Under lin2021: by which test, paired t or signed ranks."),
        ALPHA,
        seed("the resamples"),
        WORKERS,
    ),
)
