"""How are the scores of a board released? Each run's as it is shown, and how fine any other may be."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from toprung.boards.release import Release


@dataclass(frozen=True, eq=False, kw_only=True)
class BoardRelease:
    """What everyone may know of scores: what ``in_public`` of an analysis rounds to."""

    way: Release
    shown_scores: Mapping[str, float] = field(default_factory=dict)
    """Of every run that is released, by its name."""

    @property
    def decimals(self) -> int:
        """What a score is written with."""
        return self.way.decimals

    @property
    def grid(self) -> float:
        """The step between two scores that can be shown."""
        return self.way.grid
