"""Are matrix products held to one thread, and is all as before afterwards?"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from numpy.typing import NDArray
from threadpoolctl import ThreadpoolController

from toprung.stats import products
from toprung.stats.products import multiply


def threads() -> set[int]:
    return {each["num_threads"] for each in ThreadpoolController().info() if each["user_api"] == "blas"}


@pytest.fixture(autouse=True)
def two_threads() -> Iterator[None]:
    with ThreadpoolController().limit(limits=2, user_api="blas"):
        yield


def test_a_product_has_one_thread_and_then_there_are_as_many_as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []

    def watched(a: NDArray[np.float64], b: NDArray[np.float64], out: None) -> NDArray[np.float64]:
        seen.append(threads())
        return a @ b

    monkeypatch.setattr(products.np, "matmul", watched)
    multiply(np.ones((3, 3)), np.ones((3, 3)))
    assert seen == [{1}]
    assert threads() == {2}


def test_an_error_leaves_all_as_before() -> None:
    with pytest.raises(ValueError, match="matmul"):
        multiply(np.ones((2, 3)), np.ones((2, 3)))
    assert threads() == {2}


def test_the_product_is_that_of_numpy() -> None:
    a, b = np.random.default_rng(0).random((2, 30, 30))
    out = np.empty((30, 30))
    assert multiply(a, b, out=out) is out
    np.testing.assert_allclose(out, a @ b, rtol=1e-13)
