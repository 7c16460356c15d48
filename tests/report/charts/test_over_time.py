"""The axes of a leaderboard over time: dates that no time zone moves, or the order of submission."""

from __future__ import annotations

from datetime import date

import pytest

from toprung.report.charts.label_placement import Box
from toprung.report.charts.over_time import HEIGHT, WIDTH, OverTime


def axes(first: date | int, last: date | int) -> OverTime:
    return OverTime(first=first, last=last, lowest=0.2, highest=0.7, measure="RR")


def test_a_moment_has_its_share_of_the_width() -> None:
    # One place before the first and one after the last: 0 to 4.
    order = axes(1, 3)
    assert [order.to_x(moment) for moment in (1, 2, 3)] == [WIDTH / 4, WIDTH / 2, WIDTH * 3 / 4]
    # 200 days have a margin of five.
    days = axes(date(2021, 1, 6), date(2021, 7, 25))
    assert (days.start, days.end) == (date(2021, 1, 1), date(2021, 7, 30))
    assert days.to_x(days.start) == 0


def test_scores_have_a_margin_and_need_no_zero() -> None:
    plot = axes(1, 3)
    assert plot.scores == pytest.approx((0.16, 0.74))
    assert plot.to_y(0.74) == pytest.approx(0)
    assert plot.to_y(0.16) == pytest.approx(HEIGHT)


def test_a_single_score_still_has_an_axis() -> None:
    alone = OverTime(first=1, last=1, lowest=0.5, highest=0.5, measure="RR")
    assert alone.scores == pytest.approx((0.45, 0.55))


def test_dates_are_read_and_shown_without_a_time_zone() -> None:
    x = axes(date(2021, 1, 1), date(2021, 12, 1)).x.to_dict()
    assert x["scale"]["type"] == "utc"
    assert x["axis"]["format"] == "%b %Y"


@pytest.mark.parametrize(
    ("last", "form", "every"),
    [
        (date(2021, 1, 10), "%Y-%m-%d", {"interval": "day", "step": 2}),
        (date(2021, 6, 1), "%b %Y", {"interval": "month", "step": 1}),
        (date(2023, 6, 1), "%b %Y", {"interval": "month", "step": 3}),
        (date(2041, 1, 1), "%Y", {"interval": "year", "step": 2}),
    ],
)
def test_ticks_are_days_months_or_years_as_the_time_is_long(last: date, form: str, every: dict[str, object]) -> None:
    axis = axes(date(2021, 1, 1), last).x.to_dict()["axis"]
    assert (axis["format"], axis["tickCount"]) == (form, every)


def test_without_dates_the_axis_counts_submissions() -> None:
    assert axes(1, 3).x.to_dict()["axis"]["values"] == [1, 2, 3]
    assert axes(1, 60).x.to_dict()["axis"]["values"] == [1, *range(3, 61, 3)]


def test_a_staircase_keeps_to_its_score_until_the_next_and_to_the_edge() -> None:
    plot = axes(1, 3)
    chart = plot.staircase([(1, 0.2), (3, 0.7)]).to_dict()
    assert chart["mark"]["interpolate"] == "step-after"
    (rows,) = chart["datasets"].values()
    assert [(row["moment"], row["score"]) for row in rows] == [(1, 0.2), (3, 0.7), (4, 0.7)]
    along, up, last, _ = plot.stair_boxes([(1, 0.2), (3, 0.7)])
    assert (along.left, along.right) == (WIDTH / 4 - 1, WIDTH * 3 / 4 + 1)
    assert up.bottom - up.top == pytest.approx(HEIGHT * 0.5 / 0.58 + 2)
    assert last.right == WIDTH + 1


def test_labels_at_the_edge_are_moved_apart() -> None:
    texts, _ = axes(1, 3).end_labels([(0.5, "one", "#1a1c1f", "bold"), (0.5, "other", "#1a1c1f", "normal")])
    (rows,) = texts.to_dict()["datasets"].values()
    assert [row["dy"] for row in rows] == [-7.5, 7.5]


def test_a_label_without_room_is_left_out() -> None:
    wanted = [{"moment": 2, "score": 0.5, "name": "run", "reach": 4, "color": "#1a1c1f", "weight": "bold"}]
    everywhere = Box(-WIDTH, -HEIGHT, 2 * WIDTH, 2 * HEIGHT)
    plot = axes(1, 3)
    (hidden,) = plot.labels(wanted, [everywhere]).to_dict()["datasets"].values()
    (shown,) = plot.labels(wanted, []).to_dict()["datasets"].values()
    assert (hidden, [row["name"] for row in shown]) == ([], ["run"])
