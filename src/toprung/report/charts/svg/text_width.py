"""How wide is a text? By a table, on the wide side: a chart is laid out before anybody knows the fonts of the reader.

Of every character the wider of DejaVu Sans and DejaVu Serif, the widest faces that browsers fall back on, in hundredths
of the size of the type. What fits with them fits with every other.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from toprung.words.visible import in_one_line

FIRST, LAST = " ", "~"
PLAIN = (
    32, 41, 46, 84, 64, 96, 90, 28, 40, 40, 50, 84, 32, 37, 32, 34, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 34, 34, 84,
    84, 84, 54, 100, 73, 74, 77, 81, 73, 70, 80, 88, 40, 41, 75, 67, 103, 88, 82, 68, 82, 76, 69, 67, 85, 73, 103, 72,
    67, 70, 40, 34, 40, 84, 50, 50, 62, 65, 57, 65, 62, 38, 65, 65, 32, 32, 61, 32, 98, 65, 62, 65, 65, 48, 53, 41, 65,
    60, 86, 60, 60, 53, 64, 34, 64, 84,
)  # fmt: skip
BOLD = (
    35, 46, 53, 84, 70, 101, 91, 31, 48, 48, 53, 84, 38, 42, 38, 37, 70, 70, 70, 70, 70, 70, 70, 70, 70, 70, 40, 40, 84,
    84, 84, 59, 100, 78, 85, 80, 87, 77, 71, 86, 95, 47, 48, 87, 71, 111, 92, 88, 76, 88, 84, 73, 75, 88, 78, 113, 78,
    73, 73, 48, 37, 48, 84, 50, 50, 68, 72, 61, 72, 68, 44, 72, 73, 38, 37, 70, 38, 106, 73, 69, 72, 72, 53, 60, 48, 73,
    66, 93, 65, 66, 59, 72, 37, 72, 84,
)  # fmt: skip
SIGNS = {"–": 50, "−": 84, "…": 100, "“": 66, "”": 66, "’": 38, "·": 38, "◄": 77, "►": 77, "▲": 77, "▼": 77}
LETTER, BOLD_LETTER, FULL_WIDTH = 73, 82, 104
"""Of another script: in the mean, and where a character takes the place of two."""
SIZE = 12.0


def text_width(text: str, size: float = SIZE, *, bold: bool = False) -> float:
    """In points.

    >>> text_width("run"), text_width("run", bold=True), text_width("run", 24)
    (21.36, 23.88, 42.72)
    """
    return _hundredths(text, bold=bold) * size / 100


@lru_cache(maxsize=4096)
def _hundredths(text: str, *, bold: bool) -> int:
    table = BOLD if bold else PLAIN
    return sum(
        table[ord(each) - ord(FIRST)] if FIRST <= each <= LAST else _width_of_other(each, bold=bold) for each in text
    )


def _width_of_other(character: str, *, bold: bool) -> int:
    if character in SIGNS:
        return SIGNS[character]
    if unicodedata.combining(character):
        return 0
    if unicodedata.east_asian_width(character) in "WF":
        return FULL_WIDTH
    return BOLD_LETTER if bold else LETTER


def cut(text: str, most: float, size: float = SIZE, *, bold: bool = False) -> str:
    """The text, or as much of it as fits, with an ellipsis.

    >>> cut("a-long-name", 40), cut("short", 40)
    ('a-lo…', 'short')
    """
    shown = in_one_line(text)
    if text_width(shown, size, bold=bold) <= most:
        return shown
    while shown and text_width(f"{shown}…", size, bold=bold) > most:
        shown = shown[:-1]
    return f"{shown}…"


def wrap(text: str, most: float, size: float = SIZE) -> list[str]:
    """The text in lines that fit, broken between words.

    >>> wrap("queries of the board", 80)
    ['queries of', 'the board']
    """
    lines = [""]
    for word in in_one_line(text).split(" "):
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and text_width(longer, size) > most:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines
