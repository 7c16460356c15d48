"""Which of two answers did an assessor prefer? Preference judgments, as held in memory: append-only, never changed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, fields
from enum import StrEnum
from functools import cached_property
from json.encoder import encode_basestring_ascii as quote
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from toprung.data.judgment_columns import current_of, has_escapes, is_plain, joined, needs_escapes, to_columns, to_lines
from toprung.data.utf8 import is_text
from toprung.errors import InputError

if TYPE_CHECKING:
    import polars as pl


class Choice(StrEnum):
    """What was chosen. A skip is no vote; the pair is offered again."""

    LEFT = "left"
    RIGHT = "right"
    TIE = "tie"
    SKIP = "skip"


class AssessorKind(StrEnum):
    """Who judged: a person here, a language model, or whoever made an imported file."""

    HUMAN = "human"
    LLM = "llm"
    IMPORT = "import"


class PairFields(NamedTuple):
    """The fields of a `Pair`."""

    query_id: str
    a: str
    b: str


class Pair(PairFields):
    """Two answers to one query, in the order of their ids: which stood left is no part of it.

    A tuple, for every vote is looked up by its pair.
    """

    __slots__ = ()

    def __new__(cls, query_id: str, a: str, b: str) -> Self:
        if not a < b:
            raise InputError(f"Found the pair '{a}', '{b}'; expected two answers in the order of their ids.")
        return super().__new__(cls, query_id, a, b)

    @classmethod
    def of(cls, query_id: str, one: str, other: str) -> Self:
        """The pair of two answers, given in whichever order.

        >>> Pair.of("q1", "d9", "d2")
        Pair(query_id='q1', a='d2', b='d9')
        """
        if one == other:
            raise InputError(f"Found '{one}' on both sides of a pair of query '{query_id}'; expected two answers.")
        return cls(query_id, one, other) if one < other else cls(query_id, other, one)


@dataclass(frozen=True, kw_only=True, slots=True)
class Judgment:
    """One answer of one assessor to one pair, as it was shown.

    ``supersedes`` names the judgment this one takes back and replaces: nothing is ever changed or deleted.
    """

    judgment_id: str
    query_id: str
    left: str
    right: str
    choice: Choice
    assessor: str = ""
    kind: AssessorKind = AssessorKind.HUMAN
    task_id: str | None = None
    slot: int | None = None
    is_gold: bool = False
    ms: int | None = None
    supersedes: str | None = None

    def __post_init__(self) -> None:
        if self.left == self.right:
            raise InputError(
                f"Found '{self.left}' on both sides of a judgment of query '{self.query_id}'; expected two answers."
            )

    @property
    def pair(self) -> Pair:
        return Pair.of(self.query_id, self.left, self.right)

    @property
    def is_vote(self) -> bool:
        return self.choice is not Choice.SKIP and not self.is_gold

    @property
    def winner(self) -> str | None:
        """The preferred answer; None for a tie or a skip."""
        if self.choice is Choice.LEFT:
            return self.left
        return self.right if self.choice is Choice.RIGHT else None

    def to_record(self) -> dict[str, Any]:
        """As a line of JSONL holds it: without what is not known."""
        values = ((name, getattr(self, name)) for name in FIELDS)
        return {name: value for name, value in values if value is not None and value is not False and value != ""}

    @classmethod
    def from_record(cls, record: dict[str, Any]) -> Self:
        """From a line of JSONL; a field that is missing, unknown or of the wrong kind is an `InputError`."""
        if not _is_plain(record):
            _refuse_faults(record)
        known = dict(record)
        known["choice"] = CHOICES[known["choice"]]
        known["kind"] = KINDS[known.get("kind", AssessorKind.HUMAN)]
        return cls(**known)


def _is_plain(record: dict[str, Any]) -> bool:
    """Whether a record surely has no fault, as nearly all have none: said of all its texts at once."""
    get = record.get
    task_id, supersedes = get("task_id"), get("supersedes")
    try:
        needed = (record["judgment_id"], record["query_id"], record["left"], record["right"])
        others = ("" if task_id is None else task_id, "" if supersedes is None else supersedes, get("assessor", ""))
        is_ascii = "".join((*needed, *others)).isascii() and all(needed) and task_id != "" and supersedes != ""
        is_known = record["choice"] in CHOICES and get("kind", AssessorKind.HUMAN) in KINDS
    except (KeyError, TypeError):
        return False
    counts = _is_count_or_none(get("slot")) and _is_count_or_none(get("ms")) and type(get("is_gold", False)) is bool
    return is_ascii and is_known and counts and record.keys() <= KNOWN


def _refuse_faults(record: dict[str, Any]) -> None:
    for name, value in record.items():
        check_field(name, value)
    missing = [name for name in NEEDED if name not in record]
    if missing:
        raise InputError(f"Found no {missing[0]}; expected a judgment, with {', '.join(NEEDED)}.")


def check_field(name: str, value: Any) -> None:
    """Refuse a value that a field of a judgment cannot hold, and a field that judgments do not have."""
    if name not in MEANINGS:
        raise InputError(f"Found {say_value(name)}; expected a field of a judgment: {', '.join(FIELDS)}.")
    is_right, expected = MEANINGS[name]
    if not is_right(value):
        raise InputError(f"Found {name} {say_value(value)}; expected {expected}.")


def say_value(value: Any) -> str:
    """A value of JSON, for a message: made printable, cut where it is long."""
    return f"a {type(value).__name__}" if isinstance(value, list | dict) else json.dumps(value)[:80]


def _is_id(value: Any) -> bool:
    return is_text(value) and value != ""


def _is_id_or_none(value: Any) -> bool:
    return value is None or _is_id(value)


def _is_count_or_none(value: Any) -> bool:
    return value is None or (type(value) is int and 0 <= value <= LARGEST_COUNT)


FIELDS = tuple(each.name for each in fields(Judgment))
KNOWN = frozenset(FIELDS)
NEEDED = ("judgment_id", "query_id", "left", "right", "choice")
LARGEST_COUNT = 2**53
"""What every reader of JSON can hold."""
CHOICES = {choice.value: choice for choice in Choice}
KINDS = {kind.value: kind for kind in AssessorKind}
MEANINGS: dict[str, tuple[Callable[[Any], bool], str]] = {
    **dict.fromkeys(("judgment_id", "query_id", "left", "right"), (_is_id, "an id, as text")),
    "choice": (lambda value: isinstance(value, str) and value in CHOICES, f"one of {', '.join(CHOICES)}"),
    "kind": (lambda value: isinstance(value, str) and value in KINDS, f"one of {', '.join(KINDS)}"),
    "assessor": (is_text, "a name, as text"),
    **dict.fromkeys(("task_id", "supersedes"), (_is_id_or_none, "an id, as text")),
    **dict.fromkeys(("slot", "ms"), (_is_count_or_none, "a whole number from 0")),
    "is_gold": (lambda value: isinstance(value, bool), "true or false"),
}
"""For each field of a record whether a value is right, and what is expected."""


def _to_line(judgment: Judgment) -> str:
    """The record as JSON: what ``json.dumps`` gives, in a fraction of the time."""
    each = judgment
    line = (
        f'{{"judgment_id": {quote(each.judgment_id)}, "query_id": {quote(each.query_id)}, "left": {quote(each.left)}, '
        f'"right": {quote(each.right)}, "choice": "{each.choice.value}"'
    )
    if each.assessor:
        line += f', "assessor": {quote(each.assessor)}'
    line += f', "kind": "{each.kind.value}"'
    if each.task_id is not None and each.task_id != "":
        line += f', "task_id": {quote(each.task_id)}'
    if each.slot is not None:
        line += f', "slot": {each.slot}'
    if each.is_gold:
        line += ', "is_gold": true'
    if each.ms is not None:
        line += f', "ms": {each.ms}'
    if each.supersedes is not None and each.supersedes != "":
        line += f', "supersedes": {quote(each.supersedes)}'
    return line + "}"


class Judgments:
    """All judgments ever made, in the order they were made; ``current`` are those that no later one supersedes.

    They are held as records (``rows``) or as columns (``columns``, see ``judgment_columns``), and either is made of the
    other where it is asked for.
    """

    def __init__(self, held: tuple[Judgment, ...] | pl.DataFrame, lines: pl.Series | None = None) -> None:
        """``lines`` are those of the columns, where it is known that JSON in ASCII holds them so."""
        self._held, self._lines = held, lines

    @classmethod
    def of(cls, rows: Iterable[Judgment]) -> Self:
        return cls(tuple(rows))

    @cached_property
    def rows(self) -> tuple[Judgment, ...]:
        return self._held if isinstance(self._held, tuple) else tuple(_to_rows(self._held))

    @cached_property
    def columns(self) -> pl.DataFrame:
        return to_columns(self._held) if isinstance(self._held, tuple) else self._held

    @cached_property
    def current(self) -> tuple[Judgment, ...]:
        superseded = {each.supersedes for each in self.rows if each.supersedes is not None}
        return tuple(each for each in self.rows if each.judgment_id not in superseded)

    @cached_property
    def current_columns(self) -> pl.DataFrame:
        return current_of(self.columns)

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the current judgments, in whatever order they came."""
        columns = self.current_columns
        if self._lines is not None and len(columns) == len(self):
            lines = joined(self._lines.sort()).removesuffix(b"\n")
        else:
            lines = _to_sorted_lines(columns)
        return f"sha256:{hashlib.sha256(lines).hexdigest()}"

    def __len__(self) -> int:
        return len(self._held)

    def __repr__(self) -> str:
        return f"Judgments({len(self):,} rows, {len(self.current_columns):,} current)"


def _to_sorted_lines(columns: pl.DataFrame) -> bytes:
    """All judgments as JSON in ASCII; only those with a text that it writes otherwise are made records of."""
    text = joined(to_lines(columns).sort()).removesuffix(b"\n")
    if is_plain(text) and not has_escapes(text, columns):
        return text
    is_odd = needs_escapes(columns)
    odd = map(_to_line, _to_rows(columns.filter(is_odd)))
    return "\n".join(sorted((*to_lines(columns.filter(~is_odd)), *odd))).encode()


def _to_rows(columns: pl.DataFrame) -> Iterator[Judgment]:
    for values in columns.iter_rows(named=True):
        values["choice"], values["kind"] = CHOICES[values["choice"]], KINDS[values["kind"]]
        yield Judgment(**values)
