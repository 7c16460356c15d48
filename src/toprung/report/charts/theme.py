"""What do all figures have in common? Type, hairlines and the colours of the tokens, as a Vega-Lite configuration."""

from __future__ import annotations

from typing import Any

from toprung.report.charts.tokens import CONTROL, INK, INK_2, INK_3, MARK, RAMP, RULE, RULE_2

FONT = "Inter, system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"
LABEL_PADDING, LABEL_LIMIT = 6, 420
"""Points from an axis to its labels, and the longest of them."""
LEGEND_GAP = 40
"""Points between entries of a legend: a reader's letters may be a sixth wider than those it was laid out with."""
HALF = 560
"""The width of a figure that shares a row of the page, and of a paper's column."""

THEME: dict[str, Any] = {
    "background": "transparent",
    "font": FONT,
    "padding": 4,
    "view": {"stroke": None},
    "axis": {
        "labelColor": INK_3,
        "labelFontSize": 11.5,
        "titleColor": INK_3,
        "titleFontSize": 11.5,
        "titleFontWeight": "normal",
        "titleAnchor": "start",
        "gridColor": RULE,
        "domainColor": RULE_2,
        "tickColor": RULE_2,
        "tickSize": 5,
        "labelPadding": LABEL_PADDING,
        "labelLimit": LABEL_LIMIT,
        "titleLimit": 600,
    },
    "axisY": {"domain": False, "ticks": False},
    "axisX": {"grid": False},
    "legend": {
        "orient": "bottom",
        "title": None,
        "labelColor": INK_2,
        "labelFontSize": 11.5,
        "labelLimit": 260,
        "columnPadding": LEGEND_GAP,
        "symbolStrokeWidth": 1.5,
    },
    "text": {"color": INK_2, "fontSize": 12},
    "point": {"filled": True, "color": MARK, "opacity": 1},
    "line": {"color": INK, "strokeWidth": 2},
    "rule": {"color": CONTROL},
    "bar": {"color": MARK},
    "area": {"color": INK, "opacity": 0.08},
    "range": {"ramp": list(RAMP)},
}
