"""Does a manifest hold what commands will look for? It may have been edited by hand."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from toprung.errors import FormatError

MOST_SEED = 2**63 - 1
MOST_IN_TASK = 1_000_000_000
HOURS_OF_A_YEAR = 8_760


class KindOfEntry(NamedTuple):
    """What an entry may be."""

    types: tuple[type, ...]
    expected: str
    least: float | None = None
    most: float | None = None

    def fits(self, value: Any) -> bool:
        if type(value) not in self.types:
            return False
        return (self.least is None or value >= self.least) and (self.most is None or value <= self.most)


def _whole(least: int, most: int | None = None) -> KindOfEntry:
    upto = "" if most is None else f" to {most:,}"
    return KindOfEntry((int,), f"a whole number from {least}{upto}", least, most)


TEXT, LIST, OBJECT = KindOfEntry((str,), "a text"), KindOfEntry((list,), "a list"), KindOfEntry((dict,), "an object")
HOURS = KindOfEntry((int, float), f"a number of hours from 0 to {HOURS_OF_A_YEAR:,}", 0, HOURS_OF_A_YEAR)
KINDS_OF_ENTRIES: Mapping[str, KindOfEntry] = {
    "seed": _whole(0),
    "depth": _whole(1),
    "runs": LIST,
    **dict.fromkeys(("queries", "documents", "void_scope", "block"), TEXT),
    **dict.fromkeys(("qrels", "tasks", "plan", "challenges", "sample", "imports", "judges"), OBJECT),
    "void_misses": _whole(1, MOST_IN_TASK),
    "qrels.digest": TEXT,
    "tasks.seed": _whole(0, MOST_SEED),
    "tasks.per_task": _whole(1, MOST_IN_TASK),
    "tasks.golds_per_task": _whole(0, MOST_IN_TASK),
    "tasks.release_after": HOURS,
    "challenges.rule": TEXT,
    "challenges.most_per_team": _whole(0),
}
"""What is under each key, and with a dot, under a key of that. Keys nobody knows are left alone."""
OBJECTS_BY_NAME = ("imports", "judges")


def check_manifest(manifest: Mapping[str, Any], source: str) -> None:
    """Refuse an entry of another kind, by its key."""
    for name, kind in KINDS_OF_ENTRIES.items():
        key, _, inner = name.partition(".")
        holder = manifest if not inner else manifest.get(key, {})
        _check(holder, inner or key, kind, source=source, name=name)
    for key in OBJECTS_BY_NAME:
        for inner in manifest.get(key, {}):
            _check(manifest[key], inner, OBJECT, source=source, name=f"{key}.{inner}")


def _check(holder: Mapping[str, Any], key: str, kind: KindOfEntry, *, source: str, name: str) -> None:
    if key in holder and not kind.fits(holder[key]):
        raise FormatError(
            source=source,
            found=f"{json.dumps(holder[key])[:60]} under '{name}'",
            expected=kind.expected,
            advice="Undo the edit by hand.",
        )
