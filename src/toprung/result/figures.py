"""What does a result tell to programs? Facts, rows and whole columns, each declared once by where it is found.

Facts are declared in a text, "measure best=best.run": their names parted by blanks, with a path where it is not the
name; see ``toprung.result.paths``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from typing import TYPE_CHECKING, Any

from toprung.records import record
from toprung.result.paths import Path, find, find_all
from toprung.result.values import all_finite, all_json_safe, as_type, json_safe

if TYPE_CHECKING:
    import polars as pl

type Figure = str | Fact | Facts | Rows | Arrays | Column
"""A text declares facts."""
type ValueType = type[Any]


@record
class Fact:
    """One value, or what JSON can hold of it."""

    name: str
    path: Path = ""

    def to_json(self, owner: object) -> Any:
        return json_safe(find(owner, self.path or self.name))


@record
class Facts:
    """Several values under one name."""

    name: str
    figures: tuple[Figure, ...]
    of: Path = ""
    """Whose they are; of the result itself where nothing is said."""

    def to_json(self, owner: object) -> dict[str, Any] | None:
        holder = find(owner, self.of) if self.of else owner
        return None if holder is None else tell(holder, self.figures)


@record
class Column:
    """A value of each row, of one type."""

    name: str
    type: ValueType = float
    path: Path = ""

    def find(self, row: object) -> Any:
        return as_type(find(row, self.path or self.name), self.type)

    def find_all(self, rows: Sequence[object]) -> list[Any]:
        """Of each row."""
        of = self.type
        found = find_all(rows, self.path or self.name)
        return [value if type(value) is of else as_type(value, of) for value in found]

    def to_json(self, row: object) -> Any:
        return json_safe(self.find(row))


@record
class Rows:
    """One row an object: a list of records in JSON, and a frame. What is no ``Column`` is told in JSON only."""

    name: str
    columns: tuple[Figure, ...]
    of: Path = ""
    keeps_nan: bool = False
    """Whether the frame keeps numbers that are not finite; JSON cannot."""

    def find(self, owner: object) -> Iterable[Any]:
        found: Iterable[Any] = find(owner, self.of or self.name)
        return found

    def to_json(self, owner: object) -> list[dict[str, Any]]:
        rows = list(self.find(owner))
        figures = tuple(each_figure(self.columns))
        names = [each.name for each in figures]
        told = [
            all_json_safe(each.find_all(rows)) if isinstance(each, Column) else map(each.to_json, rows)
            for each in figures
        ]
        return [dict(zip(names, values, strict=True)) for values in zip(*told, strict=True)]

    def to_frame(self, owner: object) -> pl.DataFrame:
        from toprung.extras.frames import pl

        rows = list(self.to_rows(owner))
        values = {name: [row[place] for row in rows] for place, name in enumerate(self.header())}
        return pl.DataFrame(values, schema={each.name: frame_type(each.type) for each in self._in_frames})

    def header(self) -> tuple[str, ...]:
        """The names of the columns of the frame."""
        return tuple(each.name for each in self._in_frames)

    def to_rows(self, owner: object) -> Iterator[tuple[Any, ...]]:
        """The rows of the frame."""
        rows = list(self.find(owner))
        return zip(*(self._in_frame(each, each.find_all(rows)) for each in self._in_frames), strict=True)

    @property
    def _in_frames(self) -> list[Column]:
        return [each for each in self.columns if isinstance(each, Column)]

    def _in_frame(self, column: Column, values: list[Any]) -> list[Any]:
        return values if self.keeps_nan or column.type is not float else all_finite(values)


@record
class Arrays:
    """Whole columns, for there may be very many rows: a list for each column in JSON, and a frame.

    Each column leads from the result to an array or a sequence; one that leads to None is left out.
    """

    name: str
    columns: tuple[Column, ...] = ()
    more: Path = ""
    """Leads to columns by name that only this result has."""

    def to_json(self, owner: object) -> dict[str, Any]:
        found: dict[str, Any] = json_safe(self.to_frame(owner).to_dict(as_series=False))
        return found

    def to_frame(self, owner: object) -> pl.DataFrame:
        from toprung.extras.frames import pl

        found = ((each, find(owner, each.path or each.name)) for each in self.columns)
        columns = {each.name: _series(each, values) for each, values in found if values is not None}
        return pl.DataFrame({**columns, **(find(owner, self.more) if self.more else {})}, nan_to_null=True)


def frame_of(header: Sequence[str], rows: Iterable[Sequence[object]]) -> pl.DataFrame:
    """Of rows that a result makes itself, and declares none."""
    from toprung.extras.frames import pl

    return pl.DataFrame(list(rows), schema=list(header), orient="row", infer_schema_length=None)


def _series(column: Column, values: Any) -> Any:
    """An array has its type."""
    from toprung.extras.frames import pl

    return values if hasattr(values, "dtype") else pl.Series(values, dtype=frame_type(column.type))


def columns(of: ValueType, declared: str) -> tuple[Column, ...]:
    """Several columns of one type.

    >>> columns(float, "cost score=score.estimate")[1]
    Column(name='score', type=<class 'float'>, path='score.estimate')
    """
    return tuple(Column(name, of, path) for name, path in names_and_paths(declared))


def each_figure(declared: Iterable[Figure]) -> Iterator[Fact | Facts | Rows | Arrays | Column]:
    """One after the other, texts as the facts that they declare."""
    for figure in declared:
        if isinstance(figure, str):
            yield from (Fact(*each) for each in names_and_paths(figure))
        else:
            yield figure


def names_and_paths(declared: str) -> list[tuple[str, str]]:
    """What is declared in a text.

    >>> names_and_paths("measure best=best.run")
    [('measure', 'measure'), ('best', 'best.run')]
    """
    parts = (each.partition("=") for each in declared.split())
    return [(name, path or name) for name, _, path in parts]


def frame_type(of: ValueType) -> Any:
    """The type of a Polars column."""
    from toprung.extras.frames import pl

    types = {str: pl.String, int: pl.Int64, float: pl.Float64, bool: pl.Boolean, date: pl.Date}
    return pl.List(pl.String) if of is list else types[of]


def tell(owner: object, figures: Iterable[Figure]) -> dict[str, Any]:
    """What is declared of an object, in this order, as JSON can hold it."""
    return {each.name: each.to_json(owner) for each in each_figure(figures)}
