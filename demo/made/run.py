"""What is a made-up run? A name, a team, and how good it was made; its dates are so many days before today.

They stand in a CSV beside the description of their board. Columns that say how good a run is made are the board's own.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

from toprung.data.run_metadata import Metadata, RunMetadata


@dataclass(frozen=True, kw_only=True)
class MadeRun[S]:
    """A run of a board that is made up; without a team it is a baseline."""

    name: str
    days_ago: int
    about: str
    skill: S
    """As whoever draws its ranking takes it."""
    team: str = ""
    tags: tuple[str, ...] = ()
    cost: float | None = None
    latency: float | None = None
    links: tuple[str, ...] = ()
    """Of paper, code, model; the addresses lead nowhere."""
    days_anonymous: int = 0

    def known(self, today: date) -> RunMetadata:
        """As an organiser would import it."""
        return RunMetadata(
            name=self.name,
            team=self.team,
            date=today - timedelta(days=self.days_ago),
            is_baseline=not self.team,
            description=self.about,
            tags=self.tags,
            cost=self.cost,
            latency=self.latency,
            anonymous_until=today + timedelta(days=self.days_anonymous) if self.days_anonymous else None,
            paper=self._link("paper"),
            code=self._link("code"),
            model=self._link("model"),
        )

    def _link(self, kind: str) -> str:
        return f"https://{kind}.example/{self.name}" if kind in self.links else ""


def read_runs[S](path: Path, to_skill: Callable[[Mapping[str, str]], S]) -> tuple[MadeRun[S], ...]:
    """The runs of a board, in the order of the file."""
    with path.open(newline="", encoding="utf-8") as lines:
        return tuple(_to_run(row, to_skill(row)) for row in csv.DictReader(lines))


def _to_run[S](row: Mapping[str, str], skill: S) -> MadeRun[S]:
    return MadeRun(
        name=row["run"],
        days_ago=int(row["days_ago"]),
        about=row["description"],
        skill=skill,
        team=row["team"],
        tags=_parts(row["tags"]),
        cost=float(row["cost"]) if row["cost"] else None,
        latency=float(row["latency"]) if row["latency"] else None,
        links=_parts(row["links"]),
        days_anonymous=int(row["days_anonymous"] or 0),
    )


def _parts(text: str) -> tuple[str, ...]:
    return tuple(text.split(";")) if text else ()


def known_of[S](runs: Iterable[MadeRun[S]]) -> Metadata:
    today = datetime.now(UTC).date()
    return Metadata(entries=tuple(run.known(today) for run in runs))
