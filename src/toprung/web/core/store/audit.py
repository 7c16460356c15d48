"""What was done to this board, and by whom? Entries chained by their digests, so that none can be changed unseen.

The last one is kept apart, so that none can be cut off unseen.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC
from typing import Any

from django.utils import timezone

from toprung.boards.archive.chain import digest_entry
from toprung.web.core.models.audit import AuditEntry, AuditHead
from toprung.web.core.models.boards import Board
from toprung.web.core.models.people import User
from toprung.web.core.store.stages import stage_of

WORKER = "worker"
REFERENCE = re.compile(r"\buser (\d{1,18})\b")
"""How entries name people: see `User.reference`."""


def record(board: Board, who: object, what: str, **details: Any) -> AuditEntry:
    """Add an entry; call it in a transaction that locks the board (`lock_board`), so that numbers do not collide.

    It follows the last one that was written, whether that is still there or not, so that a gap stays to be seen.
    """
    n, last = _head_of(board)
    entry = AuditEntry(
        board=board,
        number=n + 1,
        at=timezone.now(),
        who=who.reference if isinstance(who, User) else str(who),
        what=what,
        details=details,
        previous=last,
    )
    entry.digest = digest_of(entry)
    entry.save(force_insert=True)
    keep_head(board, number=entry.number, digest=entry.digest)
    return entry


def keep_head(board: Board, *, number: int, digest: str) -> None:
    """Note which entry is the last; in the same transaction as the entry."""
    AuditHead.objects.update_or_create(board=board, defaults={"number": number, "digest": digest})


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
    return _find_cut(board, n=expected - 1, digest=previous)


def _find_cut(board: Board, *, n: int, digest: str) -> int | None:
    """The first entry that is missing at the end, or is there though it was not written as the others were."""
    written, last = _head_of(board)
    if written == n:
        return None if last == digest else n
    return min(written, n) + 1


def _head_of(board: Board) -> tuple[int, str]:
    """Number and digest of the last entry that was written."""
    head = AuditHead.objects.filter(board=board).first()
    return (0, "") if head is None else (head.number, head.digest)
