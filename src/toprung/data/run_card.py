"""What may a team say of its run? Declared here once, for metadata files, form, API, client, page and bundle."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from datetime import date
from enum import Enum, auto
from functools import cache
from typing import Annotated, Any, Self, get_args, get_type_hints

SMALLEST_COST, LARGEST_COST = 1e-12, 1e15
A_COST = f"a positive number from {SMALLEST_COST:g} to {LARGEST_COST:g}"
"""What a cost or a latency may be: no unit needs more, and no axis could show more."""
COST_UNIT = "in its team’s unit"
"""What teams reckon with differs, and nobody asks for the name of it."""
MOST_TAGS, LONGEST_TAG = 5, 30


def is_cost(value: float) -> bool:
    """Whether something can cost so much.

    >>> is_cost(0.02), is_cost(0.0), is_cost(float("inf"))
    (True, False, False)
    """
    return SMALLEST_COST <= value <= LARGEST_COST


class CardValue(Enum):
    """What a field of a card holds."""

    LINE = auto()
    """Text in one line."""
    WHOLE_OR_LINE = auto()
    """The same, and files may have a whole number for it."""
    TEXT = auto()
    ADDRESS = auto()
    """On the web; in metadata files any reference."""
    COST = auto()
    TAGS = auto()
    DAY = auto()


@dataclass(frozen=True, kw_only=True)
class CardField:
    """One thing that a team may say of its run."""

    name: str = ""
    """In Python, in the form, in the API and where it is stored."""
    holds: CardValue
    label: str
    """For people."""
    limit: int | None = None
    """Letters at most."""
    is_needed: bool = False
    """Of a new run."""
    tells_team: bool = True
    """Whether it may tell whose an anonymous run is; then it is kept back."""
    columns: tuple[str, ...] = ()
    """Names in metadata files, where they are others; of several the first counts."""
    keys: tuple[str, ...] = ()
    """Names in the file of a single run; those of its column and of the form where nothing is said."""
    hint: str = ""
    """In the form."""
    about: str | None = None
    """In the description of the API."""
    example: object = None
    unit: str = ""
    """Said after a number."""

    @property
    def is_text(self) -> bool:
        return self.holds not in (CardValue.COST, CardValue.TAGS, CardValue.DAY)

    @property
    def nothing(self) -> str | tuple[str, ...] | None:
        """What it holds where nothing is said."""
        if self.is_text:
            return ""
        return () if self.holds is CardValue.TAGS else None

    def named(self, name: str) -> CardField:
        columns = self.columns or (name,)
        return replace(self, name=name, columns=columns, keys=self.keys or tuple(dict.fromkeys((columns[0], name))))


@dataclass(frozen=True, kw_only=True)
class RunCard:
    """What a team says of its run beside the ranking. A field that is added here is everywhere."""

    name: Annotated[
        str,
        CardField(
            holds=CardValue.LINE,
            label="Name of the run",
            limit=80,
            is_needed=True,
            columns=("run", "run_id", "id"),
            keys=("name", "run"),
            about="New on the board, up to 80 letters.",
            example="kestrel-xl",
        ),
    ] = ""
    description: Annotated[
        str,
        CardField(
            holds=CardValue.TEXT,
            label="What is new in this run",
            limit=2_000,
            is_needed=True,
            hint="Shown with the run. One paragraph.",
            about="What is new in it.",
            example="A larger encoder.",
        ),
    ] = ""
    paper: Annotated[
        str,
        CardField(holds=CardValue.ADDRESS, label="Paper", limit=500, example="https://example.org/paper"),
    ] = ""
    code: Annotated[
        str,
        CardField(holds=CardValue.ADDRESS, label="Code", limit=500, example="https://example.org/code"),
    ] = ""
    model: Annotated[
        str,
        CardField(holds=CardValue.ADDRESS, label="Model", limit=500, example="https://example.org/model"),
    ] = ""
    kind: Annotated[
        str,
        CardField(
            holds=CardValue.LINE,
            label="Type",
            limit=60,
            tells_team=False,
            columns=("type",),
            hint="Such as full ranking or reranking.",
            example="full ranking",
        ),
    ] = ""
    tags: Annotated[
        tuple[str, ...],
        CardField(
            holds=CardValue.TAGS,
            label="Tags",
            limit=200,
            tells_team=False,
            columns=("tags", "tag"),
            keys=("tags",),
            hint="Parted by commas.",
            about="Up to five; none has a comma in it.",
            example=["dense"],
        ),
    ] = ()
    cost: Annotated[
        float | None,
        CardField(
            holds=CardValue.COST,
            label="Cost",
            tells_team=False,
            hint="In one unit for all your runs, such as dollars per thousand queries.",
            about="In one unit for all your runs.",
            unit=COST_UNIT,
        ),
    ] = None
    latency: Annotated[
        float | None,
        CardField(
            holds=CardValue.COST,
            label="Latency",
            tells_team=False,
            hint="Milliseconds per query.",
            about="Milliseconds per query.",
            unit="ms per query",
        ),
    ] = None
    system: Annotated[
        str,
        CardField(
            holds=CardValue.LINE,
            label="System",
            limit=80,
            hint="What this run is one training or seed of.",
            about="What this run is one training or seed of.",
        ),
    ] = ""
    """Runs of one system differ in their seed alone."""
    seed: Annotated[str, CardField(holds=CardValue.WHOLE_OR_LINE, label="Seed", limit=40)] = ""
    anonymous_until: Annotated[
        date | None,
        CardField(
            holds=CardValue.DAY,
            label="Keep the team anonymous until",
            tells_team=False,
            columns=("embargo_until", "embargo", "embargo date"),
            keys=("embargo_until", "anonymous_until"),
            hint="The run stands on the board at once; organisers always see the team. Empty: not anonymous.",
            about="Within the embargo rule of the board.",
        ),
    ] = None

    def to_json(self) -> dict[str, Any]:
        """As it is sent and stored."""
        return {each.name: _to_json(getattr(self, each.name)) for each in card_fields()}

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """As it was stored; what is not there was not said."""
        there = [each for each in card_fields() if each.name in values]
        return cls(**{each.name: _from_json(each, values[each.name]) for each in there})


def card_fields() -> tuple[CardField, ...]:
    """All that a team may say of a run, in order.

    >>> [each.name for each in card_fields()][:3], card_fields()[5].columns, card_fields()[5].keys
    (['name', 'description', 'paper'], ('type',), ('type', 'kind'))
    """
    return _declared_in(RunCard)


@cache
def _declared_in(card: type[RunCard]) -> tuple[CardField, ...]:
    types = get_type_hints(card, include_extras=True)
    return tuple(get_args(types[each.name])[-1].named(each.name) for each in fields(card))


def _to_json(value: Any) -> Any:
    if isinstance(value, date):
        return value.isoformat()
    return list(value) if isinstance(value, tuple) else value


def _from_json(declared: CardField, value: Any) -> Any:
    if declared.holds is CardValue.TAGS:
        return tuple(value)
    return date.fromisoformat(value) if declared.holds is CardValue.DAY and value is not None else value
