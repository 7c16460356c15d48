from __future__ import annotations

from typing import Any

import pytest

from toprung.report.charts.scatter import Dot, MarkStyle, Name, Note, Scatter
from toprung.report.charts.svg.drawing import Drawing
from toprung.report.charts.svg.label_placement import Box
from toprung.report.charts.svg.marks import PointMark, RuleMark, TextMark

PLOT = Scatter.around([0.0, 1.0], [0.0, 1.0], x_title="before", y_title="after")
STYLES = {"rare": MarkStyle(colour="#00685f", size=70), "common": MarkStyle(colour="#85898c", size=32)}


def empty() -> Drawing:
    return Drawing(width=PLOT.width, height=PLOT.height)


def placed(names: list[Name], marks: list[tuple[float, float]], **more: Any) -> tuple[list[Box], list[RuleMark]]:
    """The boxes of the names, in points, and the hairlines."""
    drawing = empty()
    PLOT.draw_names(drawing, names, marks, **more)
    boxes = [mark.box for mark in drawing.marks if isinstance(mark, TextMark)]
    return boxes, [mark for mark in drawing.marks if isinstance(mark, RuleMark)]


def at(across: float, down: float) -> tuple[float, float]:
    """The scores that stand at a place of the plot."""
    x = PLOT.left + (PLOT.right - PLOT.left) * across / PLOT.width
    return x, PLOT.top - (PLOT.top - PLOT.bottom) * down / PLOT.height


def test_all_marks_lie_inside_with_room_around_them() -> None:
    assert (PLOT.left, PLOT.right, PLOT.bottom, PLOT.top) == pytest.approx((-0.07, 1.07, -0.07, 1.07))


def test_equal_scores_still_have_a_plot() -> None:
    plot = Scatter.around([0.3, 0.3], [0.2, 0.2], x_title="", y_title="")
    assert plot.to_points(0.3, 0.2) == pytest.approx((plot.width / 2, plot.height / 2))


def test_scores_have_their_places() -> None:
    assert PLOT.to_points(PLOT.left, PLOT.top) == pytest.approx((0, 0))
    assert PLOT.to_points(0.5, 0.5) == pytest.approx((PLOT.width / 2, PLOT.height / 2))


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


def test_a_name_without_room_is_left_out() -> None:
    marks = [at(across, down) for across in range(0, 480, 7) for down in range(0, 410, 7)]
    assert placed([Name(text="a name", x=0.5, y=0.5)], marks) == ([], [])


def test_a_name_keeps_clear_of_lines() -> None:
    line = (0.0, 0.5), (1.0, 0.5)
    (box,), _ = placed([Name(text="on the line", x=0.5, y=0.5)], [(0.5, 0.5)], lines=[line])
    _, down = PLOT.to_points(0.5, 0.5)
    assert box.bottom <= down - 2 or box.top >= down + 2


def test_a_name_at_the_edge_stays_inside() -> None:
    (box,), _ = placed([Name(text="at the far right", x=1.0, y=1.0)], [(1.0, 1.0)])
    assert box.right <= PLOT.width


def test_a_long_name_is_cut() -> None:
    drawing = empty()
    PLOT.draw_names(drawing, [Name(text="x" * 60, x=0.5, y=0.5)], [(0.5, 0.5)])
    (name,) = drawing.marks
    assert isinstance(name, TextMark)
    assert name.text == "x" * 27 + "…"


def test_the_kinds_named_first_are_drawn_on_top_and_one_alone_has_no_legend() -> None:
    dots = [Dot(run=kind, x=0.5, y=0.5, kind=kind) for kind in STYLES]
    both, alone = empty(), empty()
    PLOT.draw_marks(both, dots, STYLES)
    PLOT.draw_marks(alone, dots[1:], STYLES)
    assert [mark.facts["kind"] for mark in both.marks if isinstance(mark, PointMark)] == ["common", "rare"]
    assert [entry.words for entry in both.legends[0].entries] == ["rare", "common"]
    assert alone.legends == []


def test_titles_of_both_axes_are_seen() -> None:
    assert {"before", "after"} <= {mark.text for mark in PLOT.draw_axes().marks if isinstance(mark, TextMark)}


def test_a_note_goes_where_it_covers_no_mark_and_the_first_place_is_best() -> None:
    high, low = Note(text="τ = 0.5", down=14), Note(text="τ = 0.5", down=386)
    assert PLOT.place_note([high, low], marks=[(0.5, 0.5)]) == high
    assert PLOT.place_note([high, low], marks=[at(20, 14)]) == low
    assert PLOT.place_note([high, low], marks=[], taken=[high.box]) == low


def test_names_keep_clear_of_notes() -> None:
    note = Note(text="a note of some length", down=14)
    mark = at(40, 26)  # a name beside it would touch the note
    (box,), _ = placed([Name(text="run", x=mark[0], y=mark[1])], [mark], notes=[note])
    assert not box.overlaps(note.box)
