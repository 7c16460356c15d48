"""How did each run do on each query? Matrices of queries × runs, which every analysis starts from."""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import cached_property
from operator import lt
from typing import TYPE_CHECKING, Self

import numpy as np
from numpy.typing import NDArray

from toprung.errors import InputError
from toprung.words.wording import say_count

if TYPE_CHECKING:
    import polars as pl

# Beyond it, sums of squares lose the digits that tell runs apart, and soon are infinite.
LARGEST_SCORE = 1e8


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class QueryRunMatrix[Value: np.generic]:
    """Values of queries × runs. Rows are sorted by query_id on construction, so input order never matters."""

    query_ids: tuple[str, ...]
    runs: tuple[str, ...]
    values: NDArray[Value]
    remarks: tuple[str, ...] = ()
    """What to know of how the values came about, such as queries a run does not have; results pass it on."""

    def __post_init__(self) -> None:
        if self.values.shape != (len(self.query_ids), len(self.runs)):
            raise InputError(f"Found a matrix of shape {self.values.shape}; expected {self._say_shape()}.")
        _refuse_repeated("run", self.runs)
        if all(map(lt, self.query_ids, self.query_ids[1:])):  # as nearly always; then none is there twice
            object.__setattr__(self, "values", self.values.copy())
        else:
            _refuse_repeated("query", self.query_ids)
            order = sorted(range(len(self.query_ids)), key=self.query_ids.__getitem__)
            object.__setattr__(self, "query_ids", tuple(self.query_ids[row] for row in order))
            object.__setattr__(self, "values", self.values[order])
        self.values.setflags(write=False)

    def to_frame(self) -> pl.DataFrame:
        """One row per query, one column per run."""
        from toprung.extras.frames import pl

        columns = {run: self.values[:, column] for column, run in enumerate(self.runs)}
        return pl.DataFrame({"query_id": list(self.query_ids), **columns})

    def select(self, runs: list[str]) -> Self:
        """The same queries, only these runs, in this order."""
        return replace(self, runs=tuple(runs), values=self.values[:, [self._place(run) for run in runs]])

    def select_queries(self, query_ids: Collection[str], *, name: str) -> Self:
        """The same runs, only these queries; how many have no values here is told, by the name of the set.

        >>> table = ScoreTable(query_ids=("q1", "q2"), runs=("A",), values=np.array([[0.1], [0.3]]), measure="RR")
        >>> only = table.select_queries(["q2", "q3"], name="public")
        >>> only.values.tolist(), only.remarks
        ([[0.3]], ('public: left out 1 of 2 queries listed, which have no values here.',))
        """
        if tuple(query_ids) == self.query_ids:
            return self
        wanted = set(query_ids)
        rows = [row for row, query_id in enumerate(self.query_ids) if query_id in wanted]
        listed = say_count(len(wanted), "query", "queries")
        if not rows:
            raise InputError(
                f"{name}: found {listed}, none of them with values; expected at least one in common. "
                "Are these the ids of the labelled queries?"
            )
        missing = len(wanted) - len(rows)
        remark = [f"{name}: left out {missing:,} of {listed} listed, which have no values here."] if missing else []
        return replace(
            self,
            query_ids=tuple(self.query_ids[row] for row in rows),
            values=self.values[rows],
            remarks=(*self.remarks, *remark),
        )

    def column(self, run: str) -> NDArray[Value]:
        """One run's values, in the order of the queries."""
        return self.values[:, self._place(run)]

    def _place(self, run: str) -> int:
        if run not in self._places:
            raise InputError(f"Found no run '{run}'; expected one of {', '.join(self.runs)}.")
        return self._places[run]

    @cached_property
    def _places(self) -> dict[str, int]:
        """Where each run stands: of thousands none is searched for."""
        return {run: place for place, run in enumerate(self.runs)}

    @cached_property
    def digest(self) -> str:
        """SHA-256 of what the matrix holds, in whatever order the runs stand."""
        runs = sorted(self.runs)
        content = hashlib.sha256("\n".join((*runs, "", *self.query_ids)).encode())
        content.update(np.ascontiguousarray(self.values[:, [self._places[run] for run in runs]]).tobytes())
        return f"sha256:{content.hexdigest()}"

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._say_shape()})"

    def _say_shape(self) -> str:
        return f"{say_count(len(self.query_ids), 'query', 'queries')} × {say_count(len(self.runs), 'run')}"


def _refuse_repeated(what: str, ids: tuple[str, ...]) -> None:
    repeated = sorted({name for name in ids if ids.count(name) > 1}) if len(set(ids)) < len(ids) else []
    if repeated:
        raise InputError(f"Found {what} '{repeated[0]}' twice; expected each {what} once.")


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class ScoreTable(QueryRunMatrix[np.float64]):
    """A measure's value for each query and run; NaN where it has none."""

    measure: str

    def __post_init__(self) -> None:
        super().__post_init__()
        if _largest_size(self.values) > LARGEST_SCORE:
            row, column = np.argwhere(np.abs(self.values) > LARGEST_SCORE)[0]
            where = f"query '{self.query_ids[row]}' of run '{self.runs[column]}'"
            raise InputError(
                f"{self.measure}: found {self.values[row, column]:g} in {where}; expected a size of at most "
                f"{LARGEST_SCORE:g}. Rescale the measure."
            )


def _largest_size(values: NDArray[np.float64]) -> float:
    """Of all that are numbers; 0 without any."""
    highest, lowest = np.fmax.reduce(values, axis=None, initial=0.0), np.fmin.reduce(values, axis=None, initial=0.0)
    return float(max(highest, -lowest))


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class FirstRanks(QueryRunMatrix[np.int32]):
    """The rank of the first relevant document for each query and run; 0 = not among the first ``cutoff``.

    ``rel`` is the lowest grade that counts; ``mth`` says that it is the second, third, … such document.
    """

    cutoff: int | None
    rel: int = 1
    mth: int = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        if not np.issubdtype(self.values.dtype, np.integer) or (self.values < 0).any():
            raise InputError("Found fractional or negative ranks; expected whole numbers from 1, and 0 for not found.")

    def reciprocal(self) -> ScoreTable:
        """RR of each query and run: 1 / rank, 0 where nothing was found."""
        return self._reciprocal

    @cached_property
    def _reciprocal(self) -> ScoreTable:
        return ScoreTable(
            query_ids=self.query_ids,
            runs=self.runs,
            values=reciprocal_ranks(self.values),
            measure=self.measure,
            remarks=self.remarks,
        )

    @property
    def measure(self) -> str:
        """What 1 / rank is called here, such as RR@100 or RR(rel=2, mth=3)@100."""
        options = [f"{key}={value}" for key, value in (("rel", self.rel), ("mth", self.mth)) if value != 1]
        cutoff = "" if self.cutoff is None else f"@{self.cutoff}"
        return f"RR{'(' + ', '.join(options) + ')' if options else ''}{cutoff}"


def reciprocal_ranks(ranks: NDArray[np.int32]) -> NDArray[np.float64]:
    """1 / rank, 0 where nothing was found.

    >>> reciprocal_ranks(np.array([1, 0, 4], dtype=np.int32)).tolist()
    [1.0, 0.0, 0.25]
    """
    return np.divide(1.0, ranks, out=np.zeros(ranks.shape), where=ranks > 0)


def to_scores(matrix: FirstRanks | ScoreTable) -> ScoreTable:
    """The scores of a matrix: of first ranks their reciprocals."""
    return matrix.reciprocal() if isinstance(matrix, FirstRanks) else matrix
