"""How are an interval and the outcomes of a pair drawn in a row? As SVG in percent, which stretches with its cell."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median

from toprung.boards.row import OutcomeShares
from toprung.report.charts.svg.scales import LEAST_SPAN, ends_around
from toprung.report.page.words import plain
from toprung.words.wording import show_confidence, show_interval, show_number, show_share

INTERVALS_ON_AXIS = 4
"""So many intervals below the first run an axis ends: longer, and none of them could be read."""
DIFFERENCES_ON_AXIS = 12
"""The same of differences, whose figures stand beside: all but those far away are drawn."""
MOST_TICKS = 4
THE_OTHER = "the other run"
OUTCOME_WORDS = (
    ("only_this", "o1", "only this run found it"),
    ("better", "o2", "both, this run higher"),
    ("same", "o3", "both, same rank"),
    ("neither", "o4", "neither"),
    ("worse", "o5", f"both, {THE_OTHER} higher"),
    ("only_top", "o6", f"only {THE_OTHER} found it"),
)
"""In the order they are drawn: what this run does better from the left, what the other does from the right."""


@dataclass(frozen=True, kw_only=True)
class Interval:
    """A score with its interval, to be drawn."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, kw_only=True)
class Axis:
    """The scale that all intervals of a board share."""

    low: float
    high: float
    ticks: tuple[float, ...]
    decimals: int
    top: float
    """The highest score."""
    confidence: float

    @classmethod
    def of(
        cls, intervals: Sequence[Interval], *, top: Interval, confidence: float, n_intervals: int = INTERVALS_ON_AXIS
    ) -> Axis:
        """Around the first run, as far as the others reach; those too far away are only pointed at."""
        reach = n_intervals * median(each.high - each.low for each in intervals)
        reach = reach if reach > LEAST_SPAN else math.inf
        near = [each for each in intervals if abs(each.value - top.value) <= reach]
        low, high = ends_around((end for each in near for end in (each.low, each.high)), 0.04)
        step = _tick_step(high - low)
        first, last = math.ceil(low / step), math.floor(high / step)
        return cls(
            low=low,
            high=high,
            ticks=tuple(number * step for number in range(first, last + 1)),
            decimals=max(0, -math.floor(math.log10(step))),
            top=top.value,
            confidence=confidence,
        )

    def at(self, value: float) -> float:
        """Where a value stands, in percent."""
        return round(100 * (value - self.low) / (self.high - self.low), 1)

    def holds(self, interval: Interval) -> bool:
        """Whether it is drawn, and not only pointed at."""
        return self.low <= interval.value <= self.high


def _tick_step(length: float) -> float:
    """A round step that leaves no more than MOST_TICKS on the axis."""
    wanted = length / MOST_TICKS
    power = 10.0 ** math.floor(math.log10(wanted))
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= wanted)


def draw_axis(axis: Axis) -> str:
    """The numbers of the scale, for the head of its column."""
    numbers = "".join(
        f'<text class="t" x="{axis.at(tick):g}%" y="12" text-anchor="middle">{show_number(tick, axis.decimals)}</text>'
        for tick in axis.ticks
    )
    return f'<svg class="cibar" height="14" aria-hidden="true">{numbers}</svg>'


def draw_interval(interval: Interval, axis: Axis, *, is_top: bool, decimals: int) -> str:
    """The bar is the interval, the tick the score, the dashed line the highest score; no line where words stand.

    It is called by what it shows, with as many decimals as stand beside it.
    """
    said = f"{show_confidence(axis.confidence)} interval {show_interval(interval.low, interval.high, decimals)}"
    lines = "".join(_upright("gr", axis.at(tick)) for tick in axis.ticks)
    top = _upright("s-top dashed", axis.at(axis.top)) if axis.holds(interval) else ""
    return (
        f'<svg class="cibar" role="img" aria-label="{plain(said)}">{lines}{top}'
        f"{''.join(_draw_mark(interval, axis, is_top=is_top))}</svg>"
    )


def _draw_mark(interval: Interval, axis: Axis, *, is_top: bool) -> Iterator[str]:
    if not axis.holds(interval):
        yield from _point_beyond(interval, axis)
        return
    start, end = max(0.0, axis.at(interval.low)), min(100.0, axis.at(interval.high))
    place = axis.at(interval.value)
    bar, tick = ("cib istop", "s-top tick") if is_top else ("cib", "s-ink tick")
    yield f'<rect class="{bar}" x="{start:g}%" width="{end - start:.1f}%" y="6.5" height="7"/>'
    yield f'<line class="{tick}" x1="{place:g}%" x2="{place:g}%" y1="3" y2="17"/>'


def _point_beyond(found: Interval, axis: Axis) -> Iterator[str]:
    """Where a value lies that is not on the scale."""
    if found.value < axis.low:
        yield '<svg x="0"><path class="mk" d="M0 10l8-4.5v9z"/></svg>'
        yield '<text class="t halo" x="13" y="14">below scale</text>'
    else:
        yield '<svg x="100%"><path class="mk" d="M0 10l-8-4.5v9z"/></svg>'
        yield '<text class="t halo" x="100%" dx="-13" y="14" text-anchor="end">above scale</text>'


def _upright(classes: str, place: float) -> str:
    return f'<line class="{classes}" x1="{place:g}%" x2="{place:g}%" y1="-16" y2="36"/>'


def difference_axis(differences: Sequence[Interval]) -> Axis:
    """A scale for differences, with zero on it; those too far away are only pointed at."""
    zero = Interval(value=0.0, low=0.0, high=0.0)
    return Axis.of([*differences, zero], top=zero, confidence=0.95, n_intervals=DIFFERENCES_ON_AXIS)


def draw_difference(difference: Interval, axis: Axis, said: str) -> str:
    """A difference with its interval, against zero."""
    zero = axis.at(0.0)
    return (
        f'<svg class="cibar" role="img" aria-label="{plain(said)}">'
        f'<line class="ctl" x1="{zero:g}%" x2="{zero:g}%" y1="-16" y2="36"/>'
        f"{''.join(_draw_span(difference, axis))}</svg>"
    )


def _draw_span(found: Interval, axis: Axis) -> Iterator[str]:
    if not axis.holds(found):
        yield from _point_beyond(found, axis)
        return
    start, end = max(0.0, axis.at(found.low)), min(100.0, axis.at(found.high))
    yield f'<line class="s-ink span" x1="{start:g}%" x2="{end:g}%" y1="10" y2="10"/>'
    yield f'<circle class="ink" cx="{axis.at(found.value):g}%" cy="10" r="2.5"/>'


def draw_outcomes(shares: OutcomeShares, other: str) -> str:
    """The six outcomes from the view of a run; drawn from the rounded shares, so that bar and numbers agree."""
    widths = [round(100 * getattr(shares, name), 1) for name, _, _ in OUTCOME_WORDS]
    starts = [round(sum(widths[:number]), 1) for number in range(len(widths))]
    parts = "".join(
        f'<rect class="{colour}" x="{start:g}%" width="{width:g}%" height="100%"/>'
        for (_, colour, _), start, width in zip(OUTCOME_WORDS, starts, widths, strict=True)
        if width
    )
    gaps = "".join(
        f'<line class="gap" x1="{start:g}%" x2="{start:g}%" y1="0" y2="100%"/>' for start in sorted({*starts[1:]})
    )
    return f'<svg class="obar" role="img" aria-label="{plain(_say_outcomes(shares, other))}">{parts}{gaps}</svg>'


def _say_outcomes(shares: OutcomeShares, other: str) -> str:
    return (
        f"Against {other}: only this run found it {show_share(shares.only_this)}, both found it and this run higher "
        f"{show_share(shares.better)}, same rank {show_share(shares.same)}, neither found it "
        f"{show_share(shares.neither)}, both found it and {other} higher {show_share(shares.worse)}, only {other} "
        f"found it {show_share(shares.only_top)}"
    )


def name_outcomes(other: str) -> list[tuple[str, str, str]]:
    """Each outcome with its colour and what it means, in the order they are drawn; ``other``: what that run is called.

    >>> name_outcomes("bm25")[-1]
    ('only_top', 'o6', 'only bm25 found it')
    """
    return [(name, colour, meaning.replace(THE_OTHER, other)) for name, colour, meaning in OUTCOME_WORDS]


def write_legend(other: str = THE_OTHER) -> str:
    """What the colours of the outcome bars mean."""
    parts = "".join(
        f'<span><svg width="11" height="11" aria-hidden="true"><rect class="{colour}" width="11" height="11"/></svg>'
        f"{plain(meaning)}</span>"
        for _, colour, meaning in name_outcomes(other)
    )
    return f'<p class="legend"><span class="lead">Share of queries where</span>{parts}</p>\n'
