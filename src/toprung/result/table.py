"""How do people read figures? A plain table of texts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field
from typing import Any

from toprung.records import record
from toprung.result.narrow import GAP, cut_middle, fit_columns
from toprung.words.visible import in_one_line, keep_apart


@record
class Cell:
    """A column that people read: its heading, how a row is shown in it, and whether numbers stand in it."""

    heading: str
    show: Callable[[Any], str]
    is_number: bool = False


@record(kw_only=True)
class Mark:
    """How a cell stands out: in bold, and by what is raised behind it."""

    is_bold: bool = False
    raised: str = ""

    @property
    def as_text(self) -> str:
        """Where nothing can be bold or raised: a star or a blank, then the signs."""
        return f"{'*' if self.is_bold else ' '}{self.raised}".rstrip()


NO_MARK = Mark()


@record(kw_only=True)
class Table:
    """A plain table to show: a header, rows of texts, which columns are numbers, and which cells stand out.

    Every cell is one line in which nothing is hidden, whatever a name was made of.
    """

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numeric: frozenset[int] = field(default_factory=frozenset)
    marks: Mapping[tuple[int, int], Mark] = field(default_factory=dict)
    """By row and column, from 0; the header is no row."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "header", tuple(map(in_one_line, self.header)))
        object.__setattr__(self, "rows", tuple(tuple(map(in_one_line, row)) for row in self.rows))

    @classmethod
    def of(cls, rows: Iterable[Any], cells: Sequence[Cell]) -> Table:
        """A row for each object, a column for each cell."""
        return cls(
            header=tuple(cell.heading for cell in cells),
            rows=tuple(tuple(cell.show(row) for cell in cells) for row in rows),
            numeric=frozenset(place for place, cell in enumerate(cells) if cell.is_number),
        )

    def with_column(self, name: str, cells: Sequence[str]) -> Table:
        """The same table with one more column of texts at the end."""
        rows = tuple((*row, cell) for row, cell in zip(self.rows, cells, strict=True))
        return Table(header=(*self.header, name), rows=rows, numeric=self.numeric, marks=self.marks)

    def mark(self, row: int, column: int) -> Mark:
        return self.marks.get((row, column), NO_MARK)

    @property
    def marked_columns(self) -> frozenset[int]:
        return frozenset(column for _, column in self.marks)

    def to_text(self, *, width: int | None = None) -> str:
        """Columns parted by two blanks; numbers stand at the right. Within a width, what was left out is said."""
        shown = self._with_marks_as_text() if self.marks else [self.header, *self.rows]
        widths = [max(len(row[i]) for row in shown) for i in range(len(self.header))]
        kept = widths if width is None else fit_columns(widths, self.numeric, within=width)
        lines = [self._line(row, kept) for row in shown]
        left_out = ", ".join(self.header[len(kept) :])
        return "\n".join([*lines, f"(not shown, for want of width: {left_out})"] if left_out else lines)

    def _line(self, row: Sequence[str], widths: Sequence[int]) -> str:
        cut = [cut_middle(cell, width) for cell, width in zip(row, widths, strict=False)]
        blanks = [" " * (width - len(cell)) for cell, width in zip(cut, widths, strict=True)]
        cells = (
            f"{blank}{keep_apart(cell)}" if i in self.numeric else f"{keep_apart(cell)}{blank}"
            for i, (cell, blank) in enumerate(zip(cut, blanks, strict=True))
        )
        return (" " * GAP).join(cells).rstrip()

    def _with_marks_as_text(self) -> list[tuple[str, ...]]:
        """The header and the rows; what stands behind figures is as wide in every cell of a column, so they align."""
        behind = [[self.mark(row, i).as_text for i in range(len(self.header))] for row in range(len(self.rows))]
        widths = [max(map(len, column)) for column in zip(*behind, strict=True)] or [0] * len(self.header)
        rows = [
            tuple(f"{cell}{text:<{width}}" for cell, text, width in zip(*each, widths, strict=True))
            for each in zip(self.rows, behind, strict=True)
        ]
        return [tuple(f"{name}{'':{width}}" for name, width in zip(self.header, widths, strict=True)), *rows]


NUMBERS = (Cell("", lambda row: row[0]), Cell("number", lambda row: f"{row[1]:,}", is_number=True))
"""The table of whole numbers by what each counts, as the items of a dict."""
