"""How long did an answer take where no script measured it? From when its page was made, which the form carries, signed.

The time is counted by the server's clock alone; a browser's may be wrong by a day.
"""

from __future__ import annotations

import time

from django.core.signing import BadSignature, Signer

SALT = "toprung.judging.shown"
LONGEST_MS = 3_600_000
"""A time above an hour says nothing of the pair: someone went away, or the browser was asleep."""


def sign_shown(assignment_id: str, slot: int) -> str:
    """That this pair of this task is shown now."""
    return _signer(assignment_id, slot).sign(f"{_now():013}")


def read_taken(given: str, assignment_id: str, slot: int) -> int | None:
    """Milliseconds since it was shown; None where that is not known, or is no time to read a pair."""
    try:
        shown = int(_signer(assignment_id, slot).unsign(given))
    except BadSignature:
        return None
    taken = _now() - shown
    return taken if 0 <= taken <= LONGEST_MS else None


def _signer(assignment_id: str, slot: int) -> Signer:
    return Signer(salt=f"{SALT}.{assignment_id}.{slot}")


def _now() -> int:
    return time.time_ns() // 1_000_000
