"""vl-convert, which turns SVG into PNG and PDF."""

from __future__ import annotations

from toprung.extras.missing import say_missing

try:
    import vl_convert
except ModuleNotFoundError:
    raise say_missing("vl-convert-python", extra="figures", for_what="PNG and PDF") from None

__all__ = ["vl_convert"]
