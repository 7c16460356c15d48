"""Which harm is small enough to bear? Margins that grow with the noise of the queries, or are fixed by a board."""

from __future__ import annotations

from dataclasses import dataclass

from toprung.errors import InputError


@dataclass(frozen=True, kw_only=True)
class Margins:
    """The most that a run may lose in each part; None for the usual margin of so many queries.

    >>> Margins(answered=0.02).ranking is None
    True
    """

    answered: float | None = None
    ranking: float | None = None

    def __post_init__(self) -> None:
        for name in ("answered", "ranking"):
            value = getattr(self, name)
            if value is not None and not 0 < value <= 1:
                raise InputError(f"margin of {name}: found {value:g}; expected more than 0, up to 1.")


USUAL_MARGINS = Margins()
