"""Which colours, and what does each mean? One meaning each, in light and dark; `base.css` names the same.

Charts are drawn in the light values. In a page the stylesheet turns each into its token; a figure on its own in dark
is recoloured by `svg.writing`.
"""

from __future__ import annotations

from typing import NamedTuple


class Token(NamedTuple):
    """A colour by what it means, on light paper and on dark."""

    light: str
    dark: str


TOKENS = {
    "paper": Token("#fcfcfa", "#131619"),
    "ink": Token("#1a1c1f", "#e9e9e5"),
    "ink-2": Token("#474c52", "#bcc0c3"),
    "ink-3": Token("#666c72", "#979da2"),
    "rule": Token("#e1e1db", "#2d3338"),
    "rule-2": Token("#c4c6bf", "#464e54"),
    "control": Token("#81868a", "#737b82"),
    "top": Token("#00685f", "#58c9b9"),
    "top-tint": Token("#eef6f3", "#16262a"),
    "o-only-this": Token("#1d5793", "#74b4f2"),
    "o-better": Token("#7fb0e0", "#33608f"),
    "o-same": Token("#dadbd6", "#363c42"),
    "o-neither": Token("#9a9e9b", "#6a7177"),
    "o-worse": Token("#efab5f", "#85531f"),
    "o-only-top": Token("#ad4e07", "#f2a052"),
    "o-top-ink": Token("#9a4406", "#f2a052"),
    "tag": Token("#8a3590", "#d48bdb"),
    "mark": Token("#85898c", "#7e868c"),
    "alert": Token("#a61c28", "#ff8f8a"),
    "warn": Token("#735400", "#e3c163"),
    "h0": Token("#f1f2ee", "#1d2226"),
    "h1": Token("#dcebe6", "#17302f"),
    "h2": Token("#b5d8cf", "#184641"),
    "h3": Token("#83bfb2", "#1b5b54"),
    "h4": Token("#4a9f90", "#1f7067"),
    "h5": Token("#137a6d", "#58bcad"),
    "h6": Token("#004a43", "#a5ebdf"),
    "h-hi-ink": Token("#ffffff", "#06211e"),
}
DARK_OF = {token.light: token.dark for token in TOKENS.values()}

PAPER = TOKENS["paper"].light
INK = TOKENS["ink"].light
INK_2 = TOKENS["ink-2"].light
INK_3 = TOKENS["ink-3"].light
RULE = TOKENS["rule"].light
RULE_2 = TOKENS["rule-2"].light
CONTROL = TOKENS["control"].light
TOP = TOKENS["top"].light
ONLY_THIS = TOKENS["o-only-this"].light
BETTER = TOKENS["o-better"].light
SAME = TOKENS["o-same"].light
NEITHER = TOKENS["o-neither"].light
WORSE = TOKENS["o-worse"].light
ONLY_OTHER = TOKENS["o-only-top"].light
OTHER_INK = TOKENS["o-top-ink"].light
TAG = TOKENS["tag"].light
MARK = TOKENS["mark"].light
ALERT = TOKENS["alert"].light
RAMP = tuple(TOKENS[f"h{step}"].light for step in range(7))
RAMP_HIGH_INK = TOKENS["h-hi-ink"].light
