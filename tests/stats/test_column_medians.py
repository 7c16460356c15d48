"""The medians of the columns of a matrix, by the compiled kernel: those of NumPy, to the bit."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from tests.stats.kernels import needs_kernel

from toprung.stats.kernel.compiled import kernel

pytestmark = needs_kernel


def columns_of(kind: str, shape: tuple[int, int], rng: np.random.Generator) -> NDArray[np.float32]:
    if kind == "tied":
        return rng.choice(np.array([0.0, 1.0, 2.0, np.inf], dtype=np.float32), shape)
    if kind == "near":  # about 296, and alike in all but the last bits
        return (0x43940000 + rng.integers(0, 4_096, shape)).astype(np.uint32).view(np.float32)
    return rng.integers(0, 0x7F800000, shape).astype(np.uint32).view(np.float32)  # all sizes


@given(
    kind=st.sampled_from(["tied", "near", "any"]),
    shape=st.tuples(st.integers(1, 40), st.integers(1, 35)),
    seed=st.integers(0, 1_000),
)
def test_medians_of_columns_are_those_of_numpy(kind: str, shape: tuple[int, int], seed: int) -> None:
    rng = np.random.default_rng(seed)
    values, chosen = columns_of(kind, shape, rng), rng.random(shape[0]) < 0.7
    chosen[0] = True
    found = np.empty(shape[1], dtype=np.float32)
    assert kernel.column_medians(values, chosen, found)
    with np.errstate(over="ignore"):
        np.testing.assert_array_equal(found, np.median(values[chosen], axis=0))


@pytest.mark.parametrize("kind", ["tied", "near", "any", "ordered", "odd ones first"])
@pytest.mark.parametrize("n_rows", [2_050, 4_001])
def test_medians_of_long_columns_are_those_of_numpy(kind: str, n_rows: int) -> None:
    """Which a sample of the rows tells about; where it misleads, as in the last kinds, bits are counted."""
    rng = np.random.default_rng(n_rows)
    values = columns_of("any" if kind not in {"tied", "near"} else kind, (n_rows, 260), rng)
    if kind == "ordered":
        values = np.sort(values, axis=0)
    if kind == "odd ones first":  # every other row of the sample is far from the median of all
        values[:: n_rows // 1_024] = 0
    found = np.empty(260, dtype=np.float32)
    chosen = np.ones(n_rows, dtype=bool)
    assert kernel.column_medians(values, chosen, found)
    with np.errstate(over="ignore"):
        np.testing.assert_array_equal(found, np.median(values, axis=0))


def test_columns_without_an_order_of_bits_are_left_to_numpy() -> None:
    found = np.empty(2, dtype=np.float32)
    for value in (-1.0, -0.0, np.nan):
        values = np.array([[1.0, 2.0], [3.0, value]], dtype=np.float32)
        assert not kernel.column_medians(values, np.ones(2, dtype=bool), found)
        assert kernel.column_medians(values, np.array([True, False]), found)
    assert not kernel.column_medians(values, np.zeros(2, dtype=bool), found)
