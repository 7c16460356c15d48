"""How is a table drawn on a sheet of its own? What it shows in words, then its rows, some of them shaded, then notes.

Every column is as wide as its longest text in the widest of fonts, so that nothing is cut and nothing overlaps.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from toprung.report.charts.tokens import TOKENS
from toprung.report.page.words import plain
from toprung.report.share.text_widths import SANS, SERIF_BOLD, measure_text, wrap_text
from toprung.result import Table
from toprung.words.visible import spell_hidden

LEAST_ROOM, MARGIN, GAP, ROW, SIZE = 720, 36, 18, 20, 11
FONTS = "Inter,'DejaVu Sans','Liberation Sans',sans-serif"
INK, INK_2, RULE, RULE_2, TOP, TINT = (
    TOKENS[name].light for name in ("ink", "ink-2", "rule", "rule-2", "top", "top-tint")
)


@dataclass(frozen=True, kw_only=True)
class Sheet:
    """What is on it, from top to bottom."""

    title: str
    sentence: str
    because: Sequence[str]
    table: Table
    shaded: frozenset[int]
    """Rows, from 0."""
    notes: Sequence[str]


@dataclass(frozen=True, kw_only=True)
class Style:
    """Of a paragraph."""

    size: int
    colour: str = INK_2
    weight: int = 400
    widths: Sequence[int] = SANS


TITLE = Style(size=13)
SENTENCE = Style(size=17, colour=INK, weight=600, widths=SERIF_BOLD)
NOTE = Style(size=10)


def draw_sheet(sheet: Sheet) -> str:
    """As SVG, on white paper for a printer, as wide and as high as it needs."""
    widths = _measure_columns(sheet.table)
    room = max(LEAST_ROOM, sum(widths) + GAP * (len(widths) - 1))
    paper, y = _Paper(room=room), float(MARGIN)
    y = paper.write([sheet.title], y, TITLE)
    y = paper.write([sheet.sentence], y, SENTENCE)
    y = paper.write(sheet.because, y, Style(size=SIZE)) + ROW / 2
    y = paper.write_table(sheet, widths, y) + ROW
    y = paper.write(sheet.notes, y, NOTE)
    wide, high = round(room + 2 * MARGIN), round(y + MARGIN)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{high}" viewBox="0 0 {wide} {high}" '
        f'font-family="{FONTS}"><rect width="{wide}" height="{high}" fill="#ffffff"/>{"".join(paper.drawn)}</svg>\n'
    )


def _measure_columns(table: Table) -> list[float]:
    return [max(measure_text(text, SIZE) for text in column) for column in zip(table.header, *table.rows, strict=True)]


class _Paper:
    """What was drawn so far; each step says how far down it came."""

    def __init__(self, *, room: float) -> None:
        self.room = room
        self.drawn: list[str] = []

    def write(self, paragraphs: Sequence[str], y: float, style: Style) -> float:
        for paragraph in filter(None, paragraphs):
            for line in wrap_text(spell_hidden(paragraph), self.room, style.size, style.widths):
                y += 1.4 * style.size
                self.drawn.append(_text(line, MARGIN, y, style))
            y += 0.4 * style.size
        return y

    def write_table(self, sheet: Sheet, widths: Sequence[float], y: float) -> float:
        table, head, body = sheet.table, Style(size=SIZE), Style(size=SIZE, colour=INK)
        self.drawn += _cells(table, table.header, widths, y + 14, head)
        y += ROW
        self.drawn.append(_line(y, self.room, RULE_2))
        for place, row in enumerate(table.rows):
            if place in sheet.shaded:
                self.drawn.append(_rect(MARGIN - 8, y, self.room + 16, TINT) + _rect(MARGIN - 8, y, 3, TOP))
            self.drawn += _cells(table, row, widths, y + 14, body)
            y += ROW
            self.drawn.append(_line(y, self.room, RULE))
        return y


def _cells(table: Table, row: Sequence[str], widths: Sequence[float], y: float, style: Style) -> Iterator[str]:
    """Numbers stand at the right of their column."""
    left = float(MARGIN)
    for place, (text, width) in enumerate(zip(row, widths, strict=True)):
        is_number = place in table.numeric
        if text:
            yield _text(text, left + width if is_number else left, y, style, is_end=is_number)
        left += width + GAP


def _text(text: str, x: float, y: float, style: Style, *, is_end: bool = False) -> str:
    anchor = ' text-anchor="end"' if is_end else ""
    looks = f'font-size="{style.size}" font-weight="{style.weight}" fill="{style.colour}"'
    return f'<text x="{x:.1f}" y="{y:.1f}" {looks}{anchor}>{plain(text)}</text>'


def _line(y: float, room: float, colour: str) -> str:
    return f'<path d="M{MARGIN} {y:.1f}h{room:.1f}" stroke="{colour}"/>'


def _rect(x: float, y: float, wide: float, colour: str) -> str:
    return f'<rect x="{x:.1f}" y="{y:.1f}" width="{wide:.1f}" height="{ROW}" fill="{colour}"/>'
