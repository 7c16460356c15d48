"""What does a team say of its run? A JSON object, checked before anything is sent.

The names are those of metadata files, and those of the form on the board where it has others.
"""

from __future__ import annotations

import difflib
import json
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any

from toprung.data.formats.tables.cell_values import to_day
from toprung.data.run_card import A_COST, is_cost
from toprung.errors import FormatError
from toprung.words.visible import in_one_line

LARGEST_FILE = 1 << 20
FIELDS: dict[str, tuple[str, ...]] = {
    "name": ("name", "run"),
    "team": ("team",),
    "description": ("description",),
    "paper": ("paper",),
    "code": ("code",),
    "kind": ("type", "kind"),
    "tags": ("tags",),
    "cost": ("cost",),
    "latency": ("latency",),
    "system": ("system",),
    "seed": ("seed",),
    "anonymous_until": ("embargo_until", "anonymous_until"),
}
"""Each field by the names it may have in the file."""
NAMES = tuple(name for names in FIELDS.values() for name in names)


@dataclass(frozen=True, kw_only=True)
class ClientRunCard:
    """All that is said of a run beside its ranking."""

    name: str = ""
    team: str = ""
    """The last part of the address of the team's page."""
    description: str = ""
    paper: str = ""
    code: str = ""
    kind: str = ""
    tags: tuple[str, ...] = ()
    cost: float | None = None
    latency: float | None = None
    system: str = ""
    seed: str = ""
    anonymous_until: date | None = None

    def called(self, name: str) -> ClientRunCard:
        """The same under this name, if it is one."""
        return replace(self, name=name) if name else self

    def to_payload(self) -> dict[str, Any]:
        """As the server takes it; the team goes with the file."""
        until = self.anonymous_until
        return {
            "name": self.name,
            "description": self.description,
            "paper": self.paper,
            "code": self.code,
            "kind": self.kind,
            "tags": list(self.tags),
            "cost": self.cost,
            "latency": self.latency,
            "system": self.system,
            "seed": self.seed,
            "anonymous_until": None if until is None else until.isoformat(),
        }


def read_words(path: Path) -> ClientRunCard:
    """Read what is said of a run; a FormatError names the key that is wrong, and the one that was perhaps meant."""
    source = str(path)
    with path.open("rb") as file:
        content = file.read(LARGEST_FILE + 1)
    if len(content) > LARGEST_FILE:
        raise FormatError(source=source, found=f"more than {LARGEST_FILE:,} bytes", expected="the words of one run")
    said = _parse(content, source)
    _check_names(said, source)
    given: dict[str, Any] = {}
    for field, names in FIELDS.items():
        there = [name for name in names if said.get(name) is not None]
        if len(there) > 1:
            raise FormatError(source=source, found=f"both '{there[0]}' and '{there[1]}'", expected="one of the two")
        if there:
            value = READERS.get(field, _read_text)(said[there[0]])
            if isinstance(value, _Expected):
                shown = in_one_line(json.dumps(said[there[0]], ensure_ascii=False))[:80]
                raise FormatError(source=source, found=f"'{there[0]}': {shown}", expected=value.what)
            given[field] = value
    return ClientRunCard(**given)


@dataclass(frozen=True)
class _Expected:
    """What a value is not."""

    what: str


def _check_names(said: dict[str, Any], source: str) -> None:
    for name in said:
        if name not in NAMES:
            close = difflib.get_close_matches(name.lower(), NAMES, n=1)
            raise FormatError(
                source=source,
                found=f"'{in_one_line(name)[:80]}', which is not known",
                expected=f"some of {', '.join(NAMES)}",
                advice=f"Did you mean '{close[0]}'?" if close else "",
            )


def _parse(content: bytes, source: str) -> dict[str, Any]:
    def to_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        (name, count), *_ = Counter(name for name, _ in pairs).most_common(1) or [("", 0)]
        if count > 1:
            raise FormatError(source=source, found=f"'{in_one_line(name)[:80]}' {count} times", expected="it once")
        return dict(pairs)

    try:
        said = json.loads(content.decode("utf-8-sig"), object_pairs_hook=to_object)
    except FormatError:
        raise
    except (ValueError, RecursionError) as error:
        raise FormatError(source=source, found=f"text that is not JSON ({error})", expected="a JSON object") from None
    if not isinstance(said, dict):
        raise FormatError(source=source, found="JSON that is no object", expected='an object, such as {"name": "bm25"}')
    return said


def _read_text(value: object) -> str | _Expected:
    if not isinstance(value, str):
        return _Expected("text")
    try:
        value.encode()
    except UnicodeEncodeError:
        return _Expected("text that UTF-8 can hold")
    return value.strip()


def _read_line(value: object) -> str | _Expected:
    text = _read_text(value)
    return _Expected("text in one line, nothing unseen in it") if isinstance(text, str) and _hides(text) else text


def _hides(text: str) -> bool:
    return in_one_line(text) != text


def _read_tags(value: object) -> tuple[str, ...] | _Expected:
    parts = value.split(",") if isinstance(value, str) else value
    if not isinstance(parts, list) or not all(isinstance(part, str) and not _hides(part) for part in parts):
        return _Expected("a list of texts, or a text parted by commas")
    if any("," in part for part in parts):
        return _Expected("tags without commas in them")
    return tuple(dict.fromkeys(tag for part in parts if (tag := part.strip())))


def _read_cost(value: object) -> float | _Expected:
    if not isinstance(value, int | float) or isinstance(value, bool) or not is_cost(value):
        return _Expected(A_COST)
    return float(value)


def _read_seed(value: object) -> str | _Expected:
    is_whole = isinstance(value, int) and not isinstance(value, bool)
    return str(value) if is_whole else _read_line(value)


def _read_day(value: object) -> date | _Expected:
    day = to_day(value) if isinstance(value, str) else None
    return _Expected("a day such as 2027-05-01") if day is None else day


READERS: dict[str, Callable[[object], object]] = {
    "name": _read_line,
    "team": _read_line,
    "kind": _read_line,
    "system": _read_line,
    "tags": _read_tags,
    "cost": _read_cost,
    "latency": _read_cost,
    "seed": _read_seed,
    "anonymous_until": _read_day,
}
"""How the value of a field is read; the others are texts."""
