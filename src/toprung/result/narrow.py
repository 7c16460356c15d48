"""Does a table fit the terminal? Long texts are cut in the middle, then columns at the end are left out."""

from __future__ import annotations

from collections.abc import Collection, Sequence

GAP = 2
"""Blanks between columns."""
LEAST_TEXT = 20
"""So much of a long text stays, for names must be told apart."""


def fit_columns(widths: Sequence[int], numeric: Collection[int], *, within: int) -> list[int]:
    """The widths of the columns that stay: as few are left out as can be, the last ones first, never the first.

    >>> fit_columns([6, 30, 8, 9], {0, 2, 3}, within=48)
    [6, 30, 8]
    >>> fit_columns([6, 30, 8, 9], {0, 2, 3}, within=40)
    [6, 22, 8]
    """
    for count in range(len(widths), 0, -1):
        kept = list(widths[:count])
        excess = sum(kept) + GAP * (count - 1) - within
        while excess > 0 and (cut := _widest_text(kept, numeric)) is not None:
            kept[cut] -= 1
            excess -= 1
        if excess <= 0 or count == 1:
            return kept
    return []


def _widest_text(widths: Sequence[int], numeric: Collection[int]) -> int | None:
    places = [place for place, width in enumerate(widths) if place not in numeric and width > LEAST_TEXT]
    return max(places, key=lambda place: widths[place], default=None)


def cut_middle(text: str, width: int) -> str:
    """The start and the end of a text that is too long: names of runs often differ at the end.

    >>> cut_middle("bm25-with-feedback-seed-3", 11), cut_middle("bm25", 11)
    ('bm25-…eed-3', 'bm25')
    """
    if len(text) <= width:
        return text
    end = (width - 1) // 2
    return f"{text[: width - 1 - end]}…{text[len(text) - end :]}"
