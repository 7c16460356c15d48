"""What is to be asked now? What the plan of the effort wants and no open task holds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import islice

from toprung.data.judgments import Pair
from toprung.labels.effort.store import RecordStore
from toprung.labels.plans.ask import Finish
from toprung.labels.plans.plan import AdaptivePlan, Plan, read_plan
from toprung.labels.plans.price import show_money
from toprung.labels.tasks.dealing import NOTED, make_plan
from toprung.labels.tasks.desk_records import DeskRecords
from toprung.labels.tasks.doubtful_pairs import DoubtfulPairs
from toprung.labels.tasks.questions import VoteNeeds, votes_lacking
from toprung.labels.tasks.task import PER_TASK
from toprung.words.wording import say_queries


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """How many votes are to be asked for on each pair, and how many pairs that ask for one are in open tasks."""

    plan: Plan
    lacking: Mapping[Pair, int]
    n_in_work: int
    queries: Mapping[Finish | None, int] = field(default_factory=dict)
    """Of an adaptive plan: how many are finished, by why; those that are not under None."""
    spent: Decimal | None = None
    """On all tasks that were given to someone, where the plan has a budget."""
    tasks_left: int | None = None
    """How many more the money pays for."""

    def say(self) -> str:
        """How an adaptive plan stands."""
        why = (f"{n:,} {finish}" for finish, n in sorted(self.queries.items(), key=str) if finish is not None)
        said = f"{self.queries.get(None, 0):,} of {say_queries(sum(self.queries.values()))} still ask"
        done = ", ".join(why)
        money = ""
        if self.spent is not None and isinstance(self.plan, AdaptivePlan) and self.plan.budget is not None:
            money = f" {show_money(self.spent)} of {show_money(self.plan.budget)} is spent or promised."
        return f"{said}{f' ({done})' if done else ''}.{money}"


def find_wanted(store: RecordStore, desk: DeskRecords) -> Wanted:
    """By the plan, the votes so far and the open tasks."""
    plan, noted = read_plan(store), store.manifest.get(NOTED, {})
    asker = make_plan(store, noted, plan, VoteNeeds(store, plan))
    lacking = asker.waiting(desk)
    if not isinstance(plan, AdaptivePlan) or not isinstance(asker, DoubtfulPairs):
        asked = votes_lacking(store, store.read_judgments())
        n_in_work = sum(pair in desk.pending_of(pair.query_id) for pair in asked)
        return Wanted(plan=plan, lacking=lacking, n_in_work=n_in_work)
    most = plan.most_tasks
    tasks_left = None if most is None else max(0, most - desk.n_paid)
    per_task = int(noted.get("per_task", PER_TASK))
    return Wanted(
        plan=plan,
        lacking=dict(islice(lacking.items(), None if tasks_left is None else tasks_left * per_task)),
        n_in_work=desk.n_pairs_in_work,
        queries=asker.finished(desk),
        spent=None if plan.budget is None else desk.n_paid * plan.price.per_task,
        tasks_left=tasks_left,
    )
