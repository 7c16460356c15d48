"""What the tests of reports share: runs with awkward names, and a board small enough to check by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import toprung as tr
from toprung.result import Result, Table

if TYPE_CHECKING:
    import polars as pl

AWKWARD_NAMES = [
    "<script>alert(1)</script>",
    "a|b",
    "a_b%",
    'comma, "quote"',
    "&amp; \\ & ~ ^ # $ { }",
    "עברית",  # right to left
    "🏆 first",
    "[bracket]",
]


@pytest.fixture(params=AWKWARD_NAMES)
def awkward(request: pytest.FixtureRequest) -> str:
    """A run's name that some format could stumble over."""
    return str(request.param)


@pytest.fixture
def evaluation(awkward: str) -> tr.Evaluation:
    """Two runs: RR 1 and 1/3 of the awkward one over q1 and q2; 0 of the other. Both have notes."""
    labels = {"q1": {"a": 1}, "q2": {"a": 1}, "q3": {"a": 0}}
    runs = {
        awkward: {"q1": {"a": 1.0}, "q2": {"x": 3.0, "y": 2.0, "a": 1.0}, "unknown": {"a": 1.0}},
        "plain": {"q1": {"x": 1.0}},
    }
    return tr.evaluate(labels, runs, ["RR", "ESL", "NumRet"])


class TwoTables(Result):
    """A result of two tables, the second with a heading, and a provenance that has parts."""

    sentence = "So it is."
    table = Table(header=("run",), rows=(("a",),))
    notes = ("Mind that.",)

    @property
    def tables(self) -> tuple[tuple[str, Table], ...]:
        return (("", self.table), ("On <b>", Table(header=("team", "n"), rows=(("T", "2"),), numeric=frozenset({1}))))

    @property
    def provenance(self) -> dict[str, object]:
        sets = [{"name": "x", "n_queries": 3}, {"name": "<y>", "n_queries": 4}, {"name": "", "n_queries": 5}]
        return {"private_sets": sets, "seed": 0}

    def to_frame(self) -> pl.DataFrame:
        raise AssertionError("nobody asks for this here")

    def to_dict(self) -> dict[str, Any]:
        raise AssertionError("nobody asks for this here")


@pytest.fixture
def two_tables() -> Result:
    return TwoTables()


@pytest.fixture(scope="session")
def sure_late_never() -> tr.FirstRanks:
    """Forty queries: ``sure`` answers all of them first, ``late`` all of them second, ``never`` none."""
    ranks = np.tile(np.array([[1, 2, 0]], dtype=np.int32), (40, 1))
    query_ids = tuple(f"q{number}" for number in range(40))
    return tr.FirstRanks(query_ids=query_ids, runs=("sure", "late", "never"), values=ranks, cutoff=10)
