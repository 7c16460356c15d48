"""Altair, in which figures are defined."""

from __future__ import annotations

from toprung.extras.missing import say_missing

try:
    import altair as alt
except ModuleNotFoundError:
    raise say_missing("altair", extra="figures", for_what="figures") from None

__all__ = ["alt"]
