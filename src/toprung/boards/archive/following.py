"""How far is it? What reads or writes a bundle tells the name of each member done, and how many there are."""

from __future__ import annotations

from collections.abc import Callable

type OnProgress = Callable[[str, int], None]


def tell_nobody(_name: str, _total: int) -> None:
    """For who does not ask."""
