"""What can be analysed, and asked of a result? Checked here, so that every analysis refuses in the same words."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from toprung.data.matrices import ScoreTable
from toprung.errors import InputError
from toprung.words.wording import say_count


def check_scores(table: ScoreTable, *, least_queries: int, least_runs: int = 2) -> None:
    """Enough runs and queries, and a value for every query and run."""
    if len(table.runs) < least_runs:
        check_run_count(len(table.runs))
    if len(table.query_ids) < least_queries:
        found = say_count(len(table.query_ids), "query", "queries")
        raise InputError(f"Found {found}; expected at least {least_queries}.")
    if np.isnan(table.values).any():
        raise InputError(
            f"Found queries without a value of {table.measure}; expected one for every query and run. "
            "Take a measure that is 0 where a run finds nothing, such as RR."
        )


def check_run_count(n_runs: int, *, where: str = "") -> None:
    """One run alone is neither better nor worse."""
    if n_runs < 2:
        raise InputError(f"Found {say_count(n_runs, 'run')}{where}; expected at least two to compare.")


def find_named[Row](what: str, name: str, named: Mapping[str, Row]) -> Row:
    """What stands under a name; one that nobody has is refused."""
    if name not in named:
        raise InputError(f"Found no {what} '{name}'; expected one of {', '.join(named)}.")
    return named[name]
