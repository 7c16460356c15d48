"""Who is named in a bundle? Everybody whom its rows name, by the name they go by, and by nothing else of them."""

from __future__ import annotations

from collections.abc import Iterator

from toprung.web.core.models.audit import AuditEntry
from toprung.web.core.models.people import User
from toprung.web.core.store.audit import REFERENCE

NAMELESS = "Name not given"
"""Elsewhere the first part of an address stands for a name; in a bundle nothing of an address does."""


class Mentioned:
    """Collects who is named while tables are written."""

    def __init__(self) -> None:
        self._ids: set[int] = set()

    def call(self, user_id: int | None) -> str | None:
        """How a row names this person."""
        if user_id is None:
            return None
        self._ids.add(user_id)
        return f"user {user_id}"

    def note(self, entry: AuditEntry) -> None:
        for text in (entry.who, entry.what):
            self._ids.update(int(number) for number in REFERENCE.findall(text))

    def rows(self) -> Iterator[dict[str, str]]:
        for user in User.objects.filter(pk__in=self._ids).order_by("pk").iterator():
            yield {"who": user.reference, "name": user.name or NAMELESS}
