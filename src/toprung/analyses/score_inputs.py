"""Which tables of scores can be analysed? Checked here, so that every analysis refuses in the same words."""

from __future__ import annotations

import numpy as np

from toprung.data.matrices import ScoreTable
from toprung.errors import InputError


def check_scores(table: ScoreTable, *, least_queries: int) -> None:
    """Two runs, enough queries, and a value for every query and run."""
    if len(table.runs) < 2:
        raise InputError(f"Found {len(table.runs)} run; expected at least two to compare.")
    if len(table.query_ids) < least_queries:
        found = "1 query" if len(table.query_ids) == 1 else f"{len(table.query_ids)} queries"
        raise InputError(f"Found {found}; expected at least {least_queries}.")
    if np.isnan(table.values).any():
        raise InputError(
            f"Found queries without a value of {table.measure}; expected one for every query and run. "
            "Take a measure that is 0 where a run finds nothing, such as RR."
        )
