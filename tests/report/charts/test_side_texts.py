from __future__ import annotations

from typing import Any

import altair as alt

from toprung.report.charts.side_texts import column, heading, headings


def rows_of(chart: alt.Chart) -> list[dict[str, Any]]:
    return [row for rows in chart.to_dict()["datasets"].values() for row in rows]


def test_a_column_sets_each_text_at_the_middle_of_its_row() -> None:
    chart = column([("1.0", 7.5), ("2.5", 22.5)], x=40, align="left")
    assert rows_of(chart) == [{"text": "1.0", "down": 7.5}, {"text": "2.5", "down": 22.5}]
    spec = chart.to_dict()
    assert spec["encoding"]["x"] == {"value": 40}
    assert spec["encoding"]["y"]["scale"] is None
    assert spec["mark"]["align"] == "left"


def test_the_last_line_of_a_heading_ends_over_the_first_row_however_many_there_are() -> None:
    one, two = (heading(*lines, x=40, above=6).to_dict() for lines in (["rank"], ["expected", "rank"]))
    assert one["encoding"]["y"] == {"value": -6}
    assert two["encoding"]["y"] == {"value": -6 - two["mark"]["lineHeight"]}
    assert two["mark"]["text"] == ["expected", "rank"]


def test_headings_stand_in_one_line() -> None:
    chart = headings([("Nov", 0), ("Dec", 32)], above=8)
    assert rows_of(chart) == [{"text": "Nov", "x": 0}, {"text": "Dec", "x": 32}]
    assert chart.to_dict()["encoding"]["y"] == {"value": -8}
