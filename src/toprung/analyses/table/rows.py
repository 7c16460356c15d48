"""How is the table made? A row a run, a column a measure; what stands out, and one entry for each figure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from toprung.analyses.table.columns import MeasureColumn
from toprung.result import Cell, Mark, Table
from toprung.stats.ranks.letters import letter_name
from toprung.stats.tests.pair import PairTest
from toprung.words.wording import say_p, show_number

if TYPE_CHECKING:
    from toprung.analyses.table.find import PaperTable

MAY_BE_BEST = "†"
BETTER, WORSE = "↑", "↓"
MOST_LETTERED = 26
"""Beyond so many runs nobody reads the letters behind a figure."""


@dataclass(frozen=True, kw_only=True)
class TableEntry:
    """One figure of the table, and what is known of it; None where the measure is not marked."""

    run: str
    letter: str | None
    measure: str
    value: float
    is_best: bool | None
    may_be_best: bool | None
    better_than: tuple[str, ...] | None
    worse_than: tuple[str, ...] | None
    difference: float | None
    """From the baseline, positive where the run does better."""
    p_alone: float | None
    """Of the pair with the baseline by itself; marks come from all pairs at once."""


def find_letters(runs: tuple[str, ...], baseline: str | None) -> dict[str, str]:
    """By run; none where marks are against a baseline, or there are too many."""
    if baseline is not None or len(runs) > MOST_LETTERED:
        return {}
    return {run: letter_name(place) for place, run in enumerate(runs)}


def make_entries(table: PaperTable) -> tuple[TableEntry, ...]:
    return tuple(_make_entry(table, column, run) for run in table.runs for column in table.measured)


def _make_entry(table: PaperTable, column: MeasureColumn, run: str) -> TableEntry:
    pair = None if table.baseline is None else column.against(table.baseline, run)
    return TableEntry(
        run=run,
        letter=table.letters.get(run),
        measure=column.measure,
        value=column.values[run],
        is_best=column.is_best(run),
        may_be_best=column.may_be_best(run),
        better_than=column.better_than(run),
        worse_than=column.worse_than(run),
        difference=None if pair is None else pair.mean,
        p_alone=None if pair is None else pair.p,
    )


def make_table(table: PaperTable) -> Table:
    """The table of the paper."""
    letters = (Cell("", lambda run: table.letters[run]),) if table.letters else ()
    figures = (
        Cell(each.measure, partial(each.show, decimals=table.decimals), is_number=True) for each in table.measured
    )
    made = Table.of(table.runs, (*letters, Cell("run", str), *figures))
    first = len(letters) + 1
    marks = {
        (row, first + place): mark
        for row, run in enumerate(table.runs)
        for place, column in enumerate(table.measured)
        if (mark := _find_mark(table, column, run)) is not None
    }
    return Table(header=made.header, rows=made.rows, numeric=made.numeric, marks=marks)


def _find_mark(table: PaperTable, column: MeasureColumn, run: str) -> Mark | None:
    if column.top is None:
        return None
    best = MAY_BE_BEST if column.may_be_best(run) else ""
    found = Mark(is_bold=bool(column.is_best(run)), raised=best + "".join(_differs_from(table, column, run)))
    return found if found != Mark() else None


def _differs_from(table: PaperTable, column: MeasureColumn, run: str) -> Iterator[str]:
    """The letters of the runs that it differs from, or its side of the baseline."""
    better, worse = column.better_than(run) or (), column.worse_than(run) or ()
    if table.baseline is not None:
        yield BETTER if table.baseline in better else WORSE if table.baseline in worse else ""
    else:
        marked = better if table.marks == "better" else (*better, *worse)
        yield from (letter for other, letter in table.letters.items() if other in marked)


def make_pairs_table(table: PaperTable, baseline: str) -> Table:
    """Every run against the baseline, each pair by itself."""

    def figure(column: MeasureColumn) -> Cell:
        return Cell(
            column.measure, lambda run: _show_pair(column.against(baseline, run), table.decimals), is_number=True
        )

    others = [run for run in table.runs if run != baseline]
    return Table.of(others, (Cell("run", str), *map(figure, table.measured)))


def _show_pair(pair: PairTest | None, decimals: int) -> str:
    return "–" if pair is None else f"{show_number(pair.mean, decimals, signed=True)}, {say_p(pair.p)}"
