"""How does the smallest gain grow with the claims? Lines in the units of one drawing, for its template."""

from __future__ import annotations

import math
from dataclasses import dataclass

from toprung.stats.sequences.online import DEFAULT_GAMMA, PlannedGamma, spell_gamma
from toprung.web.services.boards.preview import Preview

LAST = 60
"""The last claim that is drawn, unless more are expected."""
WIDTHS = (600, 340)
HEIGHT, LEFT, TOP, BELOW = 200, 46, 10, 28
STEPS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5)
MOST_TICKS = 5


@dataclass(frozen=True, kw_only=True)
class PowerChart:
    """One drawing: its frame, its ticks, and a path for each line."""

    width: int
    title: str
    y_ticks: list[tuple[int, str]]
    x_ticks: list[tuple[int, str]]
    steady: str
    planned: str
    single: str
    left: int = LEFT
    height: int = HEIGHT
    bottom: int = HEIGHT - BELOW

    @property
    def right(self) -> int:
        return self.width - 10

    @classmethod
    def of_both_widths(cls, preview: Preview) -> list[PowerChart]:
        """For wide pages and for phones; none where some claims could show no gain at all."""
        last = preview.gain(max(LAST, preview.claims), gamma=spell_gamma(DEFAULT_GAMMA))
        even = preview.gain(1, gamma=spell_gamma(PlannedGamma(claims=preview.claims)))
        is_whole = preview.is_tested and math.isfinite(last) and math.isfinite(even)
        return [cls.of(preview, width=width) for width in WIDTHS] if is_whole else []

    @classmethod
    def of(cls, preview: Preview, *, width: int) -> PowerChart:
        last = max(LAST, preview.claims)
        claims = [1, *range(5, last, max(last // 60, 1)), last]
        open_ended = [preview.gain(t, gamma=spell_gamma(DEFAULT_GAMMA)) for t in claims]
        even = preview.gain(1, gamma=spell_gamma(PlannedGamma(claims=preview.claims)))
        place = _Places(width=width, last=last, highest=max(*open_ended, even))
        return cls(
            width=width,
            title=f"The first claim can show a gain of {open_ended[0]:.3f}, claim {last} one of {open_ended[-1]:.3f}; "
            f"spread evenly over {preview.claims} claims each can show {even:.3f}",
            y_ticks=[(place.y(value), f"{value:g}") for value in _ticks(place.highest)],
            x_ticks=[(place.x(t), str(t)) for t in (1, *(round(last * share / 3) for share in (1, 2, 3)))],
            steady=place.line(claims, open_ended),
            planned=place.line([1, preview.claims], [even, even]),
            single=place.line([1, last], [preview.gain_of_one_test] * 2),
        )


@dataclass(frozen=True, kw_only=True)
class _Places:
    """From claims and gains to units of the drawing; gains begin at zero."""

    width: int
    last: int
    highest: float

    def x(self, t: int) -> int:
        return round(LEFT + (self.width - 10 - LEFT) * (t - 1) / max(self.last - 1, 1))

    def y(self, gain: float) -> int:
        return round(self._height(gain))

    def _height(self, gain: float) -> float:
        return HEIGHT - BELOW - (HEIGHT - BELOW - TOP) * gain / self.highest

    def line(self, claims: list[int], gains: list[float]) -> str:
        points = [f"{self.x(t)} {self._height(gain):.1f}" for t, gain in zip(claims, gains, strict=True)]
        return f"M{'L'.join(points)}"


def _ticks(highest: float) -> list[float]:
    step = next((each for each in STEPS if highest / each <= MOST_TICKS), 1.0)
    return [step * number for number in range(int(highest / step) + 1)]
