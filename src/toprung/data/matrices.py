"""How did each run do on each query? Matrices of queries × runs, which every analysis starts from."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Self

import numpy as np
from numpy.typing import NDArray

from toprung.errors import InputError

if TYPE_CHECKING:
    import polars as pl


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
            expected = f"{len(self.query_ids)} queries × {len(self.runs)} runs"
            raise InputError(f"Found a matrix of shape {self.values.shape}; expected {expected}.")
        for what, ids in (("query", self.query_ids), ("run", self.runs)):
            repeated = sorted({name for name in ids if ids.count(name) > 1}) if len(set(ids)) < len(ids) else []
            if repeated:
                raise InputError(f"Found {what} '{repeated[0]}' twice; expected each {what} once.")
        order = sorted(range(len(self.query_ids)), key=self.query_ids.__getitem__)
        object.__setattr__(self, "query_ids", tuple(self.query_ids[row] for row in order))
        object.__setattr__(self, "values", self.values[order])
        self.values.setflags(write=False)

    def to_frame(self) -> pl.DataFrame:
        """One row per query, one column per run."""
        import polars as pl

        columns = {run: self.values[:, column] for column, run in enumerate(self.runs)}
        return pl.DataFrame({"query_id": list(self.query_ids), **columns})

    def select(self, runs: list[str]) -> Self:
        """The same queries, only these runs, in this order."""
        return replace(self, runs=tuple(runs), values=np.column_stack([self.column(run) for run in runs]))

    def column(self, run: str) -> NDArray[Value]:
        """One run's values, in the order of the queries."""
        if run not in self.runs:
            raise InputError(f"Found no run '{run}'; expected one of {', '.join(self.runs)}.")
        return self.values[:, self.runs.index(run)]

    @cached_property
    def digest(self) -> str:
        """SHA-256 of what the matrix holds, in whatever order the runs stand."""
        runs = sorted(self.runs)
        content = hashlib.sha256("\n".join((*runs, "", *self.query_ids)).encode())
        content.update(np.ascontiguousarray(self.values[:, [self.runs.index(run) for run in runs]]).tobytes())
        return f"sha256:{content.hexdigest()}"

    def __repr__(self) -> str:
        return f"{type(self).__name__}({len(self.query_ids):,} queries × {len(self.runs):,} runs)"


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class ScoreTable(QueryRunMatrix[np.float64]):
    """A measure's value for each query and run; NaN where it has none."""

    measure: str


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
        values = np.divide(1.0, self.values, out=np.zeros(self.values.shape), where=self.values > 0)
        return ScoreTable(
            query_ids=self.query_ids, runs=self.runs, values=values, measure=self.measure, remarks=self.remarks
        )

    @property
    def measure(self) -> str:
        """What 1 / rank is called here, such as RR@100 or RR(rel=2, mth=3)@100."""
        options = [f"{key}={value}" for key, value in (("rel", self.rel), ("mth", self.mth)) if value != 1]
        cutoff = "" if self.cutoff is None else f"@{self.cutoff}"
        return f"RR{'(' + ', '.join(options) + ')' if options else ''}{cutoff}"
