"""What goes into the paper? What is registered of it."""

from __future__ import annotations

from toprung.analysis import Analysis

ANALYSIS = Analysis(
    key="table",
    question="What goes into the paper?",
    help="Make the table of a paper: several measures, what differs beyond chance, caption, methods and BibTeX.",
    answer="toprung.analyses.table.find:table",
    result="PaperTable",
    command="toprung.cli.table:table",
)
