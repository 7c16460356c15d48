"""Where are the pools kept?"""

from __future__ import annotations

from pathlib import Path

import pytest

from toprung.errors import FormatError, InputError
from toprung.labels.effort.effort import Effort
from toprung.labels.pools.pool import Pool
from toprung.labels.pools.store import add_pools, read_pools, start_pools

ONE = Pool(query_id="q1", items=("a", "b"), sources={"a": ("run",), "b": ("qrel",)}, label="b")
TWO = Pool(query_id="q2", items=("a",), same_text={"z": "a"})
GROWN = Pool(query_id="q1", items=("a", "b", "c"), label="b")


@pytest.fixture
def effort(tmp_path: Path) -> Effort:
    return Effort.open_or_create(tmp_path / "effort")


def test_pools_come_back_in_the_order_of_their_queries(effort: Effort) -> None:
    assert read_pools(effort) == []
    assert start_pools(effort, [TWO, ONE], {"depth": 1}) == 2
    assert read_pools(effort) == [ONE, TWO]
    assert effort.manifest["depth"] == 1


def test_the_newest_pool_of_a_query_counts(effort: Effort) -> None:
    add_pools(effort, [ONE, TWO])
    assert add_pools(effort, [GROWN, TWO]) == 1
    assert read_pools(effort) == [GROWN, TWO]
    assert len(effort.read("pools")) == 3


def test_the_same_pools_again_are_nothing_new_and_others_are_refused(effort: Effort) -> None:
    start_pools(effort, [ONE, TWO], {})
    assert start_pools(effort, [TWO, ONE], {}) == 0
    with pytest.raises(InputError, match="found other pools, of 2 queries; expected none, or the same"):
        start_pools(effort, [ONE], {})


def test_a_record_that_is_no_pool_is_named_by_its_line(effort: Effort) -> None:
    add_pools(effort, [ONE])
    effort.append("pools", [{"query_id": "q"}])
    with pytest.raises(FormatError, match=r"pools\.jsonl, line 2"):
        read_pools(effort)


@pytest.mark.parametrize(
    "changes",
    [
        {"query_id": 5},
        {"items": "ab"},
        {"items": []},
        {"items": ["a", 5]},
        {"sources": 3},
        {"sources": {"a": 3}},
        {"sources": {"x": ["run"]}},
        {"label": ["b"]},
        {"same_text": 3},
        {"same_text": {"z": "x"}},
    ],
)
def test_a_pool_that_was_edited_by_hand_is_named_by_its_line(effort: Effort, changes: dict[str, object]) -> None:
    add_pools(effort, [TWO])
    effort.append("pools", [ONE.to_record() | changes])
    with pytest.raises(FormatError, match=r"pools\.jsonl, line 2"):
        read_pools(effort)
