"""What is told of a run, and what may its team say of it?"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date as Day  # noqa: N812 - a field is called date elsewhere
from datetime import datetime
from typing import Annotated, Any

from ninja import Schema
from pydantic import AfterValidator, ConfigDict, Field, create_model

from toprung.data.run_card import CardField, CardValue, card_fields
from toprung.web.api.schemas.results import ClaimOut


def check_text(text: str) -> str:
    """JSON can hold what no text has: half of a pair of surrogates, or the character zero."""
    if "\x00" in text or any("\ud800" <= letter <= "\udfff" for letter in text):
        raise ValueError("text without half letters or the character zero")
    return text


Text = Annotated[str, AfterValidator(check_text)]
Number = Annotated[float, Field(allow_inf_nan=False)]


def with_fields[S: Schema](declare: Callable[[CardField], tuple[Any, Any]]) -> Callable[[type[S]], type[S]]:
    """The class with a field for each that a team may fill in; one that it has itself stays as it is."""

    def add(schema: type[S]) -> type[S]:
        fields: dict[str, Any] = {
            each.name: declare(each) for each in card_fields() if each.name not in schema.model_fields
        }
        made = create_model(schema.__name__, __base__=schema, __module__=schema.__module__, **fields)
        made.__doc__ = schema.__doc__
        return made

    return add


def asks_for_card(declared: CardField) -> tuple[Any, Any]:
    """What a program may send of it."""
    kinds: dict[CardValue, Any] = {CardValue.COST: Number, CardValue.TAGS: list[Text], CardValue.DAY: Day}
    examples = None if declared.example is None else [declared.example]
    return kinds.get(declared.holds, Text) | None, Field(None, description=declared.about, examples=examples)


def says_card(declared: CardField) -> tuple[Any, Any]:
    """What is told of it."""
    kinds: dict[CardValue, Any] = {
        CardValue.COST: float | None,
        CardValue.TAGS: list[str],
        CardValue.DAY: Day | None,
    }
    return kinds.get(declared.holds, str), ...


@with_fields(asks_for_card)
class RunCardIn(Schema):
    """What a team says of its run. Lengths and forms are checked as on the page."""

    model_config = ConfigDict(extra="forbid")


class NewRunIn(RunCardIn):
    """A checked file that becomes a run; name and description are needed."""

    file: str = Field(pattern="^[0-9]{1,18}$", description="The id of a file that was accepted.", examples=["12"])


class RunHead(Schema):
    """Which run it is, and how far."""

    label: str = Field(examples=["R32"])
    name: str
    team: str
    is_own: bool = Field(description="Whether it is of a team that you act for.")
    is_baseline: bool
    state: str = Field(description="queued, scoring, scored, done or failed.", examples=["done"])
    failure: str = Field(description="Why it could not be scored; empty where it could.")
    sentence: str
    is_behind: bool = Field(description="Whether there is more to come.")
    submitted_at: datetime
    withdrawn_at: datetime | None


@with_fields(says_card)
class RunSaid(RunHead):
    """The same, and what its team says of it."""


class RunOut(RunSaid):
    """A run; of an anonymous one, what would tell whose it is is empty."""

    score: float | None = Field(description="As the release policy shows it to you.")
    interval: list[float] | None = Field(description="The 95% interval of the score.", examples=[[0.31, 0.36]])
    rank_low: int | None
    rank_high: int | None
    place: int | None
    status: str
    labels_version: int | None = Field(description="Of the labels that the score is under.")
    claim: ClaimOut | None
    url: str


class RunsOut(Schema):
    """A part of the runs of one's teams, the latest first."""

    items: list[RunOut]
    count: int


class QuotaOut(Schema):
    """What a team may still submit."""

    limit: int
    days: int
    left: int
    next_date: Day = Field(description="The first day on which it may submit.")
