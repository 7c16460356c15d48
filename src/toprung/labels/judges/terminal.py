"""How does a person judge without a browser? Two texts on the screen, one key for an answer.

Nothing shown tells a document id, a run or a rank. Texts are shown as text: what could move the cursor is taken out.
"""

from __future__ import annotations

import re
import textwrap
import unicodedata
from collections.abc import Callable
from itertools import zip_longest

from toprung.data.judgments import AssessorKind, Choice
from toprung.labels.tasks.protocol import Answer, LeaveError, QuitError, Text, UndoError

KEYS = {"1": Choice.LEFT, "2": Choice.RIGHT, "0": Choice.TIE, "s": Choice.SKIP}
HELP = "Which answers it better?  1 left · 2 right · 0 neither · s skip · u undo · q save and quit"
HELP_WITHOUT_TIES = HELP.replace("0 neither · ", "")
LEAVE_KEY, LEAVE_HELP = "x", " · x leave early"
SIDE_BY_SIDE_FROM = 88
"""Columns that leave each text lines of a readable length."""
WIDEST = 140
GAP = 4
ESCAPES = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b\n]*(?:\x07|\x1b\\)|.)?")
"""Whole ones; of one that is not ended only its beginning, for the rest is text."""
DIRECTIONS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
WIDE = ("W", "F")
"""Letters that take two columns."""
ENDS = ("", "\x03", "\x04")
"""The end of the input, Ctrl-C and Ctrl-D."""


class TerminalJudge:
    """A person at a terminal. ``read_key`` gives one key at a time, ``write`` shows a line."""

    kind = AssessorKind.HUMAN
    asks_both_orders = False

    def __init__(
        self,
        name: str,
        *,
        read_key: Callable[[], str],
        write: Callable[[str], None],
        width: Callable[[], int],
        allows_ties: bool = True,
        can_leave: bool = False,
    ) -> None:
        self.name = name
        self._read_key = read_key
        self._write = write
        self._width = width
        self._can_leave = can_leave
        self._help = (HELP if allows_ties else HELP_WITHOUT_TIES) + (LEAVE_HELP if can_leave else "")
        self._keys = {key: choice for key, choice in KEYS.items() if allows_ties or choice is not Choice.TIE}
        self.progress = ""

    def compare(self, query: Text, left: Text, right: Text) -> Answer:
        """Show the pair and wait for a key; `UndoError`, `QuitError` and `LeaveError` say what else was wanted."""
        texts = (query.text, left.text, right.text)
        self._write(show_pair(*texts, width=self._width(), progress=self.progress, help_line=self._help))
        while True:
            key = self._read_key().lower()
            if key in self._keys:
                return Answer(choice=self._keys[key])
            if key == "u":
                raise UndoError
            if key == LEAVE_KEY and self._can_leave:
                raise LeaveError
            if key == "q" or key in ENDS:
                raise QuitError
            if key.strip():
                self._write(self._help)


def show_pair(query: str, left: str, right: str, *, width: int, progress: str = "", help_line: str = HELP) -> str:
    """The question and the two answers, side by side where there is room, one below the other where not."""
    width = max(20, min(width, WIDEST))
    head = [*(["", progress] if progress else []), "", *_wrap(query, width), ""]
    if width >= SIDE_BY_SIDE_FROM:
        column = (width - GAP) // 2
        sides = zip_longest(["[1]", *_wrap(left, column)], ["[2]", *_wrap(right, column)], fillvalue="")
        body = [f"{_pad(one, column + GAP)}{other}".rstrip() for one, other in sides]
    else:
        body = ["[1]", *_wrap(left, width), "", "[2]", *_wrap(right, width)]
    return "\n".join([*head, *body, "", *textwrap.wrap(help_line, width)])


def _wrap(text: str, width: int) -> list[str]:
    cleaned = clean(text)
    if any(unicodedata.east_asian_width(each) in WIDE for each in cleaned):
        width //= 2
    return [part for line in cleaned.splitlines() for part in textwrap.wrap(line, width) or [""]] or ["(empty)"]


def clean(text: str) -> str:
    r"""The text without what a terminal would obey: escapes, control characters, changes of direction.

    >>> clean("a\x1b[2Jb\x07c\td")
    'abc d'
    """
    without = ESCAPES.sub("", text).replace("\t", " ").replace("\r\n", "\n")
    return "".join(
        each for each in without if each == "\n" or (unicodedata.category(each) != "Cc" and each not in DIRECTIONS)
    ).strip()


def _pad(text: str, width: int) -> str:
    """Filled up to so many columns; combining marks take none."""
    taken = sum(
        0 if unicodedata.combining(each) else 2 if unicodedata.east_asian_width(each) in WIDE else 1 for each in text
    )
    return text + " " * max(1, width - taken)
