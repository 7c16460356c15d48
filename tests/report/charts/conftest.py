"""What the tests of figures share: a board small enough to check by hand."""

from __future__ import annotations

import numpy as np
import pytest

import toprung as tr


@pytest.fixture(scope="session")
def sure_late_never() -> tr.FirstRanks:
    """Forty queries: ``sure`` answers all of them first, ``late`` all of them second, ``never`` none."""
    ranks = np.tile(np.array([[1, 2, 0]], dtype=np.int32), (40, 1))
    query_ids = tuple(f"q{number}" for number in range(40))
    return tr.FirstRanks(query_ids=query_ids, runs=("sure", "late", "never"), values=ranks, cutoff=10)
