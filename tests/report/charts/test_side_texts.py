from __future__ import annotations

from typing import Any
from xml.etree import ElementTree

import altair as alt

from toprung.report.charts.figure import Figure
from toprung.report.charts.label_placement import text_width
from toprung.report.charts.side_texts import WIDER, column, edge_column, heading, headings, room


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


def test_the_room_at_an_edge_is_wider_than_the_longest_text() -> None:
    ends = {align: room(["run", "a long name"], x=-8, align=align).to_dict()["encoding"] for align in ("left", "right")}
    assert {each["x"]["value"] for each in ends.values()} == {-8}
    assert ends["right"]["x2"]["value"] < -8 - text_width("a long name")
    assert ends["left"]["x2"]["value"] > -8 + text_width("a long name")


def test_a_name_that_is_shortened_needs_no_more_room_than_is_left_of_it() -> None:
    short, long = (room(["x" * n], x=0, limit=260).to_dict()["encoding"]["x2"]["value"] for n in (40, 400))
    assert short == long == -260 * WIDER


def test_a_column_at_an_edge_is_the_same_column_with_room() -> None:
    rows = [("1.0", 7.5), ("22.5", 22.5)]
    texts, beside = edge_column(iter(rows), x=40, align="left")
    assert rows_of(texts) == rows_of(column(rows, x=40, align="left"))
    assert beside.to_dict()["encoding"] == room(["22.5"], x=40, align="left").to_dict()["encoding"]


def test_room_is_not_seen_and_makes_the_figure_wider() -> None:
    name = column([("name", 7)], x=-8)
    narrow, wide = (
        Figure(
            kind="x", title="x", finding="x", caption="x", chart=alt.layer(name, *more).properties(width=90)
        ).to_svg()
        for more in ([], [room(["a longer name"], x=-8)])
    )
    assert width_of(wide) > width_of(narrow)
    assert texts_of(wide) == texts_of(narrow) == ["name"]


def width_of(svg: str) -> float:
    return float(ElementTree.fromstring(svg).attrib["width"])


def texts_of(svg: str) -> list[str | None]:
    return [each.text for each in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]
