"""In which order did the runs come, and what came of their claims? Submissions walked through one by one."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date

from toprung.boards.engine.claims import TestedClaim, decide_claim
from toprung.boards.engine.rules import ClaimPolicy
from toprung.boards.succession import Entrant, succeed
from toprung.data.matrices import FirstRanks, ScoreTable, to_scores
from toprung.errors import InputError
from toprung.scoring.catalogue import higher_is_better
from toprung.stats.finding import MEAN_DIGITS
from toprung.stats.intervals.bootstrap import column_means
from toprung.stats.sequences.online import OnlineTest
from toprung.stats.tests.pair import check_values
from toprung.words.wording import list_names


@dataclass(frozen=True, kw_only=True)
class TimelineStep:
    """Who came, who is to be beaten once it is decided, and who has the highest score by then."""

    run: str
    is_baseline: bool
    holder: str
    leader: str


@dataclass(kw_only=True)
class Walk:
    """Claims are tested one after another, each at the level that those before it leave."""

    matrix: FirstRanks | ScoreTable
    policy: ClaimPolicy
    state: OnlineTest
    there: list[str] = field(default_factory=list)
    """Who has come so far."""
    heard: dict[str, TestedClaim] = field(default_factory=dict)

    def through(self, entrants: Iterable[Entrant[str]]) -> list[TimelineStep]:
        holder = leader = None
        steps = []
        for entrant in entrants:
            self.there.append(entrant.run)
            holder = succeed(holder, entrant, passes=self._passes)
            leader = entrant if leader is None or entrant.is_above(leader) else leader
            step = TimelineStep(run=entrant.run, is_baseline=entrant.is_baseline, holder=holder.run, leader=leader.run)
            steps.append(step)
        return steps

    def _passes(self, entrant: Entrant[str], holder: Entrant[str]) -> bool:
        claim, self.state = decide_claim(
            self.matrix, run=entrant.run, holder=holder.run, state=self.state, policy=self.policy, there=self.there
        )
        self.heard[entrant.run] = claim
        return claim.passed


def mean_scores(matrix: FirstRanks | ScoreTable) -> dict[str, float]:
    """The mean of each run, over all queries; a query without a value is refused."""
    table = to_scores(matrix)
    if not table.query_ids or not table.runs:
        raise InputError(
            f"Found {len(table.query_ids)} queries and {len(table.runs)} runs; expected at least one of each."
        )
    check_values(table.values, measure=table.measure)
    return dict(zip(table.runs, column_means(table.values).round(MEAN_DIGITS).tolist(), strict=True))


def check_names(runs: Collection[str], **named: Iterable[str]) -> None:
    """Refuse a name that is no run's."""
    for name, given in named.items():
        unknown = [run for run in given if run not in runs]
        if unknown:
            raise InputError(f"{name}: found run '{unknown[0]}'; expected one of {', '.join(runs)}.")


def in_order(
    scores: Mapping[str, float], dates: Mapping[str, date] | None, baselines: Collection[str], *, measure: str
) -> list[Entrant[str]]:
    """Baselines without a date were there before all others, the best first."""
    sign = 1.0 if higher_is_better(measure) else -1.0
    entrants = {
        run: Entrant(run=run, score=sign * score, is_baseline=run in baselines) for run, score in scores.items()
    }
    if dates is None:
        later = [run for run in scores if run not in baselines]
    else:
        undated = [run for run in scores if run not in dates and run not in baselines]
        if undated:
            raise InputError(f"dates: found none for {list_names(undated)}; expected one for every run but baselines.")
        later = sorted(dates, key=lambda run: dates[run])
    there = sorted({*baselines} - {*later}, key=lambda run: (-entrants[run].score, run))
    return [entrants[run] for run in (*there, *later)]
