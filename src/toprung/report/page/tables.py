"""How is a table written in a page? One way for all: it scrolls by itself, and a long one is folded."""

from __future__ import annotations

from collections.abc import Sequence

from toprung.report.page.words import plain, words
from toprung.result import Mark, Table
from toprung.words.wording import say_count

SHOWN_ROWS = 20
"""Before the fold; one or two more are shown rather than folded."""
MOST_ROWS = 200
"""What a page holds of one table; who wants more wants the CSV."""
SPARED = 2


def write_table(table: Table, heading: str = "", *, label: str = "Figures") -> str:
    """A table with its heading, which a reader without a mouse can reach and scroll too."""
    is_long = len(table.rows) > SHOWN_ROWS + SPARED
    shown = table.rows[: SHOWN_ROWS if is_long else None]
    folded = table.rows[SHOWN_ROWS:MOST_ROWS] if is_long else ()
    return (
        f'<div class="foldable">{scrolled(bare_table(table, heading, shown, folded), label=heading or label)}'
        f"{fold_control(len(folded)) if folded else ''}{say_left_out(len(table.rows))}</div>\n"
    )


def scrolled(content: str, *, label: str) -> str:
    """What may be wider than the page scrolls by itself, also by keyboard."""
    return f'<div class="scroll-x" tabindex="0" role="group" aria-label="{plain(label)}">{content}</div>'


def bare_table(table: Table, heading: str, rows: Sequence[Sequence[str]], folded: Sequence[Sequence[str]] = ()) -> str:
    """The table alone; folded rows stand in a body of their own."""
    named = _naming_column(table)
    caption = f"<caption>{words(heading)}</caption>" if heading else ""
    head = "".join(
        f'<th scope="col"{_class(column, table)}>{words(cell)}</th>' for column, cell in enumerate(table.header)
    )

    def body(part: Sequence[Sequence[str]], first: int) -> str:
        return "".join(
            f"<tr>{''.join(_cell(i, _marked(cell, table.mark(number, i)), named, table) for i, cell in enumerate(row))}"
            "</tr>"
            for number, row in enumerate(part, start=first)
        )

    rest = f'<tbody class="folded">{body(folded, len(rows))}</tbody>' if folded else ""
    opening = f"<table{_run_columns(table)}>{caption}<thead><tr>{head}</tr></thead>"
    return f"{opening}<tbody>{body(rows, 0)}</tbody>{rest}</table>"


def _run_columns(table: Table) -> str:
    """Which columns name runs: whoever filters looks there."""
    named = [place for place, name in enumerate(table.header) if name.strip() in ("run", "A", "B")]
    places = [str(place) for place in named if place not in table.numeric]
    return f' data-run-columns="{" ".join(places)}"' if places else ""


def fold_control(n_folded: int, noun: str = "row", more: str = "") -> str:
    """Opens and closes the folded rows above it, by the stylesheet alone."""
    return f'<details class="fold"><summary>Show {n_folded:,} more {noun}s{more}</summary></details>'


def _naming_column(table: Table) -> int | None:
    """The column that says whose row it is: that of the run, or of the challenger, or the first if it holds texts."""
    names = [name.strip() for name in table.header]
    places = [names.index(name) for name in ("run", "B") if name in names]
    return next((place for place in (*places, 0) if place not in table.numeric), None)


def _cell(column: int, cell: str, named: int | None, table: Table) -> str:
    if column == named:
        return f'<th scope="row">{cell}</th>'
    return f"<td{_class(column, table)}>{cell}</td>"


def _marked(cell: str, mark: Mark) -> str:
    bold = f"<b>{words(cell)}</b>" if mark.is_bold else words(cell)
    return f"{bold}<sup>{words(mark.raised)}</sup>" if mark.raised else bold


def _class(column: int, table: Table) -> str:
    is_right = column in table.numeric - table.marked_columns  # what is raised behind figures would part their digits
    return ' class="num"' if is_right else ""


def say_left_out(n_rows: int, noun: str = "row") -> str:
    """How many a page leaves out, if it does."""
    if n_rows <= MOST_ROWS:
        return ""
    return f'<p class="small muted">The first {MOST_ROWS} of {say_count(n_rows, noun)}; the CSV has all.</p>'
