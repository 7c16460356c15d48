"""What of a result is there to paste? A caption, a paragraph, references: texts that a paper takes as they are."""

from __future__ import annotations

from enum import Enum

from toprung.records import record
from toprung.words.visible import in_one_line


@record(kw_only=True)
class Citation:
    """A publication: how a text names it, and its entry in BibTeX."""

    key: str
    named: str
    """Such as "Mogstad et al. 2024"."""
    bibtex: str


class PassageKind(Enum):
    """Where a passage goes."""

    CAPTION = "caption"
    PROSE = "prose"
    CODE = "code"


@record(kw_only=True)
class Passage:
    """A text with its heading; a reference in it is cited in the way of the format that it is written in."""

    heading: str
    pieces: tuple[str | Citation, ...]
    kind: PassageKind = PassageKind.PROSE

    @property
    def text(self) -> str:
        """References by authors and year; all in one line unless it is code."""
        named = "".join(each if isinstance(each, str) else f"({each.named})" for each in self.pieces)
        return named if self.kind is PassageKind.CODE else in_one_line(named)
