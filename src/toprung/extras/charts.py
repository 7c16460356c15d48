"""Altair, in which figures are defined."""

from __future__ import annotations

from contextlib import AbstractContextManager

from toprung.extras.missing import say_missing

try:
    import altair as alt
    from altair.utils.schemapi import debug_mode
except ModuleNotFoundError:
    raise say_missing("altair", extra="figures", for_what="figures") from None

__all__ = ["alt", "unchecked"]


def unchecked() -> AbstractContextManager[None]:
    """Charts made meanwhile are not held against Altair's schema part by part: that takes as long as to make them.

    The tests hold every kind of figure against it as a whole.
    """
    return debug_mode(False)
