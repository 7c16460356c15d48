"""Where do the words of a course stand? Never on its line, never on each other, on whole units of time."""

from __future__ import annotations

import pytest

from toprung.web.site.campaign.drawing import draw_course, time_ticks


@pytest.mark.parametrize(
    ("hours", "words"),
    [
        (8 * 24, ["start", "day 2", "day 4", "day 6", "day 8"]),
        (47, ["start", "hour 20", "hour 40"]),
        (0.1, ["start", "minute 2", "minute 4", "minute 6"]),
        (30 / 3600, ["start", "second 10", "second 20", "second 30"]),
        (0, ["start"]),
    ],
)
def test_ticks_are_whole_units_of_time(hours: float, words: list[str]) -> None:
    assert [each for _, each in time_ticks(hours)] == words


def test_words_stand_where_a_rising_line_does_not_go() -> None:
    """Of points low or far right above to the left, of others below to the right; close ones share no place."""
    marks = [(0.1, 60.0, "one"), (0.5, 70.0, "two"), (0.9, 80.0, "three"), (0.91, 80.0, "four"), (0.5, 1.0, "low")]
    for course in draw_course([(0, 0), (1, 100)], most=(1, 100), words_x=[], marks=marks):
        placed = [(mark.words, mark.anchor, mark.dy) for mark in course.marks]
        assert placed == [
            ("one", "start", 18),
            ("two", "start", 18),
            ("three", "end", -8),
            ("", "end", -8),
            ("low", "end", -8),
        ]
