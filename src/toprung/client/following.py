"""When is it done? Asked again and again, less often the longer it takes, and not for ever."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from toprung.client.connection import Connection
from toprung.client.record import Record
from toprung.errors import InputError

FIRST_WAIT, LONGEST_WAIT, GROWTH = 0.3, 10.0, 1.4


class StillGoingError(InputError):
    """The time is up, and it goes on without us."""


@dataclass(frozen=True, kw_only=True)
class Following:
    """Looks at something on the server until it stays as it is."""

    connection: Connection
    timeout: float
    """Seconds in all."""
    on_change: Callable[[Record], None]
    """Told of the first look, and whenever the state is another."""
    clock: Callable[[], float] = time.monotonic

    def follow(self, path: str, is_over: Callable[[Record], bool]) -> Record:
        end, wait, shown = self.clock() + self.timeout, FIRST_WAIT, ("", False)
        while True:
            found = self.connection.ask(path)
            state = found.text("state"), found.claim("is_behind")
            if state != shown:
                self.on_change(found)
                shown, wait = state, FIRST_WAIT
            if is_over(found):
                return found
            left = end - self.clock()
            if left <= 0:
                raise StillGoingError(
                    f"Found it {state[0]} after {self.timeout:g} seconds; expected an end. It goes on."
                )
            self.connection.sleep(min(wait * self.connection.rng.uniform(0.8, 1.0), left))
            wait = min(LONGEST_WAIT, wait * GROWTH)
