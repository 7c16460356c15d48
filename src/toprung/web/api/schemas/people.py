"""Who am I, with this token?"""

from __future__ import annotations

from datetime import datetime

from ninja import Schema
from pydantic import Field


class TeamOut(Schema):
    """A team that the token acts for."""

    slug: str = Field(examples=["kestrel-lab"])
    name: str = Field(examples=["Kestrel Lab"])


class MeOut(Schema):
    """The person whose token it is, and what it may do."""

    name: str
    email: str
    teams: list[TeamOut] = Field(description="Those that the token acts for.")
    scopes: list[str] = Field(description="Of read, submit, organise.", examples=[["read", "submit"]])
    team: str | None = Field(description="The only team that the token acts for, by its slug; null for all.")
    expires_at: datetime
