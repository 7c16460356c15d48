"""What does a row of the leaderboard need of the database? That much is fetched: whole models cost three times that."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.db.models import QuerySet

from toprung.web.core.models.results import Standing

FETCHED = (
    "submission_id",
    "top_group",
    "content",
    *(f"submission__{name}" for name in ("run_id", "name", "tags", "said", "anonymous_until", "submitted_at")),
    *(f"submission__team__{name}" for name in ("pk", "name", "slug")),
)


@dataclass(frozen=True, slots=True)
class ListedTeam:
    """Whose run it is."""

    pk: int
    name: str
    slug: str


@dataclass(frozen=True, slots=True)
class ListedRun:
    """A standing with what is shown of its run; it reads as the two models do."""

    submission_id: int
    top_group: bool
    content: dict[str, Any]
    run_id: str
    name: str
    tags: list[str]
    said: dict[str, Any]
    anonymous_until: date | None
    submitted_at: datetime
    team: ListedTeam | None
    """None of a baseline."""

    @property
    def team_id(self) -> int | None:
        return None if self.team is None else self.team.pk

    def is_anonymous(self, today: date) -> bool:
        return self.anonymous_until is not None and today < self.anonymous_until


def fetch_listed(standings: QuerySet[Standing]) -> list[ListedRun]:
    """The rows of a question, in its order."""
    return list(_read(standings.values_list(*FETCHED)))


def _read(rows: Iterable[tuple[Any, ...]]) -> Iterable[ListedRun]:
    for row in rows:
        team_pk, name, slug = row[-3:]
        team = None if team_pk is None else ListedTeam(team_pk, name, slug)
        yield ListedRun(*(*row[:-3], team))
