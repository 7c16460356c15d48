"""How did the run do against the highest score, query by query? The outcome bar with its shares, as stored."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.utils.safestring import SafeString, mark_safe

from toprung.boards.row import OutcomeShares
from toprung.report.page.bars import draw_outcomes, name_outcomes
from toprung.web.core.models.runs import Submission
from toprung.words.wording import show_share


@dataclass(frozen=True, kw_only=True)
class BarPart:
    """One outcome."""

    colour: str
    meaning: str
    share: str


@dataclass(frozen=True, kw_only=True)
class OutcomeBar:
    """The bar, what stands at its ends, and its parts."""

    other: str
    """The run with the highest score."""
    wins: str
    losses: str
    bar: SafeString
    shares: list[BarPart]


def outcomes_of(standing: dict[str, Any] | None, highest: Submission | None, called: str) -> OutcomeBar | None:
    """From a row of the board; None where there is nothing to compare. ``called``: the name of the other run."""
    if standing is None or highest is None or standing.get("outcomes") is None:
        return None
    shares = OutcomeShares(**standing["outcomes"])
    return OutcomeBar(
        other=called,
        wins=show_share(shares.wins),
        losses=show_share(shares.losses),
        bar=mark_safe(draw_outcomes(shares, called)),  # noqa: S308 - our own markup around labels
        shares=[
            BarPart(colour=colour, meaning=meaning, share=show_share(getattr(shares, name)))
            for name, colour, meaning in name_outcomes(called)
        ],
    )
