"""How fast, and when again?"""

from __future__ import annotations

import random
from datetime import UTC, datetime

import pytest

from toprung.net.pace import Backoff, RateLimit, read_retry_after


def test_waits_double_up_to_a_limit_and_chance_takes_up_to_half() -> None:
    backoff, rng = Backoff(first_seconds=1, most_seconds=10), random.Random(1)
    for failed, longest in ((1, 1), (2, 2), (3, 4), (4, 8), (5, 10), (50, 10)):
        waits = [backoff.wait_after(failed, rng) for _ in range(200)]
        assert longest / 2 <= min(waits) < max(waits) <= longest
        assert max(waits) - min(waits) > longest / 4


def test_requests_are_spread_evenly_over_the_minute() -> None:
    now, slept = [0.0], list[float]()
    limit = RateLimit(per_minute=60, clock=lambda: now[0], sleep=slept.append)
    limit.wait()
    assert slept == []
    limit.wait()
    limit.wait()
    assert slept == [1.0, 2.0]  # the clock stands still: each waits for its own second
    now[0] = 100.0
    limit.wait()
    assert slept == [1.0, 2.0]


def test_without_a_limit_nobody_waits() -> None:
    RateLimit(sleep=lambda _: pytest.fail("waited")).wait()


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("0", 0.0),
        ("2.5", 2.5),
        ("-4", 0.0),
        ("Thu, 01 Jan 2026 12:00:30 GMT", 30.0),
        ("Thu, 01 Jan 2026 11:00:00 GMT", 0.0),
        ("Thu, 01 Jan 2026 12:00:30 -0000", 30.0),  # of no time zone that it tells, and UTC all the same
        ("Thu, 01 Jan 2026 13:00:30 +0100", 30.0),
        ("nan", None),
        ("soon", None),
        ("", None),
        (None, None),
    ],
)
def test_retry_after_is_a_number_or_a_date(value: str | None, seconds: float | None) -> None:
    assert read_retry_after(value, now=datetime(2026, 1, 1, 12, tzinfo=UTC)) == seconds
