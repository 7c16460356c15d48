"""Does what the public leaderboard shows hold on private queries? Scores, gains and orders on both.

A team that fits its runs to the public queries gains there and not on private ones (Craswell et al. 2021, section 3.2).
For every run its gain over a reference is compared between the two sets, and so are the two orders of all runs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from toprung.analyses import holdout_tables as tables
from toprung.analyses.holdout_sets import STEPS, BothSides, PrivateSet, compare_sides, correct_over_sets
from toprung.analyses.holdout_teams import Team, follow_teams, resamples_for
from toprung.analyses.holdout_words import say_notes, say_sentence
from toprung.data.matrices import ScoreTable
from toprung.data.submissions import Submissions
from toprung.errors import InputError
from toprung.result import Result, Table, json_safe
from toprung.scoring.catalogue import find_if_known
from toprung.stats.divergence import LEVEL
from toprung.stats.finding import MEAN_DIGITS
from toprung.stats.inputs import check_share
from toprung.version import __version__

if TYPE_CHECKING:
    import polars as pl

type ChosenBy = Literal["asked", "earliest", "worst"]

PUBLIC, PRIVATE = "public", "private"


def holdout(
    public: ScoreTable,
    private: ScoreTable | Mapping[str, ScoreTable],
    *,
    reference: str | None = None,
    submissions: Submissions | None = None,
    confidence: float = 0.95,
    seed: int = 0,
    on_progress: Callable[[str], None] = lambda _: None,
) -> Holdout:
    """Compare runs on public and on private queries.

    Parameters
    ----------
    public, private
        Scores of the same measure, queries × runs; several private sets by name. Queries with the same id on both
        sides are the same query (under other labels), and are drawn together.
    reference
        The run whose gain in public and in private is compared with the others': when left out, the earliest
        submitted, or without dates the one with the worst public score. Better a baseline that nobody tuned.
    submissions
        Who submitted what, and when: then teams are followed too.
    confidence
        Of the intervals. Divergences are tested at 0.025, one-sided, after Holm's correction over all of them.
    on_progress
        Called after each of the ``count_steps(private)`` steps.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> values = rng.random((80, 2)) + [0, 0.5]
    >>> ids = tuple(f"q{row}" for row in range(80))
    >>> public = ScoreTable(query_ids=ids[:60], runs=("old", "new"), values=values[:60], measure="nDCG@10")
    >>> private = ScoreTable(query_ids=ids[60:], runs=("old", "new"), values=values[60:], measure="nDCG@10")
    >>> holdout(public, private)["private"].order.tau.estimate
    1.0

    """
    check_share(confidence, name="confidence")
    named = _by_name(private)
    sign = _direction(public, named)
    public = _sorted(public)
    sides = {name: BothSides.of(name, public, _sorted(table)) for name, table in named.items()}
    chosen, chosen_by = _choose_reference(public, list(sides.values()), reference, submissions, sign)
    n_tests = sum(len(side.runs) - 1 for side in sides.values())
    found = [
        compare_sides(side, chosen, sign, confidence=confidence, n_tests=n_tests, seed=seed, tell=on_progress)
        for side in sides.values()
    ]
    teams: tuple[Team, ...] = ()
    if submissions is not None:
        private_tables = {name: side.private for name, side in sides.items()}
        teams = follow_teams(submissions, public, private_tables, sign=sign, confidence=confidence, seed=seed)
    on_progress("teams")
    names = set(public.runs)
    return Holdout(
        measure=public.measure,
        higher_is_better=sign > 0,
        reference=chosen,
        chosen_by=chosen_by,
        n_public=len(public.query_ids),
        sets=correct_over_sets(found),
        teams=teams,
        not_scored=tuple(e.run for e in submissions.by_date() if e.run not in names) if submissions else (),
        without_team=_without_team(public, submissions),
        confidence=confidence,
        seed=seed,
        resamples=resamples_for(n_tests),
        public_digest=public.digest,
        submissions_digest=submissions.digest if submissions else "",
        remarks=tuple(f"{name}: {each}" for name, table in {PUBLIC: public, **named}.items() for each in table.remarks),
    )


def count_steps(private: ScoreTable | Mapping[str, ScoreTable]) -> int:
    """How often `holdout` tells of its progress."""
    return STEPS * len(_by_name(private)) + 1


def _by_name(private: ScoreTable | Mapping[str, ScoreTable]) -> Mapping[str, ScoreTable]:
    named = {PRIVATE: private} if isinstance(private, ScoreTable) else private
    if not named:
        raise InputError(
            "Found no private set; expected scores on private queries, or the public ones on other labels."
        )
    return named


def _direction(public: ScoreTable, private: Mapping[str, ScoreTable]) -> int:
    for name, table in private.items():
        if table.measure != public.measure:
            raise InputError(
                f"Found {public.measure} on the public queries and {table.measure} on {name}; expected one measure, "
                "for gains in two cannot be compared."
            )
    for name, table in {"the public set": public, **private}.items():
        if not table.query_ids:
            raise InputError(f"Found no queries on {name}; expected at least one.")
    known = find_if_known(public.measure)
    return 1 if known is None or known.higher_is_better else -1


def _sorted(table: ScoreTable) -> ScoreTable:
    """By the names of runs: the order they came in must not matter, not even to the last digit."""
    return table.select(sorted(table.runs))


def _choose_reference(
    public: ScoreTable, sides: Sequence[BothSides], asked: str | None, submissions: Submissions | None, sign: int
) -> tuple[str, ChosenBy]:
    everywhere = [run for run in sides[0].runs if all(run in side.runs for side in sides)]
    if asked is not None:
        if asked not in everywhere:
            expected = ", ".join(everywhere) or "a run that is on all of them"
            raise InputError(f"reference: found no run '{asked}' on all sets of queries; expected one of {expected}.")
        return asked, "asked"
    if not everywhere:
        raise InputError("Found no run with scores on all private sets; expected one to be the reference.")
    means = {run: sign * round(float(np.nanmean(public.column(run))), MEAN_DIGITS) for run in everywhere}
    dated = {entry.run: entry.date for entry in submissions.entries if entry.run in everywhere} if submissions else {}
    if dated:
        return min(dated, key=lambda run: (dated[run], means[run], run)), "earliest"
    return min(everywhere, key=lambda run: (means[run], run)), "worst"


def _without_team(public: ScoreTable, submissions: Submissions | None) -> tuple[str, ...]:
    if submissions is None:
        return ()
    submitted = {entry.run for entry in submissions.entries}
    return tuple(run for run in public.runs if run not in submitted)


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Holdout(Result):
    """Runs on public and on private queries: what moves, what diverges, and what could have been seen."""

    measure: str
    higher_is_better: bool
    reference: str
    chosen_by: ChosenBy
    n_public: int
    sets: tuple[PrivateSet, ...]
    teams: tuple[Team, ...]
    not_scored: tuple[str, ...]
    """Submitted runs without public scores."""
    without_team: tuple[str, ...]
    """Runs with public scores that no submission names; only where there are submissions."""
    confidence: float
    seed: int
    resamples: int
    public_digest: str
    submissions_digest: str
    remarks: tuple[str, ...] = ()

    def __getitem__(self, name: str) -> PrivateSet:
        for each in self.sets:
            if each.name == name:
                return each
        raise InputError(
            f"Found no private set '{name}'; expected one of {', '.join(each.name for each in self.sets)}."
        )

    @property
    def sentence(self) -> str:
        return say_sentence(self)

    @property
    def table(self) -> Table:
        return tables.run_table(self)

    @cached_property
    def team_table(self) -> Table:
        """A row for each team and private set; without rows where no submissions were given."""
        return tables.team_table(self)

    def paper_tables(self) -> tuple[Table, ...]:
        """The runs, and the teams where they are known."""
        return (self.table, self.team_table) if self.teams else (self.table,)

    @property
    def notes(self) -> tuple[str, ...]:
        return (*say_notes(self), *self.remarks)

    def __str__(self) -> str:
        """As every result, with each private set and the teams as tables of their own."""
        parts = [(f"On {each.name}:", tables.set_table(self, each)) for each in self.sets]
        if len(parts) == 1:
            parts = [("", self.table)]
        if self.teams:
            parts.append(("Teams:", self.team_table))
        shown = [f"{head}\n{table.to_text()}".lstrip("\n") for head, table in parts]
        return "\n\n".join([self.sentence, *shown, "\n".join(self.notes)])

    @property
    def provenance(self) -> dict[str, object]:
        return {
            "measure": self.measure,
            "public_digest": self.public_digest,
            **{f"{each.name}_digest": each.digest for each in self.sets},
            **({"submissions_digest": self.submissions_digest} if self.submissions_digest else {}),
            "n_public_queries": self.n_public,
            **{f"n_{each.name}_queries": each.n_queries for each in self.sets},
            "reference": self.reference,
            "test": f"one-sided, {LEVEL:g}, symmetric studentised bootstrap, Holm",
            "resamples": self.resamples,
            "confidence": self.confidence,
            "seed": self.seed,
            "toprung": __version__,
        }

    def to_frame(self) -> pl.DataFrame:
        """One row for each private set and run, in the public order."""
        import polars as pl

        rows = [tables.run_record(each, row) for each in self.sets for row in each.runs]
        return pl.DataFrame(rows, infer_schema_length=None).with_columns(pl.selectors.float().fill_nan(None))

    def to_dict(self) -> dict[str, Any]:
        return {
            "sentence": self.sentence,
            "reference": self.reference,
            "sets": json_safe([tables.set_record(each) for each in self.sets]),
            "teams": json_safe([tables.team_record(each) for each in self.teams]),
            "not_scored": list(self.not_scored),
            "without_team": list(self.without_team),
            "notes": list(self.notes),
            "provenance": self.provenance,
        }

    def __repr__(self) -> str:
        return f"Holdout({self.measure}, {len(self.sets)} private sets, {len(self.teams)} teams)"
