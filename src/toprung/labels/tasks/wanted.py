"""What is to be asked now? What the plan of the effort wants and no open task holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal

import numpy as np

from toprung.data.judgments import Judgments, Pair
from toprung.labels.effort.effort import Effort
from toprung.labels.plans.agenda import Agenda
from toprung.labels.plans.ask import Finish
from toprung.labels.plans.plan import AdaptivePlan, Plan
from toprung.labels.plans.price import show_money
from toprung.labels.pools.store import read_pools
from toprung.labels.tasks.assignments import AssignmentStage
from toprung.labels.tasks.questions import pairs_in_work, votes_lacking
from toprung.labels.tasks.sitting import Sitting
from toprung.labels.votes.outcomes import resolve_pairs
from toprung.words.wording import say_queries


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """How many votes are to be asked for on each pair, and how many pairs that ask for one wait in open tasks."""

    plan: Plan
    lacking: Mapping[Pair, int]
    n_waiting: int
    queries: Mapping[Finish | None, int] = field(default_factory=dict)
    """Of an adaptive plan: how many are finished, by why; those that are not under None."""
    spent: Decimal | None = None
    """On all tasks made so far, where the plan has a budget."""
    is_money_spent: bool = False

    def say(self) -> str:
        """How an adaptive plan stands."""
        why = (f"{n:,} {finish}" for finish, n in sorted(self.queries.items(), key=str) if finish is not None)
        said = f"{self.queries.get(None, 0):,} of {say_queries(sum(self.queries.values()))} still ask"
        done = ", ".join(why)
        money = ""
        if self.spent is not None and isinstance(self.plan, AdaptivePlan) and self.plan.budget is not None:
            money = f" Tasks before these cost {show_money(self.spent)} of {show_money(self.plan.budget)}."
        return f"{said}{f' ({done})' if done else ''}.{money}"


def find_wanted(
    effort: Effort, sitting: Sitting, judgments: Judgments, plan: Plan, *, per_task: int, seed: int, number: int
) -> Wanted:
    """By the plan, the votes so far and the open tasks; ``number`` is that of the task to be made next."""
    in_work = pairs_in_work(sitting.tasks.values(), sitting.assignments)
    if isinstance(plan, AdaptivePlan):
        return _find_adaptively(effort, sitting, judgments, plan, in_work, per_task=per_task, rng_of=(seed, number))
    asked = votes_lacking(effort, judgments, votes=plan.votes)
    return Wanted(plan=plan, lacking=_without(asked, in_work), n_waiting=sum(pair in in_work for pair in asked))


def _without(asked: Mapping[Pair, int], in_work: Counter[Pair]) -> dict[Pair, int]:
    left = {pair: n - in_work[pair] for pair, n in asked.items()}
    return {pair: n for pair, n in left.items() if n > 0}


def _find_adaptively(
    effort: Effort,
    sitting: Sitting,
    judgments: Judgments,
    plan: AdaptivePlan,
    in_work: Counter[Pair],
    *,
    per_task: int,
    rng_of: tuple[int, int],
) -> Wanted:
    """Audits and challenges as ever, and one pair of each query that is not finished, for the money that is left."""
    pools = read_pools(effort)
    pooled = {pair for pool in pools for pair in pool.pairs()}
    pending = {pair: n for pair, n in in_work.items() if pair in pooled}
    agenda = Agenda(plan, pools, resolve_pairs(judgments), pending=pending, seed=rng_of[0])
    queries = agenda.finished()
    others = _without(votes_lacking(effort, judgments, is_pooled=False), in_work)
    # An assessor who left early was paid a part: reckoned as a whole task, so that the money is never overspent.
    n_paid = len(sitting.tasks) + sum(each.stage is AssignmentStage.EXITED for each in sitting.assignments)
    tasks_left = None if plan.most_tasks is None else max(0, plan.most_tasks - n_paid)
    most = len(pools) + len(others) if tasks_left is None else tasks_left * per_task
    first = dict(list(others.items())[:most])
    dealt = agenda.choose(most - len(first), rng=np.random.default_rng([*rng_of, 2]))
    return Wanted(
        plan=plan,
        lacking=first | dict.fromkeys(dealt, 1),
        n_waiting=len(in_work),
        queries=queries,
        spent=None if plan.budget is None else n_paid * plan.price.per_task,
        is_money_spent=tasks_left == 0,
    )
