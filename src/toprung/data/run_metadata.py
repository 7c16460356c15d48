"""What is known of a run beside its ranking? Who made it and when, what it costs, which system and seed it is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property

from toprung.data.run_card import A_COST, is_cost
from toprung.data.submissions import Submissions, SubmittedRun
from toprung.errors import FormatError, InputError

type Day = date  # where a field is called date


@dataclass(frozen=True, kw_only=True)
class RunMetadata:
    """What is known of one run; only its name must be."""

    run: str
    team: str = ""
    date: Day | None = None
    """The day of submission."""
    tags: tuple[str, ...] = ()
    description: str = ""
    paper: str = ""
    """Where it is described: an address or a reference."""
    code: str = ""
    type: str = ""
    """Such as ``full ranking`` or ``reranking``."""
    cost: float | None = None
    """In any one unit, the same for all runs, such as dollars per thousand queries."""
    latency: float | None = None
    """Milliseconds per query."""
    system: str = ""
    """What the run is one seed of; runs of one system differ in their seed alone."""
    seed: str = ""
    embargo_until: Day | None = None
    """The day to which the team wants its name kept back."""
    is_baseline: bool = False

    def __post_init__(self) -> None:
        for name in ("run", "team", "type", "system", "seed"):
            self._check_text(name, getattr(self, name))
        for tag in self.tags:
            self._check_text("tag", tag)
        if not self.run:
            raise self._error("a row without a run", "the name of a run")
        for name, value in (("cost", self.cost), ("latency", self.latency)):
            if value is not None and not is_cost(value):
                raise self._error(f"{name} {value:g}", f"{A_COST}, or nothing")
        if self.date is not None and self.embargo_until is not None and self.embargo_until < self.date:
            found = f"an embargo until {self.embargo_until}, before the submission on {self.date}"
            raise self._error(found, "a day from that of submission on, or nothing")

    def _check_text(self, name: str, text: str) -> None:
        """Names stand in one line of a table: no line ends, nothing that moves a cursor."""
        control = next((each for each in text if each < " " or "\x7f" <= each <= "\x9f"), None)
        if control is not None:
            raise self._error(f"control character U+{ord(control):04X} in the {name}", "printable text")

    def _error(self, found: str, expected: str) -> FormatError:
        source = f"run '{self.run}'" if self.run.isprintable() else "metadata"
        return FormatError(source=source, found=found, expected=expected)


@dataclass(frozen=True, kw_only=True)
class Metadata:
    """What is known of runs, each once, in the order given.

    >>> known = Metadata(entries=(RunMetadata(run="bm25", cost=1.0, tags=("sparse",)), RunMetadata(run="dense")))
    >>> known.costs(), known.tags(), known.dates()
    ({'bm25': 1.0}, {'bm25': ('sparse',)}, {})
    """

    entries: tuple[RunMetadata, ...]
    source: str = ""
    digest: str = ""
    ignored_columns: tuple[str, ...] = ()
    """Columns of the file that say nothing known, as they are written there."""

    def __post_init__(self) -> None:
        repeated = [run for run, count in Counter(entry.run for entry in self.entries).items() if count > 1]
        if repeated:
            raise InputError(f"Found run '{repeated[0]}' twice; expected each run once.")
        first: dict[tuple[str, str], str] = {}
        for entry in self.entries:
            if not (entry.system and entry.seed):
                continue
            earlier = first.setdefault((entry.system, entry.seed), entry.run)
            if earlier != entry.run:
                raise InputError(
                    f"Found seed '{entry.seed}' of system '{entry.system}' twice, in the runs '{earlier}' and "
                    f"'{entry.run}'; expected each seed of a system once."
                )

    def select(self, runs: Collection[str]) -> Metadata:
        """What is known of these runs alone; a run of which nothing is known is in neither."""
        wanted = set(runs)
        return replace(self, entries=tuple(entry for entry in self.entries if entry.run in wanted))

    @cached_property
    def by_run(self) -> dict[str, RunMetadata]:
        return {entry.run: entry for entry in self.entries}

    def dates(self) -> dict[str, date]:
        """When runs were submitted, of those that have a date."""
        return {entry.run: entry.date for entry in self.entries if entry.date is not None}

    def teams(self) -> dict[str, str]:
        """Whose runs they are, where that is known."""
        return {entry.run: entry.team for entry in self.entries if entry.team}

    def tags(self) -> dict[str, tuple[str, ...]]:
        """The tags of the runs that have any."""
        return {entry.run: entry.tags for entry in self.entries if entry.tags}

    def costs(self) -> dict[str, float]:
        """What runs cost, of those that say so."""
        return {entry.run: entry.cost for entry in self.entries if entry.cost is not None}

    def latencies(self) -> dict[str, float]:
        """Milliseconds per query, of the runs that say so."""
        return {entry.run: entry.latency for entry in self.entries if entry.latency is not None}

    def systems(self) -> dict[str, tuple[str, ...]]:
        """For each system its runs, one a seed; runs without a system are in none."""
        systems: dict[str, list[str]] = {}
        for entry in self.entries:
            if entry.system:
                systems.setdefault(entry.system, []).append(entry.run)
        return {system: tuple(runs) for system, runs in systems.items()}

    def baselines(self) -> tuple[str, ...]:
        """The runs that were there from the start."""
        return tuple(entry.run for entry in self.entries if entry.is_baseline)

    def submissions(self) -> Submissions:
        """Who submitted what, and when. A baseline without team or date is no submission; any other run needs both."""
        made = []
        for entry in self.entries:
            if entry.team and entry.date is not None:
                made.append(
                    SubmittedRun(run=entry.run, team=entry.team, date=entry.date, embargo_until=entry.embargo_until)
                )
            elif not entry.is_baseline:
                missing = "date" if entry.team else "team"
                raise InputError(f"Found no {missing} for run '{entry.run}'; expected a team and a date for every run.")
        return Submissions(entries=tuple(made), source=self.source, digest=self.digest)
