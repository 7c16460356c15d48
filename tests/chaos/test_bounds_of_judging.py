"""Do the benchmarks of judging fail where people wait longer than asked for?"""

from __future__ import annotations

import pytest
from benchmarks.judging import find_slow
from benchmarks.judging_client import Told
from benchmarks.judging_screen import say

HELD = {"first": [1_400.0], "next": [40.0], "bytes": [27_000.0], "way": [58.0]}


def test_a_server_that_is_slow_in_the_95th_of_a_hundred_is_at_fault() -> None:
    fast = Told(answers=[0.01] * 96 + [9.0] * 4, offers=[0.2] * 10)
    assert list(find_slow(fast)) == []
    slow = Told(answers=[0.01] * 90 + [0.4] * 10, offers=[0.3] * 10)
    assert list(find_slow(slow)) == [
        "answer p95: 400 ms; expected at most 150",
        "offer p95: 300 ms; expected at most 250",
    ]
    assert list(find_slow(Told())) == []


@pytest.mark.parametrize("what", HELD)
def test_a_screen_that_is_slow_in_the_median_is_at_fault(what: str) -> None:
    assert say(HELD) == 0
    most = {"first": 1_500, "next": 50, "bytes": 40_000, "way": 60}[what]
    assert say(HELD | {what: [1.0, most + 1.0, most + 2.0]}) == 1, "one that was fast makes up for nothing"
    assert say(HELD | {what: [1.0, most - 1.0, 2.0 * most]}) == 0
