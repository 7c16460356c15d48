from __future__ import annotations

import pytest

from toprung.report.charts.share_steps import STEP_NAMES, colour_of, ink_on, print_share, step_of
from toprung.report.charts.tokens import INK, INK_3, RAMP, RAMP_HIGH_INK


@pytest.mark.parametrize(
    ("share", "name"),
    [
        (0, "0"),
        (1e-9, "< 5%"),
        (0.0499, "< 5%"),
        (0.05, "5–15%"),
        (0.3, "30–50%"),
        (0.75, "75% and more"),
        (1, "75% and more"),
    ],
)
def test_a_step_begins_with_the_share_it_is_named_after(share: float, name: str) -> None:
    assert STEP_NAMES[step_of(share)] == name
    assert colour_of(share) == RAMP[STEP_NAMES.index(name)]


def test_ink_is_pale_on_nothing_dark_on_light_steps_and_light_on_dark_ones() -> None:
    assert [ink_on(share) for share in (0, 0.01, 0.49, 0.5, 1)] == [INK_3, INK, INK, RAMP_HIGH_INK, RAMP_HIGH_INK]


def test_neither_seldom_nor_nearly_always_is_rounded_away() -> None:
    assert [print_share(share) for share in (0.00049, 0.0005, 0.9994, 0.9995)] == ["< 0.1%", "0.1%", "99.9%", "> 99.9%"]
