"""What does the table say? Who may be best by each measure, what was left out, and how it was found."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from toprung.analyses.table.columns import MeasureColumn
from toprung.analyses.table.rows import MOST_LETTERED
from toprung.boards.engine.words import say_top_group
from toprung.result import Explanation
from toprung.words.assumptions import FAIR_SAMPLE, SAME_QUERIES
from toprung.words.wording import list_names, say_count, say_queries, show_level

if TYPE_CHECKING:
    from toprung.analyses.table.find import PaperTable


def say_table(table: PaperTable) -> str:
    """Who may be best, measure by measure, in the words of the leaderboard."""
    said = [_say_top(table, each) for each in table.measured if each.top is not None]
    return " ".join(said) or f"No run is marked as best: {_say_without_value(table.measured[0])}"


def _say_top(table: PaperTable, column: MeasureColumn) -> str:
    members = () if column.top is None else column.top.members
    parts = say_top_group(members, n_runs=len(table.runs), n_queries=table.n_queries)
    return f"{column.measure}: {' '.join(part for part in parts if part)}"


def say_family(table: PaperTable) -> str:
    """Which comparisons are held to the level together."""
    if len(table.runs) == 2:
        return "one pair of runs for each measure"
    return f"all {table.n_pairs:,} pairs of {len(table.runs):,} runs, measure by measure"


def say_notes(table: PaperTable) -> Iterator[str]:
    level = show_level(table.alpha)
    yield f"Family: {say_family(table)}, at {level}; measures are not corrected for one another."
    if table.baseline is not None and len(table.runs) > 2:
        yield (
            f"Marks against {table.baseline} come from all runs compared at once, as on the leaderboard; a p-value "
            "here is that of one pair by itself and decides nothing."
        )
    if table.baseline is None and not table.letters:
        yield (
            f"Letters: left out, for {len(table.runs):,} runs are more than the {MOST_LETTERED} that can be read; name "
            "a baseline, or choose runs. CSV and JSON name who is better than whom."
        )
    yield from (_say_without_value(each) for each in table.measured if each.top is None)
    yield from dict.fromkeys(remark for each in table.measured for remark in each.scores.remarks)


def _say_without_value(column: MeasureColumn) -> str:
    return (
        f"{column.measure} is shown without marks: some run has no value for {say_queries(column.n_without_value)}, so "
        "means are over different queries and cannot be compared."
    )


def explain(table: PaperTable) -> Explanation:
    """How marks came about."""
    if len(table.runs) == 2:
        compared = (
            "The two runs are compared on each measure, exactly where they differ on few queries, else by the paired "
            "t-test"
        )
    else:
        compared = (
            "All runs are compared at once on each measure by itself "
            "(resampled largest t, step-down; Mogstad et al. 2024)"
        )
    how = (
        f"{compared}, at {show_level(table.alpha)}. A figure is bold where no run has a better one, and a run may be "
        f"best where no run is better beyond chance, as on the leaderboard of {list_names(list(table.measures))}."
    )
    several = (
        (f"The {say_count(len(table.measured), 'measure')} are read one by one.",) if len(table.measured) > 1 else ()
    )
    return Explanation(how=how, assumptions=(FAIR_SAMPLE, SAME_QUERIES, *several))
