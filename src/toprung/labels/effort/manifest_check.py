"""Does a manifest hold what commands will look for? It may have been edited by hand."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from toprung.errors import FormatError

KINDS_OF_ENTRIES: Mapping[str, tuple[type, str]] = {
    "seed": (int, "a whole number"),
    "depth": (int, "a whole number"),
    "runs": (list, "a list"),
    "queries": (str, "a text"),
    "documents": (str, "a text"),
    "void_scope": (str, "a text"),
    "block": (str, "a text"),
    "qrels": (dict, "an object"),
    "tasks": (dict, "an object"),
    "plan": (dict, "an object"),
    "challenges": (dict, "an object"),
    "sample": (dict, "an object"),
    "imports": (dict, "an object"),
    "judges": (dict, "an object"),
    "qrels.digest": (str, "a text"),
    "tasks.seed": (int, "a whole number"),
    "tasks.per_task": (int, "a whole number"),
    "tasks.golds_per_task": (int, "a whole number"),
    "tasks.release_after": (float, "a number of hours"),
    "challenges.rule": (str, "a text"),
    "challenges.most_per_team": (int, "a whole number"),
}
"""What is under each key, and with a dot, under a key of that. Keys nobody knows are left alone."""
OBJECTS_BY_NAME = ("imports", "judges")


def check_manifest(manifest: Mapping[str, Any], source: str) -> None:
    """Refuse an entry of another kind, by its key."""
    for name, (kind, expected) in KINDS_OF_ENTRIES.items():
        key, _, inner = name.partition(".")
        holder = manifest if not inner else manifest.get(key, {})
        _check(holder, inner or key, kind, expected, source=source, name=name)
    for key in OBJECTS_BY_NAME:
        for inner in manifest.get(key, {}):
            _check(manifest[key], inner, dict, "an object", source=source, name=f"{key}.{inner}")


def _check(holder: Mapping[str, Any], key: str, kind: type, expected: str, *, source: str, name: str) -> None:
    if key in holder and type(holder[key]) is not kind:
        raise FormatError(
            source=source,
            found=f"{json.dumps(holder[key])[:60]} under '{name}'",
            expected=expected,
            advice="Undo the edit by hand.",
        )
