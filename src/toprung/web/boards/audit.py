"""What was done to this board, and by whom? Entries chained by their digests, so that none can be changed unseen."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from datetime import UTC
from typing import Any

from django.utils import timezone

from toprung.web.accounts.models import User
from toprung.web.boards.models import AuditEntry, Board

WORKER = "worker"


def record(board: Board, who: object, what: str, **details: Any) -> AuditEntry:
    """Add an entry; call it in a transaction that holds the board (`hold_board`), so that numbers do not collide."""
    last = board.audit.order_by("-number").first()
    entry = AuditEntry(
        board=board,
        number=1 if last is None else last.number + 1,
        at=timezone.now(),
        who=who.reference if isinstance(who, User) else str(who),
        what=what,
        details=details,
        previous="" if last is None else last.digest,
    )
    entry.digest = digest_of(entry)
    entry.save(force_insert=True)
    return entry


def names_of(entries: Iterable[AuditEntry]) -> dict[str, str]:
    """Each `who` of these entries with the name to show: people by the name they go by now, or as former members."""
    whos = {entry.who for entry in entries}
    ids = [pk for who in whos if (pk := _user_id(who)) is not None]
    people = {user.reference: str(user) for user in User.objects.filter(pk__in=ids)}
    return {who: people.get(who, who) for who in whos}


def _user_id(who: str) -> int | None:
    kind, _, number = who.partition(" ")
    return int(number) if kind == "user" and number.isdecimal() else None


def digest_of(entry: AuditEntry) -> str:
    """SHA-256 of all that the entry says and of the digest before it."""
    said = [
        entry.board.slug,
        entry.number,
        entry.at.astimezone(UTC).isoformat(),
        entry.who,
        entry.what,
        entry.details,
        entry.previous,
    ]
    return hashlib.sha256(json.dumps(said, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


def find_break(board: Board) -> int | None:
    """The number of the first entry that does not follow from those before; None if the chain holds."""
    previous, expected = "", 1
    for entry in board.audit.order_by("number").iterator():
        entry.board = board
        if entry.number != expected or entry.previous != previous or entry.digest != digest_of(entry):
            return expected
        previous, expected = entry.digest, expected + 1
    return None
