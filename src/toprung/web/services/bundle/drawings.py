"""May a stored figure of another server be shown as it is? Only lines, areas and words, as our renderer draws them.

Pages show figures without escaping them, for a task drew them. Those of a bundle somebody else may have drawn.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any
from xml.etree.ElementTree import ParseError, fromstring

from toprung.boards.archive.rows import Row

SHAPES = ("path", "rect", "line", "circle", "ellipse", "polygon", "polyline", "text", "tspan")
AROUND = ("svg", "g", "defs", "title", "desc", "clipPath", "linearGradient", "radialGradient", "stop", "pattern")
ELEMENTS = frozenset((*SHAPES, *AROUND))
ATTRIBUTES = re.compile(
    r"d|x[12]?|y[12]?|[cr]?[xyr]|dx|dy|id|role|class|width|height|points|offset|opacity|display|version|viewBox"
    r"|transform|(gradient|pattern)(Units|Transform)|(fill|stroke|font|text|stop|clip|aria|pointer|dominant)(-[a-z-]+)?"
    r"|preserveAspectRatio|visibility|direction|letter-spacing|paint-order"
)
NAMESPACE = "{http://www.w3.org/2000/svg}"
INSIDE = re.compile(r"url\((?!#)|javascript:|data:|\\", re.IGNORECASE)
"""What leads out of the figure; a backslash may spell any of it."""
DRAWN = ("svg", "narrow")
"""What pages show as it is: the figure, and the same for a small screen."""
FIGURES_OF_NUMBERS = frozenset({"axis", "shares", "counts", "drawn", "against", "outcomes"})
"""What pages draw from: numbers, so no markup."""
MOST_DECIMALS = 20
"""A number with a billion of them would keep a page busy for ever."""


def check_content(row: Row) -> None:
    """Refuse a row whose ``content`` could put anything but figures and text on a page."""
    content = row["content"]
    if not isinstance(content, dict):
        row.refuse("a content that is no object", "one")
    for svg in (each for key in DRAWN for each in _find(content, key)):
        fault = "no text" if not isinstance(svg, str) else find_fault(svg)
        if fault:
            row.refuse(f"a figure with {fault}", "one as Toprung draws it")
    for key in FIGURES_OF_NUMBERS:
        for value in _find(content, key):
            if any("<" in text for text in _texts(value)):
                row.refuse(f"markup in {key}", "numbers")
    for decimals in _find(content, "decimals"):
        if not isinstance(decimals, int) or not 0 <= decimals <= MOST_DECIMALS:
            row.refuse("decimals that no page can show", f"from 0 to {MOST_DECIMALS}")


def find_fault(svg: str) -> str:
    """What is in the figure that must not be; empty where there is nothing."""
    if "<!" in svg or "<?" in svg:
        return "a declaration"
    try:
        root = fromstring(svg)  # noqa: S314 - declarations, which entities need, were refused just now
    except (ParseError, ValueError, RecursionError):
        return "markup that cannot be read"
    for element in root.iter():
        name = str(element.tag).removeprefix(NAMESPACE)
        if name not in ELEMENTS:
            return f"the element {name[:40]}"
        for attribute, value in element.attrib.items():
            if not ATTRIBUTES.fullmatch(attribute) or INSIDE.search(value):
                return f"the attribute {attribute[:40]}"
    return ""


def _find(value: Any, key: str) -> Iterator[Any]:
    """Whatever stands under this key, however deep."""
    if isinstance(value, dict):
        if key in value:
            yield value[key]
        for each in value.values():
            yield from _find(each, key)
    elif isinstance(value, list):
        for each in value:
            yield from _find(each, key)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _texts(each)
