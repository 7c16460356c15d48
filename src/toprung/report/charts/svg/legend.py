"""What do colours and shapes mean? Entries that a page sets below the figure, and a picture inside it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from toprung.report.charts.svg.marks import Shape
from toprung.report.charts.svg.text_width import text_width

SWATCH, LINE_SWATCH, GAP, APART, ROW = 12, 22, 6, 20, 20
"""Points: a swatch, that of a line, the space before its words, that between entries, and a row of them."""
SIZE = 11.5


class Entry(NamedTuple):
    """A swatch and its words."""

    words: str
    fill: str = ""
    stroke: str = ""
    shape: Shape = "square"
    size: float = 100
    dash: str = ""
    is_line: bool = False

    @property
    def swatch_width(self) -> float:
        return LINE_SWATCH if self.is_line else SWATCH

    @property
    def width(self) -> float:
        return self.swatch_width + GAP + text_width(self.words, SIZE)


@dataclass(frozen=True, kw_only=True)
class Legend:
    """Entries in their order; ``title`` says what they are of."""

    title: str
    entries: tuple[Entry, ...]

    def rows(self, width: float) -> list[list[tuple[Entry, float]]]:
        """The entries in rows that fit a width, each with its left edge; the title stands before the first."""
        left = text_width(self.title, SIZE) + APART if self.title else 0.0
        rows: list[list[tuple[Entry, float]]] = [[]]
        for entry in self.entries:
            if rows[-1] and left + entry.width > width:
                rows.append([])
                left = 0.0
            rows[-1].append((entry, left))
            left += entry.width + APART
        return rows
