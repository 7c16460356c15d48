"""What does a team say of its run? A JSON object, checked before anything is sent.

The names are those of metadata files, and those of the form on the board where it has others.
"""

from __future__ import annotations

import difflib
import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from typing import Any

from toprung.data.formats.content import refuse_stream
from toprung.data.formats.tables.cell_values import to_day
from toprung.data.run_card import A_COST, CardValue, RunCard, card_fields, is_cost
from toprung.errors import FormatError
from toprung.words.visible import in_one_line

LARGEST_FILE = 1 << 20
TEAM = "team"
_FIRST, *_REST = card_fields()
NAMES = (*_FIRST.keys, TEAM, *(key for each in _REST for key in each.keys))
"""All names that the file may have."""


@dataclass(frozen=True, kw_only=True)
class CardFile:
    """What the file says: the card, and which team it is of."""

    card: RunCard = field(default_factory=RunCard)
    team: str = ""
    """The last part of the address of the team's page."""

    def called(self, name: str) -> RunCard:
        """The card under this name, if it is one."""
        return replace(self.card, name=name) if name else self.card


def read_card(path: Path) -> CardFile:
    """Read what is said of a run; a FormatError names the key that is wrong, and the one that was perhaps meant."""
    source = str(path)
    refuse_stream(path)
    with path.open("rb") as file:
        content = file.read(LARGEST_FILE + 1)
    if len(content) > LARGEST_FILE:
        raise FormatError(source=source, found=f"more than {LARGEST_FILE:,} bytes", expected="the words of one run")
    said = _parse(content, source)
    _check_names(said, source)
    team = _read_value(said, (TEAM,), _read_line, source)
    given = {each.name: _read_value(said, each.keys, READERS[each.holds], source) for each in card_fields()}
    card = RunCard(**{name: value for name, value in given.items() if value is not None})
    return CardFile(card=card, team=team or "")


def _read_value(said: dict[str, Any], names: Sequence[str], read: Callable[[object], Any], source: str) -> Any:
    """What stands under one of the names; None where nothing does."""
    there = [name for name in names if said.get(name) is not None]
    if len(there) > 1:
        raise FormatError(source=source, found=f"both '{there[0]}' and '{there[1]}'", expected="one of the two")
    if not there:
        return None
    value = read(said[there[0]])
    if isinstance(value, _Expected):
        shown = in_one_line(json.dumps(said[there[0]], ensure_ascii=False))[:80]
        raise FormatError(source=source, found=f"'{there[0]}': {shown}", expected=value.what)
    return value


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


def _read_whole_or_line(value: object) -> str | _Expected:
    is_whole = isinstance(value, int) and not isinstance(value, bool)
    return str(value) if is_whole else _read_line(value)


def _read_day(value: object) -> date | _Expected:
    day = to_day(value) if isinstance(value, str) else None
    return _Expected("a day such as 2027-05-01") if day is None else day


READERS: dict[CardValue, Callable[[object], object]] = {
    CardValue.LINE: _read_line,
    CardValue.WHOLE_OR_LINE: _read_whole_or_line,
    CardValue.TEXT: _read_text,
    CardValue.ADDRESS: _read_text,
    CardValue.TAGS: _read_tags,
    CardValue.COST: _read_cost,
    CardValue.DAY: _read_day,
}
