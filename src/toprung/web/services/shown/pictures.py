"""When is a drawing painted? Once an hour: painting takes longer than asking for it.

What was painted is kept apart from what the limits count by, so that nobody who has pictures made pushes that out.
"""

from __future__ import annotations

from hashlib import sha256

from django.core.cache import caches

from toprung.report.charts.figure import PNG_SCALE

PICTURES = {"svg": "image/svg+xml", "png": "image/png", "pdf": "application/pdf"}
"""What a drawing can be taken along as, by the ending of the file: its type."""
KEPT = "pictures"
"""What the settings call this cache."""


def find_painted(svg: str, ending: str, *, scale: float = PNG_SCALE) -> bytes | None:
    """Without painting: SVG as it is, others if this process has kept them."""
    if ending == "svg":
        return svg.encode()
    kept: bytes | None = caches[KEPT].get(_key(svg, ending, scale))
    return kept


def paint(svg: str, ending: str, *, scale: float = PNG_SCALE) -> bytes:
    """As PNG or PDF; kept."""
    from toprung.extras.pictures import paint_pdf, paint_png

    painted = paint_png(svg, scale=scale) if ending == "png" else paint_pdf(svg)
    caches[KEPT].set(_key(svg, ending, scale), painted)
    return painted


def _key(svg: str, ending: str, scale: float) -> str:
    return f"{sha256(svg.encode()).hexdigest()}:{scale:g}:{ending}"
