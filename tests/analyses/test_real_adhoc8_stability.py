"""Stability of TREC ad hoc 8 (AP, 129 runs, 50 topics): regression values, our own; see make_adhoc8_values.py."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from toprung.data.formats.matrix_files import read_scores

REFERENCE = Path(__file__).parents[1] / "reference"


@pytest.fixture(scope="module")
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_adhoc8_values", REFERENCE / "make_adhoc8_values.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_ranks_shares_and_intervals_are_those_recorded(shared_data: Path, script: ModuleType) -> None:
    recorded = json.loads((REFERENCE / "adhoc8_stability.json").read_text())
    found = script.values_of(shared_data / "score-matrices")
    assert found.keys() == recorded.keys()
    for name in ("expected_ranks", "shares_of_the_first_five"):
        np.testing.assert_allclose(found[name], recorded[name], atol=2e-6, err_msg=name)
    for name in recorded.keys() - {"expected_ranks", "shares_of_the_first_five"}:
        # A pair near the critical value may fall to the other side on a machine that sums in another order.
        assert np.count_nonzero(np.array(found[name]) != np.array(recorded[name])) <= 2, name


def test_what_is_recorded_is_coherent(shared_data: Path) -> None:
    recorded = {
        name: np.array(value) for name, value in json.loads((REFERENCE / "adhoc8_stability.json").read_text()).items()
    }
    means = np.sort(-read_scores(shared_data / "score-matrices" / "adhoc8_ap.csv").values.mean(axis=0).round(12))
    first, last = np.searchsorted(means, means) + 1, np.searchsorted(means, means, side="right")
    assert (recorded["low"] <= first).all()
    assert (recorded["high"] >= last).all()
    assert (recorded["marginal_low"] >= recorded["low"]).all()
    assert (recorded["marginal_high"] <= recorded["high"]).all()
    assert recorded["expected_ranks"].sum() == pytest.approx(129 * 130 / 2, abs=1e-3)
    assert recorded["may_be_best"][0] == 1
