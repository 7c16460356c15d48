"""Who am I, with this token?"""

from __future__ import annotations

from datetime import datetime

from ninja import Schema
from pydantic import Field

from toprung.web.services.mine.own_runs import MOST_FILES, MOST_RUNS, OwnState


class TeamOut(Schema):
    """A team that the token acts for."""

    slug: str = Field(examples=["kestrel-lab"])
    name: str = Field(examples=["Kestrel Lab"])


class OwnRunOut(Schema):
    """A run of the person's teams, or a file that did not become one, as their home page tells it."""

    board: str = Field(description="By its slug.", examples=["web-docs"])
    run: str | None = Field(description="Null of a file that is no run.", examples=["R12"])
    name: str = Field(description="Of the run, or of the file.")
    team: str
    at: datetime = Field(description="When it was sent.")
    state: str = Field(description="In one word.", examples=list(OwnState))
    outcome: str = Field(
        description="What came of it.", examples=["May be best, with 1 other. It proved an improvement over bm25."]
    )
    score: str = Field(description="As everyone sees it; empty where nothing is shown.", examples=["0.417"])
    rank: str = Field(description="The places it may have; empty where nothing is shown.", examples=["1–2"])
    may_be_best: bool
    needs_you: bool = Field(description="Whether something is for its team to do.")
    url: str


class MeOut(Schema):
    """The person whose token it is, and what it may do."""

    name: str
    email: str
    teams: list[TeamOut] = Field(description="Those that the token acts for.")
    scopes: list[str] = Field(description="Of read, submit, organise, judge.", examples=[["read", "submit"]])
    team: str | None = Field(description="The only team that the token acts for, by its slug; null for all.")
    expires_at: datetime
    runs: list[OwnRunOut] | None = Field(
        description=f"Of the teams that the token acts for, the latest first: at most {MOST_RUNS} runs and "
        f"{MOST_FILES} files. Null for a token that may not read."
    )
