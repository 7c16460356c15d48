"""Who submitted how often, and did it pay in private too? Teams with all their runs.

The best of many runs looks good by luck alone. If all runs of a team were equally good, its best would stand above them
by the mean, over resamples of the queries, of the luckiest run's luck; that figure knows how alike the runs are, for
they are resampled together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

import numpy as np

from toprung.data.matrices import ScoreTable
from toprung.data.submissions import Submissions, SubmittedRun
from toprung.stats.corrections import correct_holm
from toprung.stats.divergence import Divergence, find_divergences
from toprung.stats.finding import MEAN_DIGITS
from toprung.stats.inputs import Floats
from toprung.stats.intervals import RESAMPLES, resampled_means
from toprung.stats.two_sets import TwoSets, weighted_means


@dataclass(frozen=True, kw_only=True)
class TeamDivergence:
    """Whether the gain of a team's best public run over its own first one is larger in public than in private.

    ``p_holm`` is corrected over all teams and private sets.
    """

    private_set: str
    divergence: Divergence
    p_holm: float

    @property
    def gains_in_public_only(self) -> bool:
        return self.divergence.public_gain > 0 >= self.divergence.private_gain


@dataclass(frozen=True, kw_only=True)
class Team:
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
    """How far it would if all its runs were equally good."""
    divergences: tuple[TeamDivergence, ...]
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
    confidence: float,
    seed: int,
) -> tuple[Team, ...]:
    """Every team that has a run on the public queries, those with the most submissions first.

    ``sign`` is −1 for a measure where lower is better.
    """
    entries = {
        team: tuple(entry for entry in made if entry.run in public.runs) for team, made in submissions.by_team().items()
    }
    months = {team: count_per_month(made) for team, made in submissions.by_team().items()}
    entries = {team: made for team, made in entries.items() if made}
    runs = {team: tuple(entry.run for entry in made) for team, made in entries.items()}
    means = dict(zip(public.runs, _means(sign * public.values).tolist(), strict=True))
    best = {team: max(names, key=lambda run: round(means[run], MEAN_DIGITS)) for team, names in runs.items()}
    luck = _luck(sign * public.values, [[public.runs.index(run) for run in names] for names in runs.values()], seed)
    pairs = {team: (names[0], best[team]) for team, names in runs.items()}
    divergences = _diverge(pairs, public, private, sign=sign, confidence=confidence, seed=seed)
    teams = [
        Team(
            team=team,
            runs=names,
            per_month=months[team],
            best=best[team],
            best_over_first=means[best[team]] - means[names[0]],
            best_over_mean=means[best[team]] - float(np.mean([means[run] for run in names])),
            by_luck=by_luck,
            divergences=divergences.get(team, ()),
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


def _means(values: Floats) -> Floats:
    found: Floats = weighted_means(np.ones((1, len(values))), values)[0]
    return found


def _luck(values: Floats, teams: Sequence[Sequence[int]], seed: int) -> list[float]:
    """For each team the mean over resamples of how far its luckiest run rises above its own mean."""
    rises = np.concatenate(list(resampled_means(values, RESAMPLES, np.random.default_rng(seed)))) - _means(values)
    return [float(np.nanmean(rises[:, columns].max(axis=1))) if len(columns) > 1 else 0.0 for columns in teams]


def _diverge(
    pairs: Mapping[str, tuple[str, str]],
    public: ScoreTable,
    private: Mapping[str, ScoreTable],
    *,
    sign: int,
    confidence: float,
    seed: int,
) -> dict[str, tuple[TeamDivergence, ...]]:
    """The test of best against first for every team and private set that allow it, corrected over all of them."""
    found: list[tuple[str, str, Divergence]] = []
    tested_in = {
        name: [team for team, (first, best) in pairs.items() if first != best and {first, best} <= set(table.runs)]
        for name, table in private.items()
    }
    n_tests = sum(map(len, tested_in.values()))
    for name, table in private.items():
        teams = tested_in[name]
        if teams:
            firsts, bests = [pairs[team][0] for team in teams], [pairs[team][1] for team in teams]
            tests = find_divergences(
                sign * gains_over(public, bests, firsts),
                sign * gains_over(table, bests, firsts),
                TwoSets.of(public.query_ids, table.query_ids),
                confidence=confidence,
                resamples=resamples_for(n_tests),
                rng=seed,
            )
            found += [(team, name, test) for team, test in zip(teams, tests, strict=True)]
    corrected = correct_holm([test.p for _, _, test in found]).tolist()
    answers: dict[str, tuple[TeamDivergence, ...]] = {}
    for (team, name, test), p_holm in zip(found, corrected, strict=True):
        answer = TeamDivergence(private_set=name, divergence=test, p_holm=p_holm)
        answers[team] = (*answers.get(team, ()), answer)
    return answers


def gains_over(table: ScoreTable, runs: Sequence[str], references: Sequence[str]) -> Floats:
    """On every query, each run less its reference."""
    columns = [table.runs.index(run) for run in runs]
    less = [table.runs.index(reference) for reference in references]
    gains: Floats = table.values[:, columns] - table.values[:, less]
    return gains


def resamples_for(n_tests: int) -> int:
    """Enough that the least p-value still counts after Holm's correction: at most 0.0025 of it for the first."""
    return max(2 * RESAMPLES, 200 * n_tests)
