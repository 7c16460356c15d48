"""What became of a draft that was opened? Who goes back to it, or presses the button twice, comes to its board."""

from __future__ import annotations

from django.contrib.sessions.backends.base import SessionBase

KEY, MOST = "opened_drafts", 20


def note_opened(session: SessionBase, pk: int, slug: str) -> None:
    """The latest are known, until one signs out."""
    before = list(session.get(KEY, {}).items())
    session[KEY] = dict([*before, (str(pk), slug)][-MOST:])


def find_opened(session: SessionBase, pk: int) -> str:
    """The address of the board; empty where this session opened no such draft."""
    return str(session.get(KEY, {}).get(str(pk), ""))
