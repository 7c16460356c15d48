"""How fast, and when again? A rate limit, and waits between tries that grow and are spread by chance."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from threading import Lock


@dataclass(frozen=True, kw_only=True)
class Backoff:
    """How long to wait before the next try: twice as long each time, of which up to half is left to chance."""

    tries: int = 6
    first_seconds: float = 1.0
    most_seconds: float = 60.0

    def wait_after(self, failed: int, rng: random.Random) -> float:
        """Seconds to wait after so many failed tries (from 1); chance keeps many clients from coming back at once."""
        longest = min(self.most_seconds, self.first_seconds * 2.0 ** (failed - 1))
        return longest * rng.uniform(0.5, 1.0)


@dataclass(kw_only=True)
class RateLimit:
    """At most so many requests a minute, evenly spread, whichever thread makes them."""

    per_minute: float | None = None
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    _next: float = field(default=0.0, init=False)
    _lock: Lock = field(default_factory=Lock, init=False, repr=False)

    def wait(self) -> None:
        """Return when the next request may start."""
        if self.per_minute is None:
            return
        with self._lock:
            now = self.clock()
            start = max(now, self._next)
            self._next = start + 60.0 / self.per_minute
        if start > now:
            self.sleep(start - now)


def read_retry_after(value: str | None, *, now: datetime | None = None) -> float | None:
    """Seconds that a Retry-After header asks for, given as a number or as a date; None if it says neither.

    >>> read_retry_after("7"), read_retry_after("soon"), read_retry_after(None)
    (7.0, None, None)
    """
    if value is None:
        return None
    try:
        seconds = float(value)
    except ValueError:
        try:
            until = parsedate_to_datetime(value)
        except ValueError:
            return None
        until = until if until.tzinfo else until.replace(tzinfo=UTC)
        seconds = (until - (now or datetime.now(UTC))).total_seconds()
    return max(0.0, seconds) if seconds == seconds else None  # noqa: PLR0124 - NaN
