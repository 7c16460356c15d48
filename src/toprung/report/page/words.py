"""How does a text of others reach a page? As text and nothing else, and unable to turn the words around it."""

from __future__ import annotations

import re
from html import escape

from toprung.words.visible import spell_hidden

_RIGHT_TO_LEFT = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff"
# From the first such letter to the last of the same name: a list of names parts at its commas.
_RIGHT_TO_LEFT_NAME = re.compile(f"([{_RIGHT_TO_LEFT}](?:[^A-Za-z,;:]*[{_RIGHT_TO_LEFT}])?)")

_COMMAND = re.compile("`(toprung[^`<>]*)`")


def plain(text: str) -> str:
    r"""Escaped, for an attribute or a title.

    >>> plain('<b> "x" \u202e')
    '&lt;b&gt; &quot;x&quot; [U+202E]'
    """
    return escape(spell_hidden(text))


def words(text: str) -> str:
    r"""Escaped, for the page itself; a name that runs from right to left keeps to itself.

    >>> words("a < b")
    'a &lt; b'
    >>> words("\u05d0\u05d1: 12") == "<bdi>\u05d0\u05d1</bdi>: 12"
    True
    """
    if text.isascii():
        return plain(text)
    pieces = _RIGHT_TO_LEFT_NAME.split(text)
    return "".join(f"<bdi>{plain(piece)}</bdi>" if number % 2 else plain(piece) for number, piece in enumerate(pieces))


def prose(text: str) -> str:
    """The same for sentences of ours, in which commands stand between backticks.

    >>> prose("run `toprung --help`")
    'run <code>toprung --help</code>'
    """
    return _COMMAND.sub(r"<code>\1</code>", words(text))
