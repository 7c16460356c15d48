"""Would other queries have said the same? What is registered of it."""

from __future__ import annotations

from toprung.analysis import Analysis, Part

ANALYSIS = Analysis(
    key="agreement",
    question="Would other queries have said the same?",
    help="Halve the queries at random, many times, and see how often the halves agree.",
    answer="toprung.analyses.agreement.find:agreement",
    result="Agreement",
    command="toprung.cli.agreement:agreement",
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
