from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.stats.kernels import needs_kernel, without_kernel

from toprung.stats.models.chosen_rows import choose_rows, sum_chosen


def test_every_choice_is_as_likely() -> None:
    n_deals = 12_000
    chosen = Counter(tuple(sorted(each)) for each in choose_rows(5, 2, n_deals, np.random.default_rng(1)).tolist())
    assert len(chosen) == math.comb(5, 2)
    expected = n_deals / math.comb(5, 2)
    chi_squared = sum((seen - expected) ** 2 / expected for seen in chosen.values())
    assert chi_squared < 27.9  # of nine degrees of freedom, at 0.001


def test_chunks_of_deals_draw_the_same() -> None:
    rng = np.random.default_rng(3)
    parts = [choose_rows(30, 7, size, rng) for size in (1, 4, 2)]
    assert np.array_equal(np.concatenate(parts), choose_rows(30, 7, 7, np.random.default_rng(3)))


@needs_kernel
@given(
    sizes=st.integers(1, 40).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n))),
    deals=st.integers(0, 9),
    seed=st.integers(0, 50),
)
def test_the_kernel_chooses_as_numpy_does(sizes: tuple[int, int], deals: int, seed: int) -> None:
    n, count = sizes
    found = choose_rows(n, count, deals, np.random.default_rng(seed))
    assert all(len(set(each)) == count for each in found.tolist())
    assert found.size == 0 or (found.min() >= 0 and found.max() < n)
    assert np.array_equal(found, without_kernel(lambda: choose_rows(n, count, deals, np.random.default_rng(seed))))


@needs_kernel
@given(
    sizes=st.integers(1, 30).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n))),
    columns=st.integers(0, 20),
    seed=st.integers(0, 50),
)
def test_rows_add_up_as_by_numpy(sizes: tuple[int, int], columns: int, seed: int) -> None:
    n, count = sizes
    rng = np.random.default_rng(seed)
    rows, values = choose_rows(n, count, 4, rng), rng.normal(size=(n, columns))
    by_hand = np.array([values[each].sum(axis=0) for each in rows])
    assert sum_chosen(rows, values) == pytest.approx(by_hand, abs=1e-12)
    assert without_kernel(lambda: sum_chosen(rows, values)) == pytest.approx(by_hand, abs=1e-12)
