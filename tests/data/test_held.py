"""Numbers held as buffers are arrays to whoever looks at them."""

from __future__ import annotations

import pickle
from array import array
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from toprung.data.held import DOUBLE, INT32, INT64, buffer_of, hold, holds_arrays, is_of_kind
from toprung.records import record

if TYPE_CHECKING:
    from numpy.typing import NDArray


@holds_arrays(ranks=INT32, starts=INT64)
@record
class Held:
    ranks: NDArray[np.int32]
    starts: NDArray[np.int64] | None = None


@pytest.fixture
def held() -> Held:
    return Held(hold(INT32, [3, 1]), hold(INT64, []))


def test_numbers_are_seen_as_an_array_of_the_same_memory(held: Held) -> None:
    buffer = buffer_of(held, "ranks")
    assert isinstance(buffer, array)
    assert held.ranks.dtype == np.int32
    buffer[0] = 7
    assert held.ranks.tolist() == [7, 1]


def test_no_numbers_are_an_empty_array(held: Held) -> None:
    assert held.starts is not None
    assert held.starts.dtype == np.int64
    assert len(held.starts) == 0


def test_none_stays_none() -> None:
    assert Held(hold(INT32, [1])).starts is None


@pytest.mark.parametrize("given", [hold(INT32, [1]), np.array([1], dtype=np.int32)], ids=["buffer", "array"])
def test_what_is_seen_cannot_be_written(given: NDArray[np.int32]) -> None:
    with pytest.raises(ValueError, match="read-only"):
        Held(given).ranks[0] = 2


@pytest.mark.parametrize("looked_at", [False, True])
def test_what_is_held_can_be_sent_to_another_process(held: Held, looked_at: bool) -> None:
    if looked_at:
        assert len(held.ranks) == 2
    assert pickle.loads(pickle.dumps(held)).ranks.tolist() == [3, 1]


@pytest.mark.parametrize(
    ("buffer", "kind", "is_such"),
    [
        (array("i", [1]), INT32, True),
        (np.array([1], dtype=np.int32), INT32, True),
        (np.array([1], dtype=np.int64), INT64, True),
        (np.array([1.0]), DOUBLE, True),
        (np.array([1], dtype=np.int64), INT32, False),
        (np.array([1], dtype=np.uint32), INT32, False),
        (np.array([1], dtype=">i4"), INT32, False),
        (np.array([[1]], dtype=np.int32), INT32, False),
        (np.array([1, 2, 3], dtype=np.int32)[::2], INT32, False),
        (array("d", [1]), INT64, False),
    ],
)
def test_what_a_buffer_holds_is_told_whoever_made_it(buffer: Any, kind: str, is_such: bool) -> None:
    assert is_of_kind(buffer, kind) is is_such
