"""How does a result show itself in a notebook? Its sentence, its first figure, its tables and its notes.

A notebook has a page and colours of its own: text keeps the notebook's colour, hairlines are mixed from it, and the
figure brings its paper along, so that all is read in a dark notebook as in a light one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from toprung.report.charts.catalogue import kinds_of
from toprung.report.charts.tokens import PAPER
from toprung.report.page.figures import as_image
from toprung.report.page.passages import write_passages
from toprung.report.page.tables import MOST_ROWS, bare_table
from toprung.report.page.words import words
from toprung.result import Result, Table
from toprung.words.wording import say_count

STYLE = f"""
.toprung {{ max-width: 75rem; }}
.toprung .finding {{ font: 400 1.2em/1.4 Charter, Georgia, serif; max-width: 48em; margin: 0.5em 0; }}
.toprung .plot {{ display: inline-block; max-width: 100%; background: {PAPER}; padding: 6px; }}
.toprung .plot svg {{ display: block; max-width: 100%; height: auto; }}
.toprung table {{ border-collapse: collapse; border: 0; margin: 0.8em 0; font-variant-numeric: tabular-nums; }}
.toprung caption {{ text-align: left; font-weight: 600; color: inherit; caption-side: top; }}
.toprung tr {{ background: none; }}
.toprung :is(th, td) {{ text-align: left; padding: 0.25em 1.2em 0.25em 0; border: 0; color: inherit; }}
.toprung :is(th, td) {{ border-bottom: 1px solid color-mix(in srgb, currentColor 20%, transparent); }}
.toprung thead th {{ font-weight: 400; opacity: 0.75; }}
.toprung :is(th, td).num {{ text-align: right; }}
.toprung :is(.small, .notes) {{ font-size: 0.9em; opacity: 0.8; max-width: 60em; }}
"""


def to_notebook(result: Result, tables: Sequence[tuple[str, Table]] | None = None) -> str:
    """The result as a fragment of HTML with a style that reaches nothing but itself; its tables unless others."""
    written = "".join(_write_table(heading, table) for heading, table in (result.tables if tables is None else tables))
    notes = "".join(f"<li>{words(note)}</li>" for note in result.notes)
    return (
        f'<style>{STYLE}</style>\n<div class="toprung"><p class="finding">{words(result.sentence)}</p>'
        f"{_write_first_figure(result)}{written}{write_passages(result)}"
        f"{f'<ul class="notes">{notes}</ul>' if notes else ''}</div>"
    )


def _write_first_figure(result: Result) -> str:
    drawn = (kind.draw(result) for kind in kinds_of(result))
    figure = next((each for each in drawn if each is not None), None)
    if figure is None:
        return ""
    svg = figure.to_inline_svg()
    key = f"toprung-{hashlib.sha256(svg.encode()).hexdigest()[:12]}"  # a notebook holds many figures
    return f'<div class="plot">{as_image(svg, key, figure.finding)}</div>'


def _write_table(heading: str, table: Table) -> str:
    n_rows = len(table.rows)
    left = f'<p class="small">The first {MOST_ROWS} of {say_count(n_rows, "row")}.</p>' if n_rows > MOST_ROWS else ""
    return bare_table(table, heading, table.rows[:MOST_ROWS]) + left
