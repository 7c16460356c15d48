"""How wide is a text? By the widths of DejaVu, the widest of the fonts that may stand in for ours: so it fits.

In thousandths of the font size, for the characters from the blank to the tilde.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

FIRST = 32
SANS = (
    *(318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361, 318, 337),
    *(636, 636, 636, 636, 636, 636, 636, 636, 636, 636, 337, 337, 838, 838, 838, 531),
    *(1000, 684, 686, 698, 770, 632, 575, 775, 752, 295, 295, 656, 557, 863, 748, 787),
    *(603, 787, 695, 635, 611, 732, 684, 989, 685, 611, 685, 390, 337, 390, 838, 500),
    *(500, 613, 635, 550, 635, 615, 352, 635, 634, 278, 278, 579, 278, 974, 634, 612),
    *(635, 635, 411, 521, 392, 634, 592, 818, 592, 592, 525, 636, 337, 636, 838),
)
SERIF_BOLD = (
    *(348, 439, 521, 838, 696, 950, 903, 306, 473, 473, 523, 838, 348, 415, 348, 365),
    *(696, 696, 696, 696, 696, 696, 696, 696, 696, 696, 369, 369, 838, 838, 838, 586),
    *(1000, 776, 845, 796, 867, 762, 710, 854, 945, 468, 473, 869, 703, 1107, 914, 871),
    *(752, 871, 831, 722, 744, 872, 776, 1123, 776, 714, 730, 473, 365, 473, 838, 500),
    *(500, 648, 699, 609, 699, 636, 430, 699, 727, 380, 362, 693, 380, 1058, 727, 667),
    *(699, 699, 527, 563, 462, 727, 581, 861, 596, 581, 568, 643, 364, 643, 838),
)
OTHER, WIDE = 800, 1050
"""Letters of other alphabets, and those that take two places."""


def measure_text(text: str, size: float, widths: Sequence[int] = SANS) -> float:
    """In the units of ``size``.

    >>> measure_text("Aa", 10), measure_text("検索", 10)
    (12.97, 21.0)
    """
    return sum(_width_of(letter, widths) for letter in text) * size / 1000


def _width_of(letter: str, widths: Sequence[int]) -> int:
    place = ord(letter) - FIRST
    if 0 <= place < len(widths):
        return widths[place]
    return WIDE if unicodedata.east_asian_width(letter) in "WF" else OTHER


def shorten_text(text: str, room: float, size: float, widths: Sequence[int] = SANS) -> str:
    """The beginning that fits, with an ellipsis where some is left out.

    >>> shorten_text("meridian", 30, 10), shorten_text("meridian", 300, 10)
    ('mer…', 'meridian')
    """
    if measure_text(text, size, widths) <= room:
        return text
    kept = text
    while kept and measure_text(f"{kept}…", size, widths) > room:
        kept = kept[:-1]
    return f"{kept.rstrip()}…"


def wrap_text(text: str, room: float, size: float, widths: Sequence[int] = SANS) -> list[str]:
    """In lines that fit; a word that fits in none is shortened.

    >>> wrap_text("who may be best", 60, 10)
    ['who may', 'be best']
    """
    lines: list[str] = []
    for word in text.split():
        fitting = shorten_text(word, room, size, widths)
        longer = f"{lines[-1]} {fitting}" if lines else fitting
        if lines and measure_text(longer, size, widths) <= room:
            lines[-1] = longer
        else:
            lines.append(fitting)
    return lines
