"""Would other queries have said the same? What is registered of it."""

from __future__ import annotations

from toprung.analysis import ALPHA, WORKERS, Analysis, Input, Option, Part, ProgressSaid, seed

HELP = """\
Halve the queries at random, many times, and see how often the halves agree.

In each half every pair of runs is compared by the sign, rank-sum, signed-rank and paired t-test; the mean or the
median says which run is ahead. The table is that of Craswell et al. 2021 (section 4.3).

Give labels and runs, or --ranks FILE or --scores FILE and, if not all are wanted, the names of runs."""

ANALYSIS = Analysis(
    key="agreement",
    question="Would other queries have said the same?",
    help=HELP,
    answer="toprung.analyses.agreement.find:agreement",
    result="Agreement",
    inputs={"table": Input.SCORES},
    options=(
        Option(name="splits", help="How often the queries are halved.", least=1),
        Option(
            name="reading",
            help="What counts as agreement: as the paper says, or as its tables 4a and 4b count. JSON has both.",
        ),
        Option(
            name="method",
            help="Of the signed-rank test: as published, or exact and permuted where a half has fewer than 50 queries.",
        ),
        ALPHA,
        seed("the random splits"),
        WORKERS,
    ),
    progress=ProgressSaid(doing="Splitting", steps="splits"),
    parts=(
        Part(
            key="agreement",
            question="Would two halves of the queries say the same?",
            place=80,
            needs=("two_runs", "enough_queries", "few_enough_pairs"),
            find="toprung.report.overview.answers:find_agreement",
        ),
    ),
)
