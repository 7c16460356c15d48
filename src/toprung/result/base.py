"""What does an analysis give back? The base of every result: a sentence, a table, where it came from."""

from __future__ import annotations

import importlib
import os
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from toprung.errors import MissingPackageError
from toprung.records import record
from toprung.result.figures import Arrays, Figure, Rows, tell
from toprung.result.passages import Passage
from toprung.result.table import Cell, Table
from toprung.version import __version__
from toprung.words.visible import in_one_line

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

    from toprung.report.charts.figure import Figure as DrawnFigure

# Who shows a result in a notebook, and who writes it: named, not imported, for they stand layers above and load only
# when one is shown or written.
NOTEBOOK_VIEW = "toprung.report.notebook"
WRITERS = "toprung.report.written"


@record(kw_only=True)
class Explanation:
    """How an answer was found: in two sentences, and what must be so for it to hold."""

    how: str
    assumptions: tuple[str, ...] = ()


class Result(ABC):
    """An answer: ``str(result)`` begins with one honest sentence, then the tables, then the notes.

    A class declares what programs read of it, and JSON, frame, CSV and provenance follow; see docs/design/results.md.
    """

    FIGURES: ClassVar[tuple[Figure, ...]] = ()
    """What JSON holds between the sentence and the notes."""
    FRAME: ClassVar[Rows | Arrays | None] = None
    """The rows of the frame, where they are not the first of ``FIGURES``."""
    MADE_FROM: ClassVar[tuple[Figure, ...]] = ()
    """What it was computed from; the version is added."""

    @property
    @abstractmethod
    def sentence(self) -> str:
        """What a person would say of it."""

    def cells(self) -> Sequence[Cell]:
        """The columns that people read of the rows of the frame."""
        raise NotImplementedError(f"{type(self).__name__} declares no cells and has no table of its own")

    @property
    def table(self) -> Table:
        """The figures, ready to show."""
        declared = self.declared_frame()
        if not isinstance(declared, Rows):
            raise NotImplementedError(f"{type(self).__name__} declares no rows and has no table of its own")
        return Table.of(declared.find(self), self.cells())

    @property
    def tables(self) -> tuple[tuple[str, Table], ...]:
        """Every table to show, in order, each with its heading; one alone needs none."""
        return (("", self.table),)

    def paper_tables(self) -> tuple[Table, ...]:
        """The tables as a paper prints them."""
        return (self.table,)

    @property
    def passages(self) -> tuple[Passage, ...]:
        """What a paper takes as it is."""
        return ()

    @property
    def notes(self) -> tuple[str, ...]:
        """Policies in force, what was left out, what to be careful about."""
        return ()

    @property
    def explanation(self) -> Explanation | None:
        """How it was found, in plain words, for who reads a report; None where there is nothing to explain."""
        return None

    @property
    def provenance(self) -> Mapping[str, object]:
        """What it was computed from, and by which version."""
        return {**tell(self, self.MADE_FROM), "toprung": __version__}

    @classmethod
    def declared_frame(cls) -> Rows | Arrays:
        """What the frame holds: the first rows of the figures where nothing else is said."""
        return cls.FRAME or next(each for each in cls.FIGURES if isinstance(each, Rows | Arrays))

    def to_frame(self) -> pl.DataFrame:
        """The figures as a tidy Polars frame."""
        return self.declared_frame().to_frame(self)

    def tidy_rows(self) -> tuple[tuple[str, ...], Iterable[tuple[object, ...]]]:
        """The header and the rows of its CSV; several names in one cell are parted by "; "."""
        header, rows = self._frame_rows()
        return header, (tuple(["; ".join(each) if isinstance(each, list) else each for each in row]) for row in rows)

    def _frame_rows(self) -> tuple[tuple[str, ...], Iterable[tuple[object, ...]]]:
        """Those of the frame, which is made only where it is not just the rows declared."""
        declared = self.declared_frame() if type(self).to_frame is Result.to_frame else None
        if isinstance(declared, Rows):
            return declared.header(), declared.to_rows(self)
        frame = self.to_frame()
        return tuple(frame.columns), frame.iter_rows()

    def to_dict(self) -> dict[str, Any]:
        """Everything, as JSON can hold it."""
        told = tell(self, self.FIGURES)
        return {"sentence": self.sentence, **told, "notes": list(self.notes), "provenance": dict(self.provenance)}

    def to_pandas(self) -> pd.DataFrame:
        """The figures as a tidy pandas frame."""
        try:
            import pandas as pd
        except ModuleNotFoundError:
            said = "Found no package pandas, which to_pandas needs; expected it: pip install pandas."
            raise MissingPackageError(f"{said} to_frame gives a Polars frame.") from None

        return pd.DataFrame(self.to_frame().to_dict(as_series=False))

    def to_markdown(self) -> str:
        """Sentence, tables and notes, for a comment or a README."""
        return self._write("markdown")

    def to_latex(self) -> str:
        """The tables for a paper, with booktabs."""
        return self._write("latex")

    def to_json(self) -> str:
        """Everything, as text."""
        return self._write("json")

    def to_html(self) -> str:
        """A page that needs no other file."""
        return self._write("html")

    def _write(self, output_format: str) -> str:
        written: str = importlib.import_module(WRITERS).to_text(self, output_format)
        return written

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write it to a file, whole or not at all; the ending says how, such as .md, .tex, .csv, .html or .svg."""
        importlib.import_module(WRITERS).save(self, path)

    def to_draw(self) -> Result:
        """What is drawn where a figure of it is asked for."""
        return self

    def plot(self, kind: str | None = None) -> DrawnFigure:
        """Its figure: of the kind named, or the first it has."""
        drawn: DrawnFigure = importlib.import_module(WRITERS).plot(self, kind)
        return drawn

    def to_text(self, *, width: int | None = None) -> str:
        """The sentence, the tables and the notes; tables within a width lose what does not fit, and say so."""
        texts = ((heading, table.to_text(width=width)) for heading, table in self.tables)
        shown = [f"{in_one_line(heading)}:\n{text}" if heading else text for heading, text in texts]
        sentence, *notes = map(in_one_line, (self.sentence, *self.notes))
        passages = [f"{each.heading}:\n{each.text}" for each in self.passages]
        return "\n\n".join(part for part in (sentence, *shown, *passages, "\n".join(notes)) if part)

    def __repr__(self) -> str:
        """What a console shows of it, unless the class says it shorter."""
        return f"<{type(self).__name__}: {self.sentence}>"

    def __str__(self) -> str:
        return self.to_text()

    def _repr_html_(self) -> str:
        drawn: str = importlib.import_module(NOTEBOOK_VIEW).to_notebook(self)
        return drawn
