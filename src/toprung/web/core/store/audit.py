"""What was done to this board, and by whom? Entries chained by their digests, so that none can be changed unseen."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC
from typing import Any

from django.utils import timezone

from toprung.boards.archive.chain import digest_entry
from toprung.web.core.models.audit import AuditEntry
from toprung.web.core.models.boards import Board
from toprung.web.core.models.people import User
from toprung.web.core.store.stages import stage_of

WORKER = "worker"
REFERENCE = re.compile(r"\buser (\d{1,18})\b")
"""How entries name people: see `User.reference`."""


def record(board: Board, who: object, what: str, **details: Any) -> AuditEntry:
    """Add an entry; call it in a transaction that locks the board (`lock_board`), so that numbers do not collide."""
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


def show_people(entries: Sequence[AuditEntry]) -> Iterator[tuple[str, str]]:
    """For each entry who made it and what it says, with people by the name they go by now, or as former members.

    Entries that came with an imported board call people by their numbers on the host before; those have names of their
    own, which came along.
    """
    ids = {int(number) for entry in entries for text in (entry.who, entry.what) for number in REFERENCE.findall(text)}
    here = {user.reference: str(user) for user in User.objects.filter(pk__in=ids)}
    for entry in entries:
        stage = stage_of(entry.board, entry.number)
        names = here if stage is None else stage["people"]
        who = names.get(entry.who, entry.who)
        yield who, _name_people(entry.what, names)


def _name_people(text: str, names: Mapping[str, str]) -> str:
    return REFERENCE.sub(lambda found: names.get(found[0], found[0]), text)


def digest_of(entry: AuditEntry) -> str:
    """SHA-256 of all that the entry says and of the digest before it."""
    return digest_entry(
        board=entry.board.slug,
        number=entry.number,
        at=entry.at.astimezone(UTC).isoformat(),
        who=entry.who,
        what=entry.what,
        details=entry.details,
        previous=entry.previous,
    )


def find_break(board: Board) -> int | None:
    """The number of the first entry that does not follow from those before; None if the chain holds."""
    previous, expected = "", 1
    for entry in board.audit.order_by("number").iterator():
        entry.board = board
        if entry.number != expected or entry.previous != previous or entry.digest != digest_of(entry):
            return expected
        previous, expected = entry.digest, expected + 1
    return None
