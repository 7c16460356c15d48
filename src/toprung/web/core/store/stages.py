"""Where was this board before? Each host that it came from, with the names of the people in the entries made there.

The audit log calls people by their number on the host that wrote it. The same number is somebody else here, so every
import keeps the names of the host before, and up to which entry they hold.
"""

from __future__ import annotations

from typing import TypedDict

from toprung.boards.archive.rows import Row
from toprung.web.core.models.boards import Board


class EarlierHost(TypedDict):
    """One host before this one."""

    made_by: str
    """Its address."""
    made_at: str
    imported_at: str
    key: str
    """The fingerprint of the key that signed the bundle."""
    entries: int
    """The number of the last audit entry that was written before the board came here."""
    people: dict[str, str]
    """Names of those whom the entries of that host call "user 12"."""
    has_labels: bool
    """Whether the hidden labels came along, or were given again since."""


NAMES = tuple(EarlierHost.__annotations__)
KINDS: dict[str, type] = {"entries": int, "people": dict, "has_labels": bool}


def stage_of(board: Board, number: int) -> EarlierHost | None:
    """The host that wrote this audit entry; None where it was written here."""
    return next((stage for stage in board.imported if number <= stage["entries"]), None)


def check_stages(row: Row, *, entries: int) -> None:
    """Those of a board that comes from a host which had imported it itself, up to the last of its audit entries.

    One that reached further would give its names to what is done here.
    """
    stages = row["imported"]
    if not isinstance(stages, list) or not all(_is_stage(each) for each in stages):
        row.refuse("hosts before that are told in another way", "a list of them")
    last = [each["entries"] for each in stages]
    if last != sorted(last) or not all(0 <= each <= entries for each in last):
        row.refuse("hosts before that wrote other entries", f"some of {entries:,}, one host after the other")


def _is_stage(value: object) -> bool:
    return (
        isinstance(value, dict)
        and set(value) == set(NAMES)
        and all(isinstance(value[name], KINDS.get(name, str)) for name in NAMES)
        and all(isinstance(name, str) for name in value["people"].values())
    )
