"""What is told of a run, and what may its team say of it?"""

from __future__ import annotations

from datetime import date as Day  # noqa: N812 - a field is called date elsewhere
from datetime import datetime
from typing import Annotated

from ninja import Schema
from pydantic import AfterValidator, ConfigDict, Field

from toprung.web.api.schemas.results import ClaimOut


def check_text(text: str) -> str:
    """JSON can hold what no text has: half of a pair of surrogates, or the character zero."""
    if "\x00" in text or any("\ud800" <= letter <= "\udfff" for letter in text):
        raise ValueError("text without half letters or the character zero")
    return text


Text = Annotated[str, AfterValidator(check_text)]
Number = Annotated[float, Field(allow_inf_nan=False)]


class RunCardIn(Schema):
    """What a team says of its run. Lengths and forms are checked as on the page."""

    model_config = ConfigDict(extra="forbid")

    name: Text | None = Field(None, description="New on the board, up to 80 letters.", examples=["kestrel-xl"])
    description: Text | None = Field(None, description="What is new in it.", examples=["A larger encoder."])
    paper: Text | None = Field(None, examples=["https://example.org/paper"])
    code: Text | None = Field(None, examples=["https://example.org/code"])
    kind: Text | None = Field(None, examples=["full ranking"])
    tags: list[Text] | None = Field(None, description="Up to five; none has a comma in it.", examples=[["dense"]])
    cost: Number | None = Field(None, description="In one unit for all your runs.")
    latency: Number | None = Field(None, description="Milliseconds per query.")
    system: Text | None = Field(None, description="What this run is one training or seed of.")
    seed: Text | None = None
    anonymous_until: Day | None = Field(None, description="Within the embargo rule of the board.")


class NewRunIn(RunCardIn):
    """A checked file that becomes a run; name and description are needed."""

    file: str = Field(pattern="^[0-9]{1,18}$", description="The id of a file that was accepted.", examples=["12"])


class RunOut(Schema):
    """A run; of an anonymous one, what would tell whose it is is empty."""

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
    description: str
    paper: str
    code: str
    kind: str
    tags: list[str]
    cost: float | None
    latency: float | None
    system: str
    seed: str
    anonymous_until: Day | None
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
