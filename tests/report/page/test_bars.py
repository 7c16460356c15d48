from __future__ import annotations

import re

import pytest
from tests.report.reading_pages import Page

from toprung.boards.row import OutcomeShares
from toprung.report.page.bars import (
    Axis,
    Interval,
    difference_axis,
    draw_axis,
    draw_difference,
    draw_interval,
    draw_outcomes,
    write_legend,
)

TOP = Interval(value=0.5, low=0.4, high=0.6)
LATE = Interval(value=0.3, low=0.2, high=0.4)
FAR = Interval(value=-9.0, low=-9.1, high=-8.9)
SHARES = OutcomeShares(only_this=0.1, better=0.2, same=0.3, neither=0.0, worse=0.25, only_top=0.15)


def axis_of(*intervals: Interval) -> Axis:
    return Axis.of(intervals, top=intervals[0], confidence=0.95)


def test_an_axis_holds_all_intervals_with_a_margin_and_round_ticks() -> None:
    axis = axis_of(TOP, LATE)
    assert (axis.low, axis.high) == pytest.approx((0.2 - 0.016, 0.6 + 0.016))  # 4% of the length
    assert axis.ticks == pytest.approx((0.2, 0.4, 0.6))
    assert re.findall(r">([\d.]+)</text>", draw_axis(axis)) == ["0.2", "0.4", "0.6"]


def test_a_run_too_far_away_does_not_squeeze_the_others() -> None:
    axis = axis_of(TOP, LATE, FAR)
    assert axis.low > 0
    pointed_at = draw_interval(FAR, axis, is_top=False, decimals=4)
    assert "below scale" in pointed_at
    assert "dashed" not in pointed_at  # the words stand where the line of the highest score would be
    assert "dashed" in draw_interval(LATE, axis, is_top=False, decimals=4)
    above = Interval(value=9.0, low=8.9, high=9.1)
    assert "above scale" in draw_interval(above, axis, is_top=False, decimals=4)


def test_scores_more_than_four_intervals_below_the_first_are_pointed_at_and_differences_more_than_twelve() -> None:
    """Each interval is 0.2 long: a score is drawn down to 0.5 − 0.8, a difference down to −2.4."""
    near, far = (Interval(value=value, low=value - 0.1, high=value + 0.1) for value in (-0.25, -0.45))
    axis = axis_of(TOP, LATE, near, far)
    assert "below scale" not in draw_interval(near, axis, is_top=False, decimals=4)
    assert "below scale" in draw_interval(far, axis, is_top=False, decimals=4)
    behind, lost = (Interval(value=value, low=value - 0.1, high=value + 0.1) for value in (-2.3, -2.9))
    differences = difference_axis([near, far, behind, lost])
    assert "below scale" not in draw_difference(behind, differences, "")
    assert "below scale" in draw_difference(lost, differences, "")


def test_runs_that_all_have_one_score_have_an_axis_too() -> None:
    same = Interval(value=1.0, low=1.0, high=1.0)
    axis = axis_of(same, same)
    assert axis.low < 1.0 < axis.high
    nothing = Interval(value=0.0, low=0.0, high=0.0)
    assert axis_of(nothing).low < 0 < axis_of(nothing).high


def test_an_interval_stands_where_its_ends_are() -> None:
    axis = Axis(low=0.0, high=1.0, ticks=(0.5,), decimals=1, top=0.5, confidence=0.9)
    text = draw_interval(LATE, axis, is_top=False, decimals=4)
    assert '<rect class="cib" x="20%" width="20.0%"' in text
    assert '<line class="s-ink tick" x1="30%" x2="30%"' in text
    assert '<line class="s-top dashed" x1="50%" x2="50%"' in text
    assert 'aria-label="90% interval 0.2000 to 0.4000"' in text
    assert 'class="cib istop"' in draw_interval(TOP, axis, is_top=True, decimals=4)


def test_an_interval_is_called_no_finer_than_what_stands_beside_it() -> None:
    axis = Axis(low=0.0, high=1.0, ticks=(0.5,), decimals=1, top=0.5, confidence=0.95)
    found = Interval(value=0.31415, low=0.21415, high=0.41415)
    for decimals, said in ((4, "0.2142 to 0.4142"), (2, "0.21 to 0.41")):
        text = draw_interval(found, axis, is_top=False, decimals=decimals)
        assert f'aria-label="95% interval {said}"' in text


def test_outcomes_fill_the_bar_in_order_and_leave_out_what_did_not_happen() -> None:
    text = draw_outcomes(SHARES, "A <b>")
    parts = re.findall(r'<rect class="(o\d)" x="([\d.]+)%" width="([\d.]+)%"', text)
    assert parts == [
        ("o1", "0", "10"),
        ("o2", "10", "20"),
        ("o3", "30", "30"),
        ("o5", "60", "25"),
        ("o6", "85", "15"),
    ]


def test_a_bar_says_all_its_shares_in_words() -> None:
    (said,) = Page(draw_outcomes(SHARES, "A <b>")).all_of("aria-label")
    assert said == (
        "Against A <b>: only this run found it 10.0%, both found it and this run higher 20.0%, same rank 30.0%, "
        "neither found it 0.0%, both found it and A <b> higher 25.0%, only A <b> found it 15.0%"
    )


def test_the_legend_names_every_colour() -> None:
    page = Page(write_legend())
    assert [each for each in page.all_of("class") if each.startswith("o")] == ["o1", "o2", "o3", "o4", "o5", "o6"]


def test_no_bar_has_a_style_of_its_own() -> None:
    # Under the policy of a page such a style would not hold.
    for text in (
        draw_outcomes(SHARES, "a"),
        draw_interval(TOP, axis_of(TOP, LATE), is_top=True, decimals=4),
        write_legend(),
    ):
        assert "style=" not in text
