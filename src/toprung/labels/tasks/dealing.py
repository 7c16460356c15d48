"""What is in the task that is offered now? Pairs that the plan wants, golds among them, shuffled, with sides tossed.

A task is dealt when someone asks for work, not before: by then more is known. It is kept before it is offered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from toprung.data.judgments import Pair
from toprung.labels.best.upkeep import CHALLENGES
from toprung.labels.effort.store import RecordStore
from toprung.labels.plans.plan import PLAN, AdaptivePlan, Plan, read_plan
from toprung.labels.pools.store import POOLS, read_pools
from toprung.labels.tasks.asking import AskingPlan, Chosen
from toprung.labels.tasks.desk_records import DeskRecords
from toprung.labels.tasks.doubtful_pairs import DoubtfulPairs
from toprung.labels.tasks.gold_drawer import too_few_golds
from toprung.labels.tasks.gold_shelf import GoldShelf
from toprung.labels.tasks.golds import Gold
from toprung.labels.tasks.open_pairs import OpenPairs
from toprung.labels.tasks.questions import VoteNeeds
from toprung.labels.tasks.task import GOLDS_PER_TASK, PER_TASK, Task, arrange
from toprung.labels.votes.audit import AUDITS

NOTED = "tasks"
"""In the manifest: how tasks are dealt, the seed among it."""
RELEASE_AFTER = "release_after"
"""Among that: after how many hours work that is not handed in is released."""
SOURCES = (POOLS, AUDITS, CHALLENGES)
"""The kinds of record that pairs come from."""


class Dealer:
    """Deals tasks by a plan; everything else follows from the seed and the number of the task."""

    def __init__(
        self,
        plan: AskingPlan,
        needs: VoteNeeds,
        *,
        per_task: int,
        golds_per_task: int,
        seed: int,
        most_paid: int | None = None,
    ) -> None:
        self._plan = plan
        self._needs = needs
        self.most_paid = most_paid
        """How many tasks the money pays for; None where it is not counted."""
        self._per_task = per_task
        self._golds_per_task = golds_per_task
        self._seed = seed
        self._shelf = GoldShelf(seed=seed)

    def deal(self, desk: DeskRecords, assessor: str, can_show: Callable[[Pair], bool] = lambda _: True) -> Task | None:
        """A task for this assessor, with no pair they have seen or cannot be shown; None if there is none to deal."""
        seen = desk.seen_by(assessor)
        texts_seen = {each for pair in seen for each in self._needs.is_voted_on_by(pair)}

        def fits(pair: Pair) -> bool:
            return can_show(pair) and texts_seen.isdisjoint(self._needs.is_voted_on_by(pair))

        for chosen in self._ways_to_choose(desk, fits):
            queries = {pair.query_id for pair in (*chosen.own, *chosen.repeats)}
            golds = self._shelf.draw(desk, self._golds_per_task, queries=queries, seen=seen, can_show=can_show)
            if chosen.own and len(golds) == self._golds_per_task:
                return self._arrange(desk, chosen, golds)
        if not chosen.own:
            return None
        raise too_few_golds(len(golds), self._golds_per_task)

    def _ways_to_choose(self, desk: DeskRecords, fits: Callable[[Pair], bool]) -> Iterator[Chosen]:
        """What is most worth asking; if too few golds are of other queries, that of queries without golds, or one."""
        yield self._plan.choose(desk, self._per_task, fits)
        of_golds = self._shelf.queries(desk)
        yield self._plan.choose(desk, self._per_task, lambda pair: pair.query_id not in of_golds and fits(pair))
        yield self._plan.choose(desk, 1, fits)

    def _arrange(self, desk: DeskRecords, chosen: Chosen, golds: Sequence[Gold]) -> Task:
        number = desk.last_number + 1
        task = arrange(chosen.own, chosen.repeats, golds, number=number, attempt=1, seed=self._seed)
        return replace(task, penalty=chosen.penalty)

    def wants(self, desk: DeskRecords, task: Task) -> bool:
        """Whether a task that was dealt and nobody has is still worth doing."""
        return self._plan.wants(desk, task)


def make_plan(store: RecordStore, noted: Mapping[str, Any], plan: Plan, needs: VoteNeeds) -> AskingPlan:
    """What every offer asks."""
    seed = int(noted.get("seed", 0))
    if isinstance(plan, AdaptivePlan):
        return DoubtfulPairs(plan, read_pools(store), needs, seed=seed)
    return OpenPairs(needs, needs.pairs, seed=seed)


def make_dealer(store: RecordStore, noted: Mapping[str, Any], plan: Plan | None = None) -> Dealer:
    """The dealer that an effort has noted, with its plan unless another is given."""
    plan = plan or read_plan(store)
    needs = VoteNeeds(store, plan)
    return Dealer(
        make_plan(store, noted, plan, needs),
        needs,
        per_task=int(noted.get("per_task", PER_TASK)),
        golds_per_task=int(noted.get("golds_per_task", GOLDS_PER_TASK)),
        seed=int(noted.get("seed", 0)),
        most_paid=plan.most_tasks if isinstance(plan, AdaptivePlan) else None,
    )


class DealerOf:
    """The dealer of a store, made anew when other pairs came or tasks are to be dealt in another way."""

    def __init__(self, store: RecordStore) -> None:
        self._store = store
        self._made_from: object = None
        self._n_read = dict.fromkeys(SOURCES, 0)
        self._dealer: Dealer | None = None

    def find(self, manifest: Mapping[str, Any]) -> Dealer | None:
        """None where no tasks are to be dealt."""
        noted = manifest.get(NOTED)
        made_from = (noted, manifest.get(PLAN), manifest.get(CHALLENGES))
        if self._has_more_pairs() or self._made_from != made_from:
            self._dealer = None if noted is None else make_dealer(self._store, noted)
            self._made_from = made_from
        return self._dealer

    def _has_more_pairs(self) -> bool:
        more = {kind: len(self._store.read(kind, after=n)) for kind, n in self._n_read.items()}
        for kind, n in more.items():
            self._n_read[kind] += n
        return any(more.values())
