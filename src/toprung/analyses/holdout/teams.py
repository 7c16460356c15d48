"""Who submitted how often, and did it pay in private too? Teams with all their runs.

The best of many runs looks good by luck alone, so beside what a team's best run gains stands what luck would give it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

import numpy as np

from toprung.data.matrices import ScoreTable
from toprung.data.submissions import Submissions, SubmittedRun
from toprung.stats.finding import MEAN_DIGITS
from toprung.stats.intervals.bootstrap import column_means
from toprung.stats.sequences.best_of import luck_of_the_best


@dataclass(frozen=True, kw_only=True)
class TeamGain:
    """What a team's best public run gains on its own first one, on the public and on one private set.

    It is not tested: the best was picked by its public luck, which is part of the public gain and of no other.
    """

    private_set: str
    public: float
    private: float

    @property
    def divergence(self) -> float:
        """By the luck of the pick alone it is about `HoldoutTeam.by_luck` if all runs of the team are equally good."""
        return self.public - self.private

    @property
    def is_in_public_only(self) -> bool:
        return self.public > 0 >= self.private


@dataclass(frozen=True, kw_only=True)
class HoldoutTeam:
    """A team's runs on the public queries, the earliest first; gains are improvements, whichever way is better."""

    team: str
    runs: tuple[str, ...]
    per_month: tuple[tuple[date, int], ...]
    """The first day of each month, from the first to the last submission, and how many there were."""
    best: str
    """By public score; the earlier of equals."""
    best_over_first: float
    best_over_mean: float
    """How far the best stands above the mean of the team's runs."""
    by_luck: float
    """How far it would in the mean if all its runs were equally good, and how far its gain would then diverge."""
    gains: tuple[TeamGain, ...]
    """One for each private set that has the team's first and best run, where they are two."""

    @property
    def first(self) -> str:
        return self.runs[0]

    @property
    def n_submitted(self) -> int:
        return sum(count for _, count in self.per_month)


def follow_teams(
    submissions: Submissions,
    public: ScoreTable,
    private: Mapping[str, ScoreTable],
    *,
    sign: int,
    seed: int,
) -> tuple[HoldoutTeam, ...]:
    """Every team that has a run on the public queries, those with the most submissions first.

    ``sign`` is −1 for a measure where lower is better.
    """
    made = submissions.by_team()
    scored = {team: tuple(each.run for each in entries if each.run in public.runs) for team, entries in made.items()}
    runs = {team: names for team, names in scored.items() if names}
    means = dict(zip(public.runs, (sign * column_means(public.values)).tolist(), strict=True))
    best = {team: max(names, key=lambda run: round(means[run], MEAN_DIGITS)) for team, names in runs.items()}
    columns = [[public.runs.index(run) for run in names] for names in runs.values()]
    luck = luck_of_the_best(sign * public.values, columns, rng=seed)
    teams = [
        HoldoutTeam(
            team=team,
            runs=names,
            per_month=count_per_month(made[team]),
            best=best[team],
            best_over_first=means[best[team]] - means[names[0]],
            best_over_mean=means[best[team]] - float(np.mean([means[run] for run in names])),
            by_luck=by_luck,
            gains=tuple(_gain(best[team], names[0], public, private, sign)),
        )
        for (team, names), by_luck in zip(runs.items(), luck, strict=True)
    ]
    return tuple(sorted(teams, key=lambda each: (-each.n_submitted, each.team)))


def count_per_month(entries: Sequence[SubmittedRun]) -> tuple[tuple[date, int], ...]:
    """How many in each month from the first to the last, those without any too.

    >>> made = [SubmittedRun(run=run, team="t", date=date(2020, month, 5)) for run, month in (("a", 11), ("b", 11))]
    >>> [(f"{month:%Y-%m}", count) for month, count in count_per_month(made)]
    [('2020-11', 2)]
    """
    counts = Counter(entry.date.year * 12 + entry.date.month - 1 for entry in entries)
    return tuple((date(each // 12, each % 12 + 1, 1), counts[each]) for each in range(min(counts), max(counts) + 1))


def _gain(
    best: str, first: str, public: ScoreTable, private: Mapping[str, ScoreTable], sign: int
) -> Iterator[TeamGain]:
    if best == first:
        return
    for name, table in private.items():
        if {first, best} <= set(table.runs):
            of_public, of_private = (_mean_gain(best, first, side, sign) for side in (public, table))
            yield TeamGain(private_set=name, public=of_public, private=of_private)


def _mean_gain(best: str, first: str, table: ScoreTable, sign: int) -> float:
    """Over the queries that both have a value on."""
    (gain,) = column_means(sign * (table.column(best) - table.column(first))[:, None]).tolist()
    return float(gain)
