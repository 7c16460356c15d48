from __future__ import annotations

from typing import Any

import altair as alt
import pytest

from toprung.report.charts.data import values
from toprung.report.charts.figure import Figure
from toprung.report.charts.label_placement import LABEL_HEIGHT, Box, text_width
from toprung.report.charts.scatter import MarkStyle, Name, Note, Scatter

PLOT = Scatter.around([0.0, 1.0], [0.0, 1.0], x_title="before", y_title="after")


def rows_of(chart: alt.Chart) -> list[dict[str, Any]]:
    return [row for rows in chart.to_dict()["datasets"].values() for row in rows]


def placed(names: list[Name], marks: list[tuple[float, float]], **more: Any) -> tuple[list[Box], list[dict[str, Any]]]:
    """The boxes of the names, in points, and the hairlines."""
    boxes, lines = [], []
    for chart in PLOT.names(names, marks, **more):
        for row in rows_of(chart):
            if "name" not in row:
                lines.append(row)
                continue
            across, down = PLOT.to_points(row["x"], row["y"])
            wide = text_width(row["name"])
            left = {"left": across, "center": across - wide / 2, "right": across - wide}[row["align"]]
            boxes.append(Box(left, down - LABEL_HEIGHT / 2, left + wide, down + LABEL_HEIGHT / 2))
    return boxes, lines


def test_all_marks_lie_inside_with_room_around_them() -> None:
    assert (PLOT.left, PLOT.right, PLOT.bottom, PLOT.top) == pytest.approx((-0.07, 1.07, -0.07, 1.07))


def test_equal_scores_still_have_a_plot() -> None:
    plot = Scatter.around([0.3, 0.3], [0.2, 0.2], x_title="", y_title="")
    assert plot.to_points(0.3, 0.2) == pytest.approx((plot.width / 2, plot.height / 2))


def test_points_and_scores_lead_to_each_other() -> None:
    assert PLOT.from_points(*PLOT.to_points(0.2, 0.9)) == pytest.approx((0.2, 0.9))
    assert PLOT.to_points(PLOT.left, PLOT.top) == pytest.approx((0, 0))


def test_a_name_with_room_stands_beside_its_mark() -> None:
    (box,), lines = placed([Name(text="alone", x=0.5, y=0.5)], [(0.5, 0.5)])
    across, down = PLOT.to_points(0.5, 0.5)
    assert (box.left - across, (box.top + box.bottom) / 2 - down) == pytest.approx((8, 0))
    assert lines == []


def test_names_in_a_crowd_cover_no_mark_and_no_other_name() -> None:
    marks = [(0.5 + 0.01 * step, 0.5 + 0.01 * step) for step in range(20)]
    boxes, lines = placed([Name(text="one of many", x=x, y=y) for x, y in marks[5:11]], marks)
    dots = [Box.around(*PLOT.to_points(*mark), reach=4) for mark in marks]
    assert len(boxes) == 6
    assert not any(box.overlaps(dot) for box in boxes for dot in dots)
    assert not any(one.overlaps(other) for place, one in enumerate(boxes) for other in boxes[:place])
    assert lines


def test_a_name_keeps_clear_of_lines() -> None:
    line = (0.0, 0.5), (1.0, 0.5)
    (box,), _ = placed([Name(text="on the line", x=0.5, y=0.5)], [(0.5, 0.5)], lines=[line])
    _, down = PLOT.to_points(0.5, 0.5)
    assert box.bottom <= down - 2 or box.top >= down + 2


def test_a_name_at_the_edge_stays_inside() -> None:
    (box,), _ = placed([Name(text="at the far right", x=1.0, y=1.0)], [(1.0, 1.0)])
    assert box.right <= PLOT.width


def test_a_long_name_is_cut() -> None:
    (chart,) = PLOT.names([Name(text="x" * 60, x=0.5, y=0.5)], [(0.5, 0.5)])
    assert rows_of(chart)[0]["name"] == "x" * 27 + "…"


def test_the_kinds_named_first_are_drawn_on_top_and_one_alone_has_no_legend() -> None:
    styles = {"rare": MarkStyle(colour="#00685f", size=70), "common": MarkStyle(colour="#85898c", size=32)}
    rows = [{"run": kind, "x": 0.5, "y": 0.5, "kind": kind} for kind in ("rare", "common")]
    both = PLOT.marks(rows, styles)
    assert [row["kind"] for row in rows_of(both)] == ["common", "rare"]
    assert both.to_dict()["encoding"]["fill"]["scale"]["domain"] == ["rare", "common"]
    assert PLOT.marks(rows[1:], styles).to_dict()["encoding"]["fill"]["legend"] is None


def test_titles_of_both_axes_are_seen() -> None:
    chart = PLOT.marks([{"run": "a", "x": 0.5, "y": 0.5, "kind": "k"}], {"k": MarkStyle(colour="#85898c", size=32)})
    svg = Figure(kind="k", title="", finding="", caption="", chart=chart + _line()).to_svg()
    assert ">before<" in svg
    assert ">after<" in svg


def _line() -> alt.Chart:
    return alt.Chart(values([{"x": 0.1, "y": 0.1}, {"x": 0.9, "y": 0.9}])).mark_line().encode(x=PLOT.x, y=PLOT.y)


def test_a_note_goes_where_it_covers_no_mark_and_the_first_place_is_best() -> None:
    high, low = Note(text="τ = 0.5", down=14), Note(text="τ = 0.5", down=386)
    under_high = PLOT.from_points(20, 14)
    assert PLOT.place_note([high, low], marks=[(0.5, 0.5)]) == high
    assert PLOT.place_note([high, low], marks=[under_high]) == low
    assert PLOT.place_note([high, low], marks=[], taken=[high.box]) == low


def test_names_keep_clear_of_notes() -> None:
    note = Note(text="a note of some length", down=14)
    mark = PLOT.from_points(40, 26)  # a name beside it would touch the note
    (box,), _ = placed([Name(text="run", x=mark[0], y=mark[1])], [mark], notes=[note])
    assert not box.overlaps(note.box)
