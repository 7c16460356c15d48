"""What is told of a run, and what may its team say of it?"""

from __future__ import annotations

from datetime import date as Day  # noqa: N812 - a field is called date elsewhere
from datetime import datetime
from typing import Annotated, Any

from ninja import Schema
from pydantic import AfterValidator, ConfigDict, Field

from toprung.data.run_card import CardField, CardValue, card_fields
from toprung.web.api.schemas.boards import LABEL_DOUBT, UNTIL_JUDGED, ScoreRangeOut
from toprung.web.api.schemas.declared import with_fields
from toprung.web.api.schemas.results import ClaimOut


def check_text(text: str) -> str:
    """JSON can hold what no text has: half of a pair of surrogates, or the character zero."""
    if "\x00" in text or any("\ud800" <= letter <= "\udfff" for letter in text):
        raise ValueError("text without half letters or the character zero")
    return text


Text = Annotated[str, AfterValidator(check_text)]
Number = Annotated[float, Field(allow_inf_nan=False)]


def asked_of_cards() -> dict[str, Any]:
    """What a program may send of a card."""
    return {each.name: _asked(each) for each in card_fields()}


def _asked(declared: CardField) -> tuple[Any, Any]:
    kinds: dict[CardValue, Any] = {CardValue.COST: Number, CardValue.TAGS: list[Text], CardValue.DAY: Day}
    examples = None if declared.example is None else [declared.example]
    return kinds.get(declared.holds, Text) | None, Field(None, description=declared.about, examples=examples)


def told_of_cards() -> dict[str, Any]:
    """What is told of a card, beside the name."""
    kinds: dict[CardValue, Any] = {CardValue.COST: float | None, CardValue.TAGS: list[str], CardValue.DAY: Day | None}
    return {each.name: (kinds.get(each.holds, str), ...) for each in card_fields() if each.name != "name"}


@with_fields(asked_of_cards)
class RunCardIn(Schema):
    """What a team says of its run. Lengths and forms are checked as on the page."""

    model_config = ConfigDict(extra="forbid")


class NewRunIn(RunCardIn):
    """A checked file that becomes a run; name and description are needed."""

    file: str = Field(pattern="^[0-9]{1,18}$", description="The id of a file that was accepted.", examples=["12"])


class RunHeadOut(Schema):
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


@with_fields(told_of_cards)
class RunSaidOut(RunHeadOut):
    """The same, and what its team says of it."""


class RunOut(RunSaidOut):
    """A run; of an anonymous one, what would tell whose it is is empty."""

    score: float | None = Field(description="As the release policy shows it to you.")
    interval: list[float] | None = Field(description="The 95% interval of the score.", examples=[[0.31, 0.36]])
    until_judged: ScoreRangeOut | None = Field(description=UNTIL_JUDGED)
    label_doubt: float | None = Field(description=LABEL_DOUBT)
    rank_low: int | None
    rank_high: int | None
    place: int | None = Field(description="By score; equal scores share the better place.")
    top_group: bool | None = Field(description="Whether it may be best: no other run is better.")
    proved_since: Day | None = Field(description="The day its claim passed; null if none did.")
    status: str = Field(description="What came of its claim, such as 'last proved gain'; empty where it made none.")
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
