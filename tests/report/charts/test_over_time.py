"""The axes of a leaderboard over time: dates that no time zone moves, or the order of submission."""

from __future__ import annotations

from datetime import date

import pytest

from toprung.report.charts.over_time import HEIGHT, WIDTH, EndLabel, OverTime, TimeLabel
from toprung.report.charts.svg.drawing import Drawing
from toprung.report.charts.svg.label_placement import Box
from toprung.report.charts.svg.marks import LineMark, TextMark
from toprung.report.charts.svg.setting import PLAIN, ChartSetting


def axes(first: date | int, last: date | int) -> OverTime:
    return OverTime(first=first, last=last, lowest=0.2, highest=0.7, measure="RR", setting=PLAIN)


def labels_below(plot: OverTime) -> list[str]:
    """Of the axis at the bottom."""
    texts = [mark for mark in plot.draw_axes().marks if isinstance(mark, TextMark)]
    return [text.text for text in texts if text.align == "center"]


def test_a_moment_has_its_share_of_the_width() -> None:
    # One place before the first and one after the last: 0 to 4.
    order = axes(1, 3)
    assert [order.x(moment) for moment in (1, 2, 3)] == [WIDTH / 4, WIDTH / 2, WIDTH * 3 / 4]
    # 200 days have a margin of five.
    days = axes(date(2021, 1, 6), date(2021, 7, 25))
    assert (days.start, days.end) == (date(2021, 1, 1), date(2021, 7, 30))
    assert days.place(days.start, 0.2)[0] == 0


def test_scores_have_a_margin_and_need_no_zero() -> None:
    plot = axes(1, 3)
    assert plot.scores == pytest.approx((0.16, 0.74))
    assert plot.y(0.74) == pytest.approx(0)
    assert plot.y(0.16) == pytest.approx(HEIGHT)


def test_a_single_score_still_has_an_axis() -> None:
    alone = OverTime(first=1, last=1, lowest=0.5, highest=0.5, measure="RR", setting=PLAIN)
    assert alone.scores == pytest.approx((0.45, 0.55))


@pytest.mark.parametrize(
    ("last", "shown"),
    [
        (date(2021, 1, 10), ["2021-01-02", "2021-01-04", "2021-01-06", "2021-01-08", "2021-01-10"]),
        (date(2021, 6, 1), ["Jan 2021", "Feb 2021", "Mar 2021", "Apr 2021", "May 2021", "Jun 2021"]),
        (
            date(2023, 6, 1),
            [f"{month} {year}" for year in (2021, 2022, 2023) for month in ("Jan", "Apr", "Jul", "Oct")],
        ),
        (date(2041, 1, 1), [str(year) for year in range(2022, 2042, 2)]),
    ],
)
def test_ticks_are_days_months_or_years_as_the_time_is_long(last: date, shown: list[str]) -> None:
    labels = labels_below(axes(date(2021, 1, 1), last))
    assert labels == shown[: len(labels)]
    assert len(shown) - len(labels) <= 2


def test_a_small_screen_has_a_drawing_of_its_own() -> None:
    plot = OverTime(
        first=date(2021, 1, 1),
        last=date(2021, 12, 1),
        lowest=0.2,
        highest=0.7,
        measure="RR",
        setting=ChartSetting(width=356),
    )
    drawing = plot.draw_axes()
    assert drawing.box.right - drawing.box.left <= 356
    assert labels_below(plot) == ["Jan 2021", "May 2021", "Sep 2021"] or len(labels_below(plot)) <= 4


def test_without_dates_the_axis_counts_submissions() -> None:
    assert labels_below(axes(1, 3)) == ["1", "2", "3"]
    assert labels_below(axes(1, 60)) == ["1", *map(str, range(3, 61, 3))]


def test_a_staircase_keeps_to_its_score_until_the_next_and_to_the_edge() -> None:
    plot = axes(1, 3)
    drawing = Drawing(width=WIDTH, height=HEIGHT)
    plot.draw_stairs(drawing, [(1, 0.2), (3, 0.7)], stroke="#1a1c1f", width=2)
    (line,) = drawing.marks
    assert isinstance(line, LineMark)
    low, high = plot.y(0.2), plot.y(0.7)
    assert line.points == ((WIDTH / 4, low), (WIDTH * 3 / 4, low), (WIDTH * 3 / 4, high), (WIDTH, high))
    along, up, last, _ = plot.stair_boxes([(1, 0.2), (3, 0.7)])
    assert (along.left, along.right) == (WIDTH / 4 - 1, WIDTH * 3 / 4 + 1)
    assert up.bottom - up.top == pytest.approx(HEIGHT * 0.5 / 0.58 + 2)
    assert last.right == WIDTH + 1


def test_labels_at_the_edge_are_moved_apart() -> None:
    plot, drawing = axes(1, 3), Drawing(width=WIDTH, height=HEIGHT)
    plot.draw_end_labels(drawing, [EndLabel(0.5, "one", "#1a1c1f"), EndLabel(0.5, "other", "#1a1c1f")])
    assert [mark.y - plot.y(0.5) for mark in drawing.marks if isinstance(mark, TextMark)] == pytest.approx([-7.5, 7.5])


def test_a_label_without_room_is_left_out() -> None:
    wanted = [TimeLabel("run", 2, 0.5, 4, "#1a1c1f")]
    everywhere = Box(-WIDTH, -HEIGHT, 2 * WIDTH, 2 * HEIGHT)
    plot, hidden, shown = axes(1, 3), Drawing(width=WIDTH, height=HEIGHT), Drawing(width=WIDTH, height=HEIGHT)
    plot.draw_labels(hidden, wanted, [everywhere])
    plot.draw_labels(shown, wanted, [])
    assert (hidden.marks, [mark.text for mark in shown.marks if isinstance(mark, TextMark)]) == ([], ["run"])


def test_names_are_tried_up_to_a_limit_however_much_room_there_is() -> None:
    plot = axes(1, 100)
    wanted = [TimeLabel(f"{place}", place, 0.25 + 0.04 * (place % 10), 3, "#000000") for place in range(1, 101)]
    drawing = Drawing(width=plot.width, height=plot.height)
    plot.draw_labels(drawing, wanted, [])
    assert [mark.text for mark in drawing.marks if isinstance(mark, TextMark)] == [each.name for each in wanted[:60]]
