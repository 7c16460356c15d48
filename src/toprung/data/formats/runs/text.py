"""A run as text that is still to be read."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass

from toprung.data.formats.content import Content
from toprung.data.formats.runs.line_parser import Layout


@dataclass(frozen=True, eq=False)
class RunText:
    """The bytes of a text run, their layout, and how they are to be read."""

    content: Content
    layout: Layout
    _: KW_ONLY
    name: str
    source: str
    """Where the text came from, for messages."""
    float32_ties: bool = False
