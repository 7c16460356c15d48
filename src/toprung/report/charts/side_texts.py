"""How are names and figures set beside the marks? In a column, each as far down as its row, all in points."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import altair as alt

from toprung.report.charts.data import fixed, values
from toprung.report.charts.label_placement import text_width
from toprung.report.charts.theme import LABEL_LIMIT, LABEL_PADDING
from toprung.report.charts.tokens import INK_2, INK_3
from toprung.words.visible import in_one_line

HEADING_LINE = 14
WIDER = 1.12
"""What a bold face, or a typewriter's, takes more than `text_width`."""


def down(field: str) -> alt.Y:
    """Points from the top, for marks whose rows are laid out by hand."""
    return alt.Y(f"{field}:Q", scale=None, axis=None)


def across(field: str) -> alt.X:
    """Points from the left."""
    return alt.X(f"{field}:Q", scale=None, axis=None)


def headings(lines: Iterable[tuple[str, float]], *, above: float = 6, **look: Any) -> alt.Chart:
    """Texts in one line over the first row, each with its ``x``."""
    setting: dict[str, Any] = {"baseline": "bottom", "color": INK_3, "fontSize": 11.5, "aria": False}
    return (
        alt.Chart(values({"text": text, "x": x} for text, x in lines))
        .mark_text(**(setting | look))
        .encode(x=across("x"), y=fixed(alt.YValue, -above), text=alt.Text("text:N"))
    )


def column(rows: Iterable[tuple[str, float]], *, x: float, **look: Any) -> alt.Chart:
    """Texts, each with the middle of its row, that end at ``x``, or begin there with ``align="left"``."""
    setting: dict[str, Any] = {"align": "right", "baseline": "middle", "color": INK_2, "fontSize": 11.5, "aria": False}
    return (
        alt.Chart(values({"text": text, "down": middle} for text, middle in rows))
        .mark_text(**(setting | look))
        .encode(x=fixed(alt.XValue, x), y=down("down"), text=alt.Text("text:N"))
    )


def edge_column(rows: Iterable[tuple[str, float]], *, x: float, **look: Any) -> Iterator[alt.Chart]:
    """A column that nothing stands beyond, with room for it."""
    placed = list(rows)
    yield column(placed, x=x, **look)
    yield room((text for text, _ in placed), x=x, align=look.get("align", "right"), limit=look.get("limit"))


def room(texts: Iterable[str], *, x: float, align: str = "right", limit: float | None = None) -> alt.Chart:
    """Nothing to see, as wide as the widest of the texts, so that the edge of the figure cuts none.

    A figure is measured with the fonts of the machine that draws it; those of the reader may be wider.
    """
    widest = max((text_width(in_one_line(text)) for text in texts), default=0)
    reach = WIDER * (widest if limit is None else min(widest, limit))
    end = x + reach if align == "left" else x - reach
    nothing = alt.Chart(values([{}])).mark_rule(opacity=0, aria=False)
    return nothing.encode(x=fixed(alt.XValue, x), x2=fixed(alt.X2Value, end), y=fixed(alt.YValue, 0))


def axis_room(labels: Iterable[str], *, offset: float = 0) -> alt.Chart:
    """For the names at the axis on the left, which stands ``offset`` from the plot."""
    return room(labels, x=-LABEL_PADDING - offset, limit=LABEL_LIMIT)


def heading(*lines: str, x: float, above: float = 6, **look: Any) -> alt.Chart:
    """What a column holds; the last line ends ``above`` points over the first row."""
    setting: dict[str, Any] = {"align": "right", "baseline": "bottom", "color": INK_3, "fontSize": 11.5, "aria": False}
    return (
        alt.Chart(values([{}]))
        .mark_text(text=list(lines), lineHeight=HEADING_LINE, **(setting | look))
        .encode(x=fixed(alt.XValue, x), y=fixed(alt.YValue, -above - HEADING_LINE * (len(lines) - 1)))
    )
