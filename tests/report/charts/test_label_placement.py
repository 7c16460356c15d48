"""Labels beside marks: never on one another, never outside the plot."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toprung.report.charts.svg.label_placement import Anchor, Box, place_labels, spread


def dot(x: float, y: float, text: str = "run") -> Anchor:
    return Anchor(text=text, x=x, y=y, reach=5)


def test_a_label_stands_at_the_upper_left_where_there_is_room() -> None:
    (place,) = place_labels([dot(50, 50)], taken=[], width=100, height=100)
    assert place is not None
    assert (place.align, place.dx < 0, place.dy < 0) == ("right", True, True)


def test_at_the_left_edge_it_goes_to_the_other_side() -> None:
    (place,) = place_labels([dot(2, 50)], taken=[], width=100, height=100)
    assert place is not None
    assert place.align == "left"


def test_a_label_keeps_off_what_is_taken() -> None:
    (place,) = place_labels([dot(50, 50)], taken=[Box(0, 0, 100, 49)], width=100, height=100)
    assert place is not None
    assert place.dy > 0


def test_where_all_is_taken_a_mark_goes_without() -> None:
    assert place_labels([dot(50, 50)], taken=[Box(-100, -100, 200, 200)], width=100, height=100) == [None]


def test_the_first_label_has_the_first_choice() -> None:
    first, second = place_labels([dot(60, 50), dot(61, 50)], taken=[], width=100, height=100)
    assert first is not None
    assert second is not None
    assert (first.align, second.align) == ("right", "left")


@given(st.lists(st.floats(0, 300), max_size=12), st.floats(1, 30))
def test_spread_positions_are_apart_and_keep_their_order(positions: list[float], gap: float) -> None:
    moved = spread(positions, gap)
    for i, one in enumerate(positions):
        for j, other in enumerate(positions):
            if i != j:
                assert abs(moved[i] - moved[j]) >= gap - 1e-9
            if one < other:
                assert moved[i] < moved[j]


def test_positions_far_enough_apart_stay() -> None:
    assert spread([40.0, 10.0], 15) == [40.0, 10.0]


def test_two_in_the_same_place_share_the_way() -> None:
    assert spread([10, 10], 14) == pytest.approx([3, 17])
