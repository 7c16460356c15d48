"""An evaluation of runs with awkward names, for the tests of reports."""

from __future__ import annotations

import pytest

import toprung as tr

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
