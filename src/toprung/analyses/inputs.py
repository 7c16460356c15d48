"""What can be analysed, and asked of a result? Checked here, so that every analysis refuses in the same words."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import numpy as np

from toprung.data.formats.tables.long_scores import ONE_RUN, RUNS_APART
from toprung.data.matrices import ScoreTable
from toprung.errors import InputError
from toprung.words.wording import say_count


def check_scores(table: ScoreTable, *, least_queries: int, least_runs: int = 2) -> None:
    """Enough runs and queries, and a value for every query and run."""
    if len(table.runs) < least_runs:
        check_run_count(table.runs)
    if len(table.query_ids) < least_queries:
        found = say_count(len(table.query_ids), "query", "queries")
        raise InputError(f"Found {found}; expected at least {least_queries}.")
    if np.isnan(table.values).any():
        raise InputError(
            f"Found queries without a value of {table.measure}; expected one for every query and run. "
            "Take a measure that is 0 where a run finds nothing, such as RR."
        )


def check_run_count(runs: Collection[str], *, where: str = "") -> None:
    """One run alone is neither better nor worse."""
    if len(runs) < 2:
        advice = f" {RUNS_APART}" if list(runs) == [ONE_RUN] else ""
        raise InputError(f"Found {say_count(len(runs), 'run')}{where}; expected at least two to compare.{advice}")


def find_named[Row](what: str, name: str, named: Mapping[str, Row]) -> Row:
    """What stands under a name; one that nobody has is refused."""
    if name not in named:
        raise InputError(f"Found no {what} '{name}'; expected one of {', '.join(named)}.")
    return named[name]
