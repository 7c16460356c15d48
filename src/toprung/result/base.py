"""What does an analysis give back? The base of every result: a sentence, a table, where it came from."""

from __future__ import annotations

import importlib
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from toprung.result.table import Table
from toprung.visible import in_one_line

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

# Who draws a result for a notebook: named, not imported, for it stands layers above and loads only when one is shown.
NOTEBOOK_VIEW = "toprung.report.notebook"


@dataclass(frozen=True, kw_only=True)
class Explanation:
    """How an answer was found: in two sentences, and what must be so for it to hold."""

    how: str
    assumptions: tuple[str, ...] = ()


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
