"""How dark is a share of the bootstrap samples? Seven steps of the ramp, from never to three quarters and more."""

from __future__ import annotations

from bisect import bisect_right

from toprung.report.charts.tokens import INK, INK_3, RAMP, RAMP_HIGH_INK
from toprung.words.wording import show_share

NEVER = "0"
STEP_NAMES = (NEVER, "< 5%", "5–15%", "15–30%", "30–50%", "50–75%", "75% and more")
# Where each step after "< 5%" begins.
STEP_STARTS = (0.05, 0.15, 0.30, 0.50, 0.75)
FIRST_WITH_LIGHT_INK = 5


def step_of(share: float) -> int:
    """The place of a share on the ramp.

    >>> [step_of(share) for share in (0, 0.0001, 0.05, 0.499, 0.5, 1)]
    [0, 1, 2, 4, 5, 6]
    """
    return 1 + bisect_right(STEP_STARTS, share) if share > 0 else 0


def colour_of(share: float) -> str:
    return RAMP[step_of(share)]


def ink_on(share: float) -> str:
    """The colour of a figure that stands on the step: pale for never, light on the dark steps."""
    if share == 0:
        return INK_3
    return RAMP_HIGH_INK if step_of(share) >= FIRST_WITH_LIGHT_INK else INK


def print_share(share: float) -> str:
    """A share in a cell: 0 is never, and neither hardly ever nor nearly always is rounded away.

    >>> [print_share(share) for share in (0, 0.0004, 0.4987, 0.9996, 1)]
    ['0', '< 0.1%', '49.9%', '> 99.9%', '100.0%']
    """
    if share == 0:
        return NEVER
    if share < 0.0005:
        return "< 0.1%"
    return "> 99.9%" if 0.9995 <= share < 1 else show_share(share)
