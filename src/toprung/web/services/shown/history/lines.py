"""How are claims drawn on a phone? One line each on a shared axis: the holder of the day, and the run that claimed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from toprung.report.page.bars import Axis, Interval
from toprung.web.services.shown.history.ledger import LedgerEntry
from toprung.words.wording import show_number

CONFIDENCE = 0.95


@dataclass(frozen=True, kw_only=True)
class AxisTick:
    """A number of the axis, and where it stands in percent."""

    at: float
    words: str


@dataclass(frozen=True, kw_only=True)
class ClaimLine:
    """A claim with the two scores it is about."""

    entry: LedgerEntry
    score: str
    holder_score: str
    at: float
    holder_at: float

    @property
    def left(self) -> float:
        return min(self.at, self.holder_at)

    @property
    def right(self) -> float:
        return max(self.at, self.holder_at)


@dataclass(frozen=True, kw_only=True)
class ClaimLines:
    """All of them, the latest first."""

    ticks: Sequence[AxisTick]
    lines: Sequence[ClaimLine]


def draw_lines(entries: Sequence[LedgerEntry], content: Mapping[str, Any]) -> ClaimLines:
    """Those whose scores the timeline has: a run that was withdrawn since has none."""
    scores, decimals = {each["run"]: each["score"] for each in content["marks"]}, content["decimals"]
    shown = [each for each in entries if each.is_shown and each.run in scores and each.against in scores]
    if not shown:
        return ClaimLines(ticks=(), lines=())
    axis = _axis_of([scores[label] for each in shown for label in (each.run, each.against)])
    lines = [
        ClaimLine(
            entry=each,
            score=show_number(scores[each.run], decimals),
            holder_score=show_number(scores[each.against], decimals),
            at=axis.at(scores[each.run]),
            holder_at=axis.at(scores[each.against]),
        )
        for each in shown
    ]
    ticks = [AxisTick(at=axis.at(tick), words=show_number(tick, axis.decimals)) for tick in axis.ticks]
    return ClaimLines(ticks=ticks, lines=lines)


def _axis_of(scores: Sequence[float]) -> Axis:
    marks = [Interval(value=score, low=score, high=score) for score in scores]
    return Axis.of(marks, top=max(marks, key=lambda each: each.value), confidence=CONFIDENCE)
