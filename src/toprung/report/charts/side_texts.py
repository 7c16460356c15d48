"""How are names and figures set beside the marks? In a column, each as far down as its row, all in points."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import altair as alt

from toprung.report.charts.data import values
from toprung.report.charts.tokens import INK_2, INK_3

HEADING_LINE = 14


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
        .encode(x=across("x"), y=alt.value(-above), text="text:N")
    )


def column(rows: Iterable[tuple[str, float]], *, x: float, **look: Any) -> alt.Chart:
    """Texts, each with the middle of its row, that end at ``x``, or begin there with ``align="left"``."""
    setting: dict[str, Any] = {"align": "right", "baseline": "middle", "color": INK_2, "fontSize": 11.5, "aria": False}
    return (
        alt.Chart(values({"text": text, "down": middle} for text, middle in rows))
        .mark_text(**(setting | look))
        .encode(x=alt.value(x), y=down("down"), text="text:N")
    )


def heading(*lines: str, x: float, above: float = 6, **look: Any) -> alt.Chart:
    """What a column holds; the last line ends ``above`` points over the first row."""
    setting: dict[str, Any] = {"align": "right", "baseline": "bottom", "color": INK_3, "fontSize": 11.5, "aria": False}
    return (
        alt.Chart(values([{}]))
        .mark_text(text=list(lines), lineHeight=HEADING_LINE, **(setting | look))
        .encode(x=alt.value(x), y=alt.value(-above - HEADING_LINE * (len(lines) - 1)))
    )
