"""Who read texts of hidden queries, and why? Written down before anything is shown.

An organiser gives a reason, which stands in the audit log too. An assessor's reason is the campaign: call
`note_assessor` once for each task, with the queries it holds.
"""

from __future__ import annotations

from collections.abc import Sequence

from toprung.web.core.access.reasons import check_reason
from toprung.web.core.access.texts import public_queries
from toprung.web.core.models.boards import Board
from toprung.web.core.models.data import DataFile, TextAccess
from toprung.web.core.models.people import User
from toprung.web.core.store.audit import record
from toprung.web.core.store.locks import lock_board
from toprung.words.wording import list_names, say_queries

NAMED_QUERIES = 5
NAMES = " ("
"""Before the names of the queries."""


def note_organiser(board: Board, query_ids: Sequence[str], *, reason: str, by: User) -> TextAccess | None:
    """None, and nothing on record, where all of them are public."""
    hidden = hidden_among(board, query_ids)
    return _note(board, _say(hidden), reason=reason, by=by) if hidden else None


def note_hidden_download(file: DataFile, *, reason: str, by: User) -> TextAccess:
    return _note(file.board, f"Downloaded the hidden file {file.name}", reason=reason, by=by)


def note_assessor(
    board: Board, query_ids: Sequence[str], *, campaign: str, by: User | None, assessor: str
) -> TextAccess | None:
    """``assessor`` is what somebody is called in the campaign, also with an account; None where all are public."""
    hidden = hidden_among(board, query_ids)
    if not hidden:
        return None
    reason = f"Judging: {campaign}"
    return TextAccess.objects.create(board=board, user=by, assessor=assessor, what=_say(hidden), reason=reason)


def forget_assessor(board_pk: int, assessor: str) -> None:
    """Of who opened texts under this name the day stays: which texts, and when, would tell which votes are theirs.

    That an account opened so many stays too, as of everyone who read hidden texts.
    """
    found = TextAccess.objects.filter(board=board_pk, assessor=assessor)
    for each in found:
        each.assessor, each.what = "", each.what.partition(NAMES)[0]
        each.at = each.at.replace(hour=0, minute=0, second=0, microsecond=0)
    TextAccess.objects.bulk_update(found, ["assessor", "what", "at"])


def hidden_among(board: Board, query_ids: Sequence[str]) -> list[str]:
    public = public_queries(board, query_ids)
    return [query_id for query_id in query_ids if query_id not in public]


def _say(hidden: Sequence[str]) -> str:
    what = f"Read texts of {say_queries(len(hidden))}{NAMES}{list_names(list(hidden), NAMED_QUERIES)})"
    return what[: TextAccess._meta.get_field("what").max_length]


def _note(board: Board, what: str, *, reason: str, by: User) -> TextAccess:
    reason = check_reason(reason)
    with lock_board(board.pk) as held:
        access = TextAccess.objects.create(board=held, user=by, what=what, reason=reason)
        record(held, by, what, reason=reason)
    return access
