"""What would a plan find? Votes are made up from strengths that fit what is known, and the plan is carried out on them.

Strengths are drawn from the posterior, which without votes is the prior; votes follow Bradley and Terry. So the truth
is known here, and with it how often the answer that comes out is the best.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Self

import numpy as np
from numpy.typing import NDArray

from toprung.data.judgments import Pair
from toprung.labels.doubt.arenas import Arena, ArenaGroup, group_arenas, to_arenas
from toprung.labels.doubt.prior import StrengthPrior
from toprung.labels.plans.ask import HOPELESS
from toprung.labels.plans.plan import AdaptivePlan
from toprung.labels.pools.pool import Pool
from toprung.labels.votes.outcomes import PairOutcome, columns_of, merge_same_texts
from toprung.stats.inputs import Floats, Ints
from toprung.stats.models.strength_posterior import StrengthPosterior, find_posterior, p_best
from toprung.stats.models.top_two import chance_to_settle, draw_top_two, narrow

LEAST_POOLS = 400
"""So many are simulated or a few more, each again if there are fewer; shares have a standard error of 2.5 points."""
LOOSE = 1e-2
"""How exact a posterior is that only chooses pairs."""


@dataclass(frozen=True, kw_only=True)
class VotesFound:
    """What a number of votes found: the mean number on a query, and shares of queries."""

    n_votes: float
    sure: float
    """Whose best answer is as sure as the target."""
    right: float
    """Whose most probable answer is the best in truth."""
    hopeless: float = 0.0
    """That are not sure, and were given up."""


@dataclass(eq=False, kw_only=True)
class MadePools:
    """Pools of about one size with made strengths, and the votes on them so far."""

    wins: Floats
    p_win: Floats
    """How probably the row's item wins a vote against the column's."""
    best: Ints
    is_pooled: NDArray[np.bool_]
    used: Ints
    is_open: NDArray[np.bool_]
    given_up: NDArray[np.bool_]

    @classmethod
    def of(cls, truth: Floats, *, wins: Floats | None = None, is_pooled: NDArray[np.bool_] | None = None) -> Self:
        """From true strengths, pools × items."""
        n_pools, n_items = truth.shape
        pooled = np.ones(truth.shape, dtype=np.bool_) if is_pooled is None else is_pooled
        return cls(
            wins=np.zeros((n_pools, n_items, n_items)) if wins is None else wins,
            p_win=1 / (1 + np.exp(truth[:, None, :] - truth[:, :, None])),
            best=np.where(pooled, truth, -np.inf).argmax(axis=1),
            is_pooled=pooled,
            used=np.zeros(n_pools, dtype=np.int64),
            is_open=pooled.sum(axis=1) > 1,
            given_up=np.zeros(n_pools, dtype=np.bool_),
        )

    def vote(self, rows: Ints, first: Ints, second: Ints, rng: np.random.Generator) -> None:
        """One vote on a pair of each of these pools."""
        is_won = rng.random(len(rows)) < self.p_win[rows, first, second]
        winner, loser = np.where(is_won, first, second), np.where(is_won, second, first)
        np.add.at(self.wins, (rows, winner, loser), 1)
        self.used[rows] += 1

    def posterior(self, rows: Ints, penalty: float) -> StrengthPosterior:
        return find_posterior(self.wins[rows], penalty=penalty, tolerance=LOOSE)

    @property
    def turns(self) -> Floats:
        """The votes on each pool beside its answers: who has least is asked next."""
        found: Floats = self.wins.sum(axis=(1, 2)) / self.is_pooled.sum(axis=1)
        return found

    def close(self, rows: Ints, plan: AdaptivePlan, penalty: float) -> Ints:
        """Ask no more where the plan would not; the others of these pools."""
        if not len(rows):
            return rows
        posterior = self.posterior(rows, penalty)
        chances = p_best(posterior, among=self.is_pooled[rows]).max(axis=1)
        left = plan.most_votes - self.wins[rows].sum(axis=(1, 2))
        for place, row in enumerate(rows.tolist()):
            if chances[place] >= plan.target or left[place] < 1:
                self.is_open[row] = False
            elif self._chance(posterior, place, row, int(left[place]), plan.target) < HOPELESS:
                self.is_open[row], self.given_up[row] = False, True
        return rows[self.is_open[rows]]

    def _chance(self, posterior: StrengthPosterior, place: int, row: int, left: int, target: float) -> float:
        n = int(self.is_pooled[row].sum())
        mean, covariance = posterior.mean[place, :n], posterior.covariance[place, :n, :n]
        return chance_to_settle(mean, covariance, n_votes=left, target=target)

    def ask(self, rows: Ints, *, penalty: float, at_once: int, rng: np.random.Generator) -> None:
        """So many votes on each of these pools, of people who are asked before the others have answered."""
        posterior = self.posterior(rows, penalty)
        centre = np.where(self.is_pooled[rows], posterior.mean, -np.inf)
        covariance = posterior.covariance
        asked: list[tuple[Ints, Ints]] = []
        pending, places = np.zeros(covariance.shape), np.arange(len(rows))
        for _ in range(at_once):
            first, second = draw_top_two(centre, covariance, rng, pending=pending if asked else None)
            asked.append((first, second))
            if at_once > 1:
                covariance = narrow(posterior.mean, covariance, first, second)
                pending[places, first, second] += 1
                pending[places, second, first] += 1
        for first, second in asked:
            self.vote(rows, first, second, rng)

    def vote_on_all(self, votes: int, rng: np.random.Generator) -> None:
        """So many votes on every pair of every pool."""
        for first, second in zip(*np.triu_indices(self.is_pooled.shape[1], k=1), strict=True):
            rows = np.flatnonzero(self.is_pooled[:, first] & self.is_pooled[:, second])
            for _ in range(votes):
                self.vote(rows, np.full(len(rows), first), np.full(len(rows), second), rng)

    def chances(self, penalty: float) -> Floats:
        """P(best) of every item by the votes there are."""
        return p_best(find_posterior(self.wins, penalty=penalty), among=self.is_pooled)


@dataclass(eq=False, kw_only=True)
class PlanTrial:
    """A plan carried out on made pools; votes are bought in rounds, one on each query whose turn it is."""

    plan: AdaptivePlan
    penalty: float
    groups: Sequence[MadePools]
    rng: np.random.Generator
    n_bought: int = field(default=0)

    @property
    def n_pools(self) -> int:
        return sum(len(each.best) for each in self.groups)

    def buy(self, n_votes: int, *, at_once: int = 1) -> None:
        """Until so many votes are bought in all, or every query is finished; who has fewest votes comes first."""
        step = 1 / max(group.is_pooled.shape[1] for group in self.groups)
        while self.n_bought < n_votes and any(group.is_open.any() for group in self.groups):
            level = min(float(group.turns[group.is_open].min(initial=np.inf)) for group in self.groups) + step
            due = [np.flatnonzero(group.is_open & (group.turns < level)) for group in self.groups]
            due = [group.close(rows, self.plan, self.penalty) for group, rows in zip(self.groups, due, strict=True)]
            n_due = at_once * sum(map(len, due))
            share = min(1.0, (n_votes - self.n_bought) / max(1, n_due))
            for group, rows in zip(self.groups, due, strict=True):
                self.n_bought += at_once * self._ask(group, rows, share, at_once)

    def _ask(self, group: MadePools, rows: Ints, share: float, at_once: int) -> int:
        chosen = rows
        if share < 1:  # the money is for some of them
            chosen = np.sort(self.rng.permutation(rows)[: int(np.ceil(share * len(rows)))])
        if len(chosen):
            group.ask(chosen, penalty=self.penalty, at_once=at_once, rng=self.rng)
        return len(chosen)

    def found(self) -> VotesFound:
        sure = right = given_up = 0.0
        for group in self.groups:
            chances = group.chances(self.penalty)
            is_sure = chances.max(axis=1) >= self.plan.target
            sure += is_sure.sum()
            right += (chances.argmax(axis=1) == group.best).sum()
            given_up += (group.given_up & ~is_sure).sum()
        n = self.n_pools
        used = sum(int(group.used.sum()) for group in self.groups)
        return VotesFound(n_votes=used / n, sure=float(sure / n), right=float(right / n), hopeless=float(given_up / n))


def simulate_budgets(
    plan: AdaptivePlan,
    pools: Iterable[Pool],
    outcomes: Mapping[Pair, PairOutcome],
    votes: Sequence[float],
    *,
    prior: StrengthPrior,
    made: int = LEAST_POOLS,
    seed: int = 0,
) -> list[VotesFound]:
    """What an adaptive plan finds with so many votes a query in the mean, from few to many."""
    rng = np.random.default_rng([seed, 4])
    groups = [_make(group, prior, rng) for group in _draw_arenas(pools, outcomes, made, rng)]
    trial = PlanTrial(plan=plan, penalty=prior.penalty, groups=groups, rng=rng)
    found = []
    for each in votes:
        trial.buy(round(each * trial.n_pools))
        found.append(trial.found())
    return found


def simulate_all_pairs(
    plan: AdaptivePlan,
    pools: Iterable[Pool],
    outcomes: Mapping[Pair, PairOutcome],
    *,
    votes: int,
    prior: StrengthPrior,
    made: int = LEAST_POOLS,
    seed: int = 0,
) -> VotesFound:
    """What so many votes on every pair find, by the same strengths."""
    rng = np.random.default_rng([seed, 4])
    groups = [_make(group, prior, rng) for group in _draw_arenas(pools, outcomes, made, rng)]
    for group in groups:
        group.vote_on_all(votes, rng)
    return PlanTrial(plan=plan, penalty=prior.penalty, groups=groups, rng=rng).found()


def _draw_arenas(
    pools: Iterable[Pool], outcomes: Mapping[Pair, PairOutcome], made: int, rng: np.random.Generator
) -> list[ArenaGroup]:
    """The pools with their votes: each as often as makes enough, or enough of them at random."""
    given = [pool for pool in pools if pool.n_pairs]
    votes = columns_of(merge_same_texts(outcomes, given))
    arenas = to_arenas(given, votes)
    chosen: list[Arena] = arenas * max(1, -(-made // max(1, len(arenas))))
    if len(arenas) > made:
        chosen = [arenas[place] for place in sorted(rng.permutation(len(arenas))[:made].tolist())]
    return group_arenas(chosen, votes)


def _make(group: ArenaGroup, prior: StrengthPrior, rng: np.random.Generator) -> MadePools:
    wins = group.wins()
    posterior = find_posterior(wins, penalty=prior.penalty)
    spread = np.linalg.cholesky(posterior.covariance)
    truth = posterior.mean + (spread @ rng.standard_normal((*posterior.mean.shape, 1)))[:, :, 0]
    return MadePools.of(truth, wins=wins, is_pooled=group.is_pooled)
