"""Stability of TREC ad hoc 8 (AP, 129 runs, 50 topics): regression values, our own; see make_adhoc8_stability.py."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.reference.make_adhoc8_stability import values_of

from toprung.data.formats.tables.matrix_files import read_scores

REFERENCE = Path(__file__).parents[2] / "reference"

type Figures = dict[str, NDArray[Any]]


@pytest.fixture(scope="module")
def found(shared_data: Path) -> Figures:
    return {name: np.array(value) for name, value in values_of(shared_data / "score-matrices").items()}


def test_ranks_shares_and_intervals_are_those_recorded(found: Figures) -> None:
    recorded = json.loads((REFERENCE / "adhoc8_stability.json").read_text())
    assert found.keys() == recorded.keys()
    for name in ("expected_ranks", "shares_of_the_first_five"):
        np.testing.assert_allclose(found[name], recorded[name], atol=2e-6, err_msg=name)
    for name in ("runs", "queries", "pairs_judged"):
        assert found[name] == recorded[name], name
    for name in ("low", "high", "may_be_best"):
        # A pair near the critical value may fall to the other side on a machine that sums in another order.
        assert np.count_nonzero(found[name] != np.array(recorded[name])) <= 2, name


def test_ranks_and_intervals_are_coherent(found: Figures, shared_data: Path) -> None:
    means = np.sort(-read_scores(shared_data / "score-matrices" / "adhoc8_ap.csv").values.mean(axis=0).round(12))
    first, last = np.searchsorted(means, means) + 1, np.searchsorted(means, means, side="right")
    assert (found["low"] <= first).all()
    assert (found["high"] >= last).all()
    assert ((found["may_be_best"] == 1) == (found["low"] == 1)).all()
    assert found["expected_ranks"].sum() == pytest.approx(129 * 130 / 2, abs=1e-3)
    assert found["may_be_best"][0] == 1
