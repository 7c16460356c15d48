"""How did each run do on each query? Matrices of queries × runs, which every analysis starts from."""

from __future__ import annotations

from dataclasses import dataclass
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
        from dataclasses import replace

        unknown = [run for run in runs if run not in self.runs]
        if unknown:
            raise InputError(f"Found no run '{unknown[0]}'; expected one of {', '.join(self.runs)}.")
        return replace(self, runs=tuple(runs), values=self.values[:, [self.runs.index(run) for run in runs]])

    def __repr__(self) -> str:
        return f"{type(self).__name__}({len(self.query_ids):,} queries × {len(self.runs):,} runs)"


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class ScoreTable(QueryRunMatrix[np.float64]):
    """A measure's value for each query and run; NaN where it has none."""

    measure: str


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class FirstRanks(QueryRunMatrix[np.int32]):
    """The rank of the first relevant document for each query and run; 0 = not among the first ``cutoff``."""

    cutoff: int | None
