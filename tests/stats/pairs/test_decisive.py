"""How few queries carry a mean difference: by hand, and against trying every number of them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from toprung.stats.pairs.decisive import count_half, count_lead, weigh

GRID = arrays(np.float64, st.integers(1, 30), elements=st.integers(-8, 8).map(float))


def test_weights_are_shares_of_all_differences() -> None:
    assert weigh(np.array([0.5, -0.3, 0.0, 0.2, 1e-12])).tolist() == pytest.approx([0.5, 0.3, 0, 0.2, 0])
    assert weigh(np.zeros(2)).tolist() == [0, 0]


@pytest.mark.parametrize(
    ("differences", "half", "lead"),
    [
        ([0.5, -0.3, 0.2], 1, 1),  # 0.5 of 1.0; without it −0.1
        ([0.4, 0.3, 0.2, 0.1, -0.1], 2, 3),  # 0.7 of 1.1; 0.9 less 0.4, 0.3, 0.2 is 0
        ([-0.4, -0.3, -0.2, -0.1, 0.1], 2, 3),
        ([0.1] * 10, 5, 10),
        ([0.1, -0.1], 1, 0),
        ([0.0, 0.0], 0, 0),
    ],
)
def test_by_hand(differences: list[float], half: int, lead: int) -> None:
    assert (count_half(np.array(differences)), count_lead(np.array(differences))) == (half, lead)


@given(GRID)
def test_no_fewer_would_do(differences: np.ndarray) -> None:
    """Whole numbers, so that sums are exact: every smaller number of queries is tried."""
    sizes = sorted(np.abs(differences), reverse=True)
    tried = [k for k in range(len(sizes) + 1) if 2 * sum(sizes[:k]) >= sum(sizes)]
    assert count_half(differences) == tried[0]
    total = differences.sum()
    favouring = sorted(np.sign(total) * differences, reverse=True)
    left = [k for k in range(len(sizes) + 1) if abs(total) - sum(favouring[:k]) <= 0]
    assert count_lead(differences) == left[0]
