"""What is known of a run beside its ranking? Who made it and when, what it costs, which system and seed it is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from typing import Any

from toprung.data.run_card import A_COST, CardField, CardValue, RunCard, card_fields, is_cost
from toprung.data.submissions import Submissions, SubmittedRun
from toprung.errors import FormatError, InputError

type Day = date  # where a field is called date


@dataclass(frozen=True, kw_only=True)
class RunMetadata(RunCard):
    """What is known of one run: what its team says of it, and whose it is; only its name must be."""

    team: str = ""
    date: Day | None = None
    """The day of submission."""
    is_baseline: bool = False

    def __post_init__(self) -> None:
        self._check_text("team", self.team)
        for each in card_fields():
            self._check_value(each, getattr(self, each.name))
        if not self.name:
            raise self._error("a row without a run", "the name of a run")
        if self.date is not None and self.anonymous_until is not None and self.anonymous_until < self.date:
            found = f"an embargo until {self.anonymous_until}, before the submission on {self.date}"
            raise self._error(found, "a day from that of submission on, or nothing")

    def card(self) -> RunCard:
        """What its team says of it."""
        return RunCard(**{each.name: getattr(self, each.name) for each in card_fields()})

    def _check_value(self, declared: CardField, value: Any) -> None:
        column = declared.columns[0]
        if declared.holds in (CardValue.LINE, CardValue.WHOLE_OR_LINE):
            self._check_text(column, value)
        elif declared.holds is CardValue.TAGS:
            for tag in value:
                self._check_text("tag", tag)
        elif declared.holds is CardValue.COST and value is not None and not is_cost(value):
            raise self._error(f"{column} {value:g}", f"{A_COST}, or nothing")

    def _check_text(self, name: str, text: str) -> None:
        """Names stand in one line of a table: no line ends, nothing that moves a cursor."""
        control = next((each for each in text if each < " " or "\x7f" <= each <= "\x9f"), None)
        if control is not None:
            raise self._error(f"control character U+{ord(control):04X} in the {name}", "printable text")

    def _error(self, found: str, expected: str) -> FormatError:
        source = f"run '{self.name}'" if self.name.isprintable() else "metadata"
        return FormatError(source=source, found=found, expected=expected)


@dataclass(frozen=True, kw_only=True)
class Metadata:
    """What is known of runs, each once, in the order given.

    >>> known = Metadata(entries=(RunMetadata(name="bm25", cost=1.0, tags=("sparse",)), RunMetadata(name="dense")))
    >>> known.costs(), known.tags(), known.dates()
    ({'bm25': 1.0}, {'bm25': ('sparse',)}, {})
    """

    entries: tuple[RunMetadata, ...]
    source: str = ""
    digest: str = ""
    ignored_columns: tuple[str, ...] = ()
    """Columns of the file that say nothing known, as they are written there."""

    def __post_init__(self) -> None:
        repeated = [run for run, count in Counter(entry.name for entry in self.entries).items() if count > 1]
        if repeated:
            raise InputError(f"Found run '{repeated[0]}' twice; expected each run once.")
        first: dict[tuple[str, str], str] = {}
        for entry in self.entries:
            if not (entry.system and entry.seed):
                continue
            earlier = first.setdefault((entry.system, entry.seed), entry.name)
            if earlier != entry.name:
                raise InputError(
                    f"Found seed '{entry.seed}' of system '{entry.system}' twice, in the runs '{earlier}' and "
                    f"'{entry.name}'; expected each seed of a system once."
                )

    def select(self, runs: Collection[str]) -> Metadata:
        """What is known of these runs alone; a run of which nothing is known is in neither."""
        wanted = set(runs)
        return replace(self, entries=tuple(entry for entry in self.entries if entry.name in wanted))

    @cached_property
    def by_run(self) -> dict[str, RunMetadata]:
        return {entry.name: entry for entry in self.entries}

    def dates(self) -> dict[str, date]:
        """When runs were submitted, of those that have a date."""
        return {entry.name: entry.date for entry in self.entries if entry.date is not None}

    def teams(self) -> dict[str, str]:
        """Whose runs they are, where that is known."""
        return {entry.name: entry.team for entry in self.entries if entry.team}

    def tags(self) -> dict[str, tuple[str, ...]]:
        """The tags of the runs that have any."""
        return {entry.name: entry.tags for entry in self.entries if entry.tags}

    def costs(self) -> dict[str, float]:
        """What runs cost, of those that say so."""
        return {entry.name: entry.cost for entry in self.entries if entry.cost is not None}

    def latencies(self) -> dict[str, float]:
        """Milliseconds per query, of the runs that say so."""
        return {entry.name: entry.latency for entry in self.entries if entry.latency is not None}

    def systems(self) -> dict[str, tuple[str, ...]]:
        """For each system its runs, one a seed; runs without a system are in none."""
        systems: dict[str, list[str]] = {}
        for entry in self.entries:
            if entry.system:
                systems.setdefault(entry.system, []).append(entry.name)
        return {system: tuple(runs) for system, runs in systems.items()}

    def baselines(self) -> tuple[str, ...]:
        """The runs that were there from the start."""
        return tuple(entry.name for entry in self.entries if entry.is_baseline)

    def submissions(self) -> Submissions:
        """Who submitted what, and when. A baseline without team or date is no submission; any other run needs both."""
        made = []
        for entry in self.entries:
            if entry.team and entry.date is not None:
                made.append(
                    SubmittedRun(run=entry.name, team=entry.team, date=entry.date, embargo_until=entry.anonymous_until)
                )
            elif not entry.is_baseline:
                missing = "date" if entry.team else "team"
                raise InputError(
                    f"Found no {missing} for run '{entry.name}'; expected a team and a date for every run."
                )
        return Submissions(entries=tuple(made), source=self.source, digest=self.digest)
