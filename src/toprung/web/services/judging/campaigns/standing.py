"""How does a campaign stand? Its pools, votes and posteriors as the library reads them: for tasks, not for pages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from functools import cached_property

import numpy as np
from django.utils import timezone

from toprung.data.judgments import Judgment, Judgments, Pair
from toprung.labels.best.challenges import Challenge, join_challengers
from toprung.labels.best.upkeep import is_asked, join_decided, read_challenges, rule_in
from toprung.labels.doubt.posterior import PoolPosterior, posteriors_of
from toprung.labels.doubt.prior import StrengthPrior, estimate_prior
from toprung.labels.plans.ask import Finish, QueryState, why_finished
from toprung.labels.plans.plan import AdaptivePlan, Plan, read_plan
from toprung.labels.pools.pool import Pool
from toprung.labels.pools.store import read_pools
from toprung.labels.tasks.assignments import Assignment, AssignmentStage
from toprung.labels.tasks.quality import pay_for
from toprung.labels.tasks.questions import known_golds
from toprung.labels.tasks.sitting import Sitting
from toprung.labels.votes.outcomes import Outcomes, PairOutcome, merge_same_texts, resolve_pairs
from toprung.stats.inputs import Floats
from toprung.web.core.models.campaigns import CampaignDesign
from toprung.web.core.models.judging import Campaign
from toprung.web.core.store.judging_records import CampaignRecords
from toprung.web.services.judging.campaigns.plan import adaptive_plan, price_of
from toprung.web.services.judging.money import PAYMENTS, most_tasks, reward_for, tasks_saved

HELD_IN = (AssignmentStage.SUBMITTED, AssignmentStage.ACCEPTED, AssignmentStage.EXCLUDED)
CENT = Decimal("0.01")


@dataclass(frozen=True, eq=False, kw_only=True)
class CampaignStanding:
    """Read once, from what the records say now."""

    campaign: Campaign
    design: CampaignDesign
    store: CampaignRecords
    sitting: Sitting[CampaignRecords]
    judgments: Judgments
    plan: Plan
    read_at: datetime
    """What was handed in until then is in it, and nothing later."""

    @classmethod
    def read(cls, campaign: Campaign) -> CampaignStanding:
        store = CampaignRecords(campaign)
        with store.alone():
            sitting, read_at = Sitting(store), timezone.now()
        return cls(
            campaign=campaign,
            design=campaign.design,
            store=store,
            sitting=sitting,
            read_at=read_at,
            judgments=store.read_judgments(),
            plan=read_plan(store),
        )

    @cached_property
    def challenges(self) -> list[Challenge]:
        return read_challenges(self.store)

    @cached_property
    def pooled(self) -> list[Pool]:
        """As they were made, knowing of the documents that challengers stand for."""
        return join_challengers(read_pools(self.store), self.challenges)

    @cached_property
    def pools(self) -> list[Pool]:
        """With challengers that are decided among their answers."""
        return join_decided(self.pooled, self.challenges, self._counted, rule=rule_in(self.store))

    @cached_property
    def _counted(self) -> Outcomes:
        return merge_same_texts(self.sitting.desk.outcomes(), self.pooled)

    @cached_property
    def open_challenges(self) -> Mapping[str, list[Challenge]]:
        """Those on which votes are still wanted, by query: they are in no pool yet."""
        rule, found = rule_in(self.store), dict[str, list[Challenge]]()
        for each in self.challenges:
            if is_asked(each, self._counted, rule):
                found.setdefault(each.query_id, []).append(each)
        return found

    @property
    def several(self) -> list[Pool]:
        """Pools in which there is something to compare."""
        return [pool for pool in self.pools if pool.n_pairs]

    @cached_property
    def outcomes(self) -> Outcomes:
        """What votes that are handed in and in use say."""
        return merge_same_texts(self.sitting.desk.outcomes(), self.pools)

    @cached_property
    def prior(self) -> StrengthPrior:
        return estimate_prior(self.outcomes)

    @cached_property
    def posteriors(self) -> dict[str, PoolPosterior]:
        return posteriors_of(self.several, self.outcomes, prior=self.prior)

    @cached_property
    def golds(self) -> dict[Pair, str]:
        return known_golds(self.sitting.tasks.values())

    @cached_property
    def outcomes_of(self) -> Mapping[str, dict[Pair, PairOutcome]]:
        found: dict[str, dict[Pair, PairOutcome]] = {}
        for pair, outcome in self.outcomes.items():
            found.setdefault(pair.query_id, {})[pair] = outcome
        return found

    def is_decided(self, query_id: str) -> bool:
        found = self.posteriors.get(query_id)
        return found is not None and found.n_votes > 0 and found.confidence >= self.design.target

    @property
    def decided(self) -> list[str]:
        return [pool.query_id for pool in self.several if self.is_decided(pool.query_id)]

    def why_not_asked(self, pool: Pool) -> Finish | None:
        """Why nothing of a pool is asked; None where it is."""
        if not isinstance(self.plan, AdaptivePlan):
            votes = self.outcomes_of.get(pool.query_id, {})
            return None if any(self.plan.lacking(votes.get(pair)) for pair in pool.pairs()) else Finish.SPENT
        state = QueryState(
            pool=pool,
            outcomes=self.outcomes_of.get(pool.query_id, {}),
            pending=self.sitting.desk.pending_of(pool.query_id),
            posterior=self.posteriors.get(pool.query_id),
        )
        return why_finished(self.plan, state)

    @cached_property
    def asking(self) -> list[Pool]:
        """Those in which something is still in doubt."""
        return [pool for pool in self.several if self.why_not_asked(pool) is None]

    @property
    def asks_anything(self) -> bool:
        """Whether votes are wanted, in pools or on open challenges."""
        return bool(self.asking or self.open_challenges)

    def count_votes(self, query_id: str) -> int:
        """That count, on any of its pairs."""
        return sum(outcome.n for outcome in self.outcomes_of.get(query_id, {}).values())

    # ---- money ----

    def pay(self, assignment: Assignment) -> Decimal:
        """What its assessor gets; nothing while it is open."""
        if assignment.stage is AssignmentStage.EXITED:
            return self._due_early.get(assignment.assignment_id, Decimal(0))
        task = self.sitting.tasks[assignment.task_id]
        n_slots = len(task.slots)
        if n_slots not in self._rewards:
            self._rewards[n_slots] = reward_for(self.campaign, task, self.store)
        return pay_for(assignment.stage, reward=self._rewards[n_slots], n_answered=0, n_slots=n_slots)

    @cached_property
    def _due_early(self) -> dict[str, Decimal]:
        """By assignment, to who left early."""
        return {each["assignment_id"]: Decimal(each["amount"]) for each in self.store.read(PAYMENTS)}

    @cached_property
    def _rewards(self) -> dict[int, Decimal]:
        """For tasks by how many pairs they have, as they are asked for."""
        return {}

    @cached_property
    def spent(self) -> Decimal:
        """For work that is done or left early, fee included."""
        return self._with_fee(sum((self.pay(each) for each in self.sitting.assignments), Decimal(0)))

    @cached_property
    def promised(self) -> Decimal:
        """For work that people have."""
        n_open = sum(each.is_open for each in self.sitting.assignments)
        return self._with_fee(n_open * self.campaign.reward)

    def _with_fee(self, amount: Decimal) -> Decimal:
        return (amount * (1 + self.campaign.fee)).quantize(CENT)

    @property
    def money_left(self) -> Decimal | None:
        """That is neither spent nor promised; None where it is not counted."""
        if self.campaign.budget is None:
            return None
        return max(Decimal(0), self.campaign.budget - self.spent - self.promised)

    @property
    def tasks_left(self) -> int | None:
        """That are still given out: for the money, or in the pilot; None without a limit."""
        most = most_tasks(self.campaign, n_saved=tasks_saved(self.campaign, self.store))
        return None if most is None else max(0, most - self.sitting.desk.n_paid)

    @property
    def votes_left(self) -> int | None:
        """That the money still pays for; None where it is not counted."""
        price, left = price_of(self.campaign, self.design), self.money_left
        if left is None or not price.per_task:
            return None
        return int(left // price.per_task) * self.design.pairs_per_task

    @property
    def adaptive(self) -> AdaptivePlan:
        """By which a forecast is made."""
        return adaptive_plan(self.campaign, self.design)

    def handed_in(self) -> list[datetime]:
        """When work was handed in, in order."""
        return sorted(each.since for each in self.sitting.assignments if each.stage in HELD_IN)


def strength_intervals(posterior: PoolPosterior) -> list[tuple[float, float, float]]:
    """Of each answer its strength beside the mean of the pool, with the 95% interval."""
    n = len(posterior.items)
    centre: Floats = np.eye(n) - 1 / n
    spread = np.sqrt(np.diag(centre @ posterior.covariance @ centre))
    return [
        (float(mean), float(mean - 1.96 * sd), float(mean + 1.96 * sd))
        for mean, sd in zip(posterior.strengths, spread, strict=True)
    ]


def decided_by(judgments: Sequence[Judgment], pools: Iterable[Pool], target: float) -> int:
    """How many queries the first so many judgments decide."""
    several = list(pools)
    outcomes = merge_same_texts(resolve_pairs(Judgments.of(judgments)), several)
    found = posteriors_of(several, outcomes, prior=estimate_prior(outcomes))
    return sum(each.n_votes > 0 and each.confidence >= target for each in found.values())
