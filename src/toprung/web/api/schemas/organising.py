"""What do organisers see besides?"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from ninja import Schema
from pydantic import Field


class AuditEntryOut(Schema):
    """An entry as it is chained; people by their numbers."""

    number: int
    at: datetime
    who: str
    what: str
    details: dict[str, Any]
    previous: str = Field(description="The digest of the entry before.")
    digest: str


class AuditOut(Schema):
    """A part of the audit log, from the first entry on."""

    items: list[AuditEntryOut]
    count: int


class ValidityOut(Schema):
    """Can this board be trusted? As the page of organisers shows it, without drawings."""

    bold: str
    rest: str
    because: str
    n_runs: int
    private: dict[str, Any] = Field(description="Public against private scores, or why there are none.")
    policy: dict[str, Any]
    teams: list[dict[str, Any]]
    n_more_teams: int
    chain: dict[str, Any] = Field(description="Whether the audit log holds.")
    is_behind: bool
