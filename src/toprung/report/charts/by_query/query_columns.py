"""In which order do queries stand, and how many share a column? The hardest first; many are taken together."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from toprung.data.matrices import ScoreTable
from toprung.errors import MeasureError
from toprung.scoring.catalogue import find_measure
from toprung.words.wording import say_queries

MOST_COLUMNS = 240


@dataclass(frozen=True, eq=False, kw_only=True)
class QueryColumns:
    """The scores of one measure, runs × columns; NaN where a run has no score there."""

    measure: str
    runs: tuple[str, ...]
    """The best mean first, unless an order was given."""
    means: tuple[float, ...]
    """Of the runs."""
    names: tuple[str, ...]
    """Of the columns: a query, or how many queries."""
    n_queries: int
    scores: NDArray[np.float64]

    @property
    def has_queries_alone(self) -> bool:
        return len(self.names) == self.n_queries

    @classmethod
    def of(cls, table: ScoreTable, *, runs: Sequence[str] = (), most: int = MOST_COLUMNS) -> QueryColumns:
        """Of a table; by the order of runs given, or by their means."""
        ordered = table.select(list(runs) or sort_runs(table))
        order = _sort_queries(table)
        groups = np.array_split(order, min(most, len(order)))
        return cls(
            measure=table.measure,
            runs=ordered.runs,
            means=tuple(_means(ordered.values).tolist()),
            names=tuple(_name(group, table.query_ids) for group in groups),
            n_queries=len(order),
            scores=np.array([_means(ordered.values[group]) for group in groups]).T,
        )


def sort_runs(table: ScoreTable) -> list[str]:
    """The best mean first; runs without a score last, and equal ones by name."""
    means = _means(table.values)
    worst_last = np.nan_to_num(_toward_better(table.measure) * -np.round(means, 12), nan=np.inf).tolist()
    return [run for _, run in sorted(zip(worst_last, table.runs, strict=True))]


def is_higher_better(measure: str) -> bool:
    """As the measure says; of a matrix with a name of its own, yes."""
    try:
        return find_measure(measure).higher_is_better
    except MeasureError:
        return True


def _toward_better(measure: str) -> int:
    return 1 if is_higher_better(measure) else -1


def _sort_queries(table: ScoreTable) -> NDArray[np.intp]:
    """The hardest for all runs together first; of equals the earlier id."""
    means = _toward_better(table.measure) * np.round(_means(table.values.T), 12)
    return np.argsort(np.nan_to_num(means, nan=-np.inf), kind="stable")


def _means(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Of the columns, over what is known; NaN where nothing is."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", category=RuntimeWarning)  # of a column without a score
        means: NDArray[np.float64] = np.nanmean(values, axis=0)
        return means


def _name(group: NDArray[np.intp], query_ids: tuple[str, ...]) -> str:
    return query_ids[group[0]] if len(group) == 1 else say_queries(len(group))
