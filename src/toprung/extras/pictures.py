"""vl-convert, which turns SVG into PNG and PDF."""

from __future__ import annotations

import math
import re

from toprung.extras.missing import say_missing

try:
    import vl_convert
except ModuleNotFoundError:
    raise say_missing("vl-convert-python", extra="figures", for_what="PNG and PDF") from None

__all__ = ["paint_pdf", "paint_png"]

MOST_PIXELS = 50_000_000
"""Of a PNG: painting one takes four bytes for each."""
SIZE = re.compile(r'<svg[^>]* width="([\d.]+)" height="([\d.]+)"')


def paint_png(svg: str, *, scale: float) -> bytes:
    """A drawing as PNG, with ``scale`` pixels for each point, or fewer where they would be too many."""
    found = SIZE.match(svg)
    area = float(found[1]) * float(found[2]) if found else 0.0
    fitting = min(scale, math.sqrt(MOST_PIXELS / area)) if area else scale
    return bytes(vl_convert.svg_to_png(svg, scale=fitting))


def paint_pdf(svg: str) -> bytes:
    return bytes(vl_convert.svg_to_pdf(svg))
