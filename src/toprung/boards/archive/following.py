"""How far is it? What reads or writes an archive tells how many bytes are done so far."""

from __future__ import annotations

from collections.abc import Callable

type Tell = Callable[[int], None]


def tell_nobody(_done: int) -> None:
    """For who does not ask."""
