"""Does each entry of the audit log follow from the one before? Recomputed from what the entries say."""

from __future__ import annotations

import hashlib
import json
from typing import Any


def digest_entry(
    *, board: str, number: int, at: str, who: str, what: str, details: dict[str, Any], previous: str
) -> str:
    """SHA-256 of all that an entry says and of the digest before it; ``at`` in ISO 8601 and UTC."""
    said = [board, number, at, who, what, details, previous]
    return hashlib.sha256(json.dumps(said, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


class Chain:
    """Follows the entries of one board from the first on."""

    def __init__(self, board: str) -> None:
        self.board = board
        self.n = 0
        self.head = ""

    def follows(self, entry: dict[str, Any]) -> bool:
        """Whether this entry is the next one; from then on it is the last."""
        number = self.n + 1
        digest = digest_entry(
            board=self.board,
            number=number,
            at=entry["at"],
            who=entry["who"],
            what=entry["what"],
            details=entry["details"],
            previous=self.head,
        )
        if (entry["number"], entry["previous"], entry["digest"]) != (number, self.head, digest):
            return False
        self.n, self.head = number, digest
        return True
