"""Why was it done? Some acts need a reason in words, kept with them for good."""

from __future__ import annotations

from toprung.errors import InputError

SHORTEST, LONGEST = 10, 1_000


def check_reason(text: str) -> str:
    """The reason as it is stored; an InputError where it says too little."""
    reason = text.replace("\r\n", "\n").strip()
    if "\0" in reason:
        raise InputError("Reason: found a zero character; expected text.")
    if not SHORTEST <= len(reason) <= LONGEST:
        raise InputError(f"Reason: found {len(reason):,} characters; expected from {SHORTEST} to {LONGEST:,}.")
    return reason
