"""What does an analysis give back? The base of every result: a sentence, a table, where it came from."""

from __future__ import annotations

import importlib
import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING, Any

from toprung.visible import in_one_line, keep_apart

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

# Who draws a result for a notebook: named, not imported, for it stands layers above and loads only when one is shown.
NOTEBOOK_VIEW = "toprung.report.notebook"


@dataclass(frozen=True, kw_only=True)
class Table:
    """A plain table to show: a header, rows of texts, and which columns are numbers.

    Every cell is one line in which nothing is hidden, whatever a name was made of.
    """

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numeric: frozenset[int] = field(default_factory=frozenset)

    def __post_init__(self) -> None:
        object.__setattr__(self, "header", tuple(map(in_one_line, self.header)))
        object.__setattr__(self, "rows", tuple(tuple(map(in_one_line, row)) for row in self.rows))

    def with_column(self, name: str, cells: Sequence[str]) -> Table:
        """The same table with one more column of texts at the end."""
        rows = tuple((*row, cell) for row, cell in zip(self.rows, cells, strict=True))
        return Table(header=(*self.header, name), rows=rows, numeric=self.numeric)

    def to_text(self) -> str:
        """Columns parted by two blanks; numbers stand at the right."""
        widths = [max(len(row[i]) for row in (self.header, *self.rows)) for i in range(len(self.header))]

        def line(row: Sequence[str]) -> str:
            blanks = [" " * (width - len(cell)) for cell, width in zip(row, widths, strict=True)]
            shown = map(keep_apart, row)
            cells = (
                f"{blank}{cell}" if i in self.numeric else f"{cell}{blank}"
                for i, (cell, blank) in enumerate(zip(shown, blanks, strict=True))
            )
            return "  ".join(cells).rstrip()

        return "\n".join([line(self.header), *map(line, self.rows)])


@dataclass(frozen=True, kw_only=True)
class Explanation:
    """How an answer was found: in two sentences, and what must be so for it to hold."""

    how: str
    assumptions: tuple[str, ...] = ()


def json_safe(value: Any) -> Any:
    """The same as JSON can hold it: no NaN or infinity, dates as text; through dicts, lists and tuples.

    >>> json_safe({"p": float("nan"), "when": date(2021, 5, 1), "n": [1, 2]})
    {'p': None, 'when': '2021-05-01', 'n': [1, 2]}
    """
    if isinstance(value, Mapping):
        return {key: json_safe(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [json_safe(each) for each in value]
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value.isoformat() if isinstance(value, date) else value


class Result(ABC):
    """An answer: ``str(result)`` begins with one honest sentence, then the tables, then the notes."""

    @property
    @abstractmethod
    def sentence(self) -> str:
        """What a person would say of it."""

    @property
    @abstractmethod
    def table(self) -> Table:
        """The figures, ready to show."""

    @property
    def tables(self) -> tuple[tuple[str, Table], ...]:
        """Every table to show, in order, each with its heading; one alone needs none."""
        return (("", self.table),)

    def paper_tables(self) -> tuple[Table, ...]:
        """The tables as a paper prints them."""
        return (self.table,)

    @property
    def notes(self) -> tuple[str, ...]:
        """Policies in force, what was left out, what to be careful about."""
        return ()

    @property
    def explanation(self) -> Explanation | None:
        """How it was found, in plain words, for who reads a report; None where there is nothing to explain."""
        return None

    @property
    @abstractmethod
    def provenance(self) -> Mapping[str, object]:
        """What it was computed from, and by which version."""

    @abstractmethod
    def to_frame(self) -> pl.DataFrame:
        """The figures as a tidy Polars frame."""

    def tidy_rows(self) -> tuple[tuple[str, ...], Iterable[tuple[object, ...]]]:
        """The header and the rows of its CSV."""
        frame = self.to_frame()
        return tuple(frame.columns), frame.iter_rows()

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """Everything, as JSON can hold it."""

    def to_pandas(self) -> pd.DataFrame:
        """The figures as a tidy pandas frame."""
        import pandas as pd

        return pd.DataFrame(self.to_frame().to_dict(as_series=False))

    def __str__(self) -> str:
        shown = [
            f"{in_one_line(heading)}:\n{table.to_text()}" if heading else table.to_text()
            for heading, table in self.tables
        ]
        sentence, *notes = map(in_one_line, (self.sentence, *self.notes))
        return "\n\n".join(part for part in (sentence, *shown, "\n".join(notes)) if part)

    def _repr_html_(self) -> str:
        drawn: str = importlib.import_module(NOTEBOOK_VIEW).to_notebook(self)
        return drawn
