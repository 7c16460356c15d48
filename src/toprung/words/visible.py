"""Can a name hide or turn what stands beside it? Characters that nobody sees are spelt out before a text is shown.

Names come from others. A control character breaks a line or drives a terminal, a direction override (U+202E) turns
round the words behind it, a zero-width blank makes two names look the same, half a surrogate cannot be written at all.
What letters need stays: the joiners of Persian and of emoji.
"""

from __future__ import annotations

import re
import unicodedata

# Controls but tab and line ends; format characters but the joiners; halves of surrogates; deprecated fillers.
HIDDEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f"
    "\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e0fff]"
)
_LINE_ENDS_AND_TABS = re.compile("[ \t]*[\t\n\r\x85\u2028\u2029][ \t\n\r\x85\u2028\u2029]*")
QUOTED_CHARACTERS = 80
LEFT_TO_RIGHT = "\u200e"
"""A mark without width: numbers behind it are read from the left again."""


def spell_hidden(text: str) -> str:
    r"""The same with characters that nobody sees as their code points; tabs and line ends stay.

    >>> spell_hidden("bm25\u202e"), spell_hidden("a\x1b[31mb")
    ('bm25[U+202E]', 'a[U+001B][31mb')
    """
    return text if text.isprintable() else HIDDEN.sub(_code_point, text)


def in_one_line(text: str) -> str:
    r"""The same, and tabs and line ends as a blank: for a cell of a table, a sentence or a note.

    >>> in_one_line("two\n  lines")
    'two lines'
    """
    return text if text.isprintable() else _LINE_ENDS_AND_TABS.sub(" ", spell_hidden(text))


def quoted(text: str) -> str:
    """Show a piece of a file: made printable, cut where it is long."""
    start = text[: QUOTED_CHARACTERS + 1]
    shown = start if start.isprintable() else start.encode("unicode_escape").decode("ascii")
    return f"'{shown[:QUOTED_CHARACTERS]}…'" if len(shown) > QUOTED_CHARACTERS else f"'{shown}'"


def keep_apart(cell: str) -> str:
    r"""A cell of a line of text; one with letters from right to left does not turn round the cells beside it.

    >>> keep_apart("bm25"), len(keep_apart("\u05d0"))
    ('bm25', 3)
    """
    return f"{LEFT_TO_RIGHT}{cell}{LEFT_TO_RIGHT}" if not cell.isascii() and _has_right_to_left(cell) else cell


def _has_right_to_left(text: str) -> bool:
    return any(unicodedata.bidirectional(character) in ("R", "AL", "AN") for character in text)


def _code_point(found: re.Match[str]) -> str:
    return f"[U+{ord(found[0]):04X}]"
