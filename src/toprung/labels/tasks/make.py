"""How are tasks to be dealt? What is noted for every offer, the golds, and how many pairs wait to be dealt."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from toprung.data.judgments import Pair
from toprung.errors import InputError
from toprung.labels.effort.effort import Effort
from toprung.labels.effort.store import RecordStore
from toprung.labels.plans.plan import PLAN, AdaptivePlan, Plan, VotesPlan, noted_plan
from toprung.labels.plans.price import show_money
from toprung.labels.pools.pool import Pool
from toprung.labels.pools.store import read_pools
from toprung.labels.tasks.blocking import BlockRule
from toprung.labels.tasks.dealing import NOTED, RELEASE_AFTER, make_dealer
from toprung.labels.tasks.desk_records import GOLDS, TASKS, DeskRecords
from toprung.labels.tasks.gold_drawer import too_few_golds
from toprung.labels.tasks.golds import Gold, draw_golds
from toprung.labels.tasks.quality import SCOPE, VoidScope
from toprung.labels.tasks.questions import count_by_query, pairs_of
from toprung.labels.tasks.sitting import BLOCK, Sitting
from toprung.labels.tasks.task import GOLDS_PER_TASK, PER_TASK, Task, make_tasks
from toprung.labels.tasks.wanted import Wanted, find_wanted
from toprung.labels.votes.audit import read_audits
from toprung.result import NUMBERS, Column, Result, Rows, Table, columns
from toprung.words.wording import say_count, say_queries

HOW = {"seed": 0, "per_task": PER_TASK, "golds_per_task": GOLDS_PER_TASK}
"""How tasks are dealt where nothing else was said."""


def plan_tasks(
    effort: Effort,
    *,
    golds: Sequence[Gold] | None = None,
    per_task: int | None = None,
    golds_per_task: int | None = None,
    seed: int | None = None,
    scope: str | VoidScope | None = None,
    block: str | BlockRule | None = None,
    release_after: float | None = None,
    plan: Plan | None = None,
) -> TaskReport:
    """Note how tasks are dealt from now on, to whoever asks for work.

    A plan that is given is kept; else that of before is used, or each pair is asked once.

    Without golds those of before are used, or some are drawn: each label against the label of another query. What is
    None is as it was before, or ten pairs and three golds a task and seed 0. ``scope`` and ``block``, which are kept
    too, say what a failed gold voids and what blocks an assessor; ``release_after``, in hours, when work that is not
    handed in goes to someone else. Where something is refused nothing is kept.
    """
    with effort.alone():  # from finding what waits until how it is dealt is noted
        sitting = Sitting(effort)
        before = effort.manifest.get(NOTED, {})
        given = {"seed": seed, "per_task": per_task, "golds_per_task": golds_per_task}
        how = {name: int(before.get(name, HOW[name])) if value is None else value for name, value in given.items()}
        _check_price(effort, plan, n_paid=sitting.desk.n_paid)
        usable, are_drawn = (
            _choose_golds(effort, sitting.golds, golds, seed=how["seed"]) if how["golds_per_task"] else ([], False)
        )
        _check_golds(effort, usable, how, plan)
        _keep_golds(effort, sitting.golds, usable)
        hours = before.get(RELEASE_AFTER) if release_after is None else release_after
        noted: dict[str, Any] = {**how, "golds_are_drawn": are_drawn or before.get("golds_are_drawn", False)}
        chosen = {
            NOTED: noted if hours is None else {**noted, RELEASE_AFTER: float(hours)},
            SCOPE: None if scope is None else str(VoidScope(scope)),
            BLOCK: None if block is None else str(BlockRule(block)),
            PLAN: None if plan is None else plan.to_record(),
        }
        effort.note({name: value for name, value in chosen.items() if value is not None})
        return TaskReport(
            wanted=find_wanted(effort, sitting.desk),
            n_before=len(sitting.tasks),
            n_golds=len(usable),
            are_golds_drawn=are_drawn,
            folder=str(effort.folder),
            **how,
        )


def _check_price(store: RecordStore, plan: Plan | None, *, n_paid: int) -> None:
    """Refuse another price once tasks were given out: a budget is counted in tasks, which then cost the same."""
    before = noted_plan(store)
    if not n_paid or not isinstance(before, AdaptivePlan) or not isinstance(plan, AdaptivePlan) or plan.budget is None:
        return
    old, new = before.price.per_task, plan.price.per_task
    if old != new:
        raise InputError(
            f"Found tasks at {show_money(new)} with a budget, where {say_count(n_paid, 'task')} at {show_money(old)} "
            "were given out; expected the same price, or a new effort (another --state) with what is left of the money."
        )


def deal_all(store: RecordStore) -> list[Task]:
    """Deal every pair that waits, at once: to a judge that is no person and is asked everything.

    People are offered these tasks too, before others are dealt. Nothing is dealt where that was not planned.
    """
    with store.alone():
        noted = store.manifest.get(NOTED)
        if noted is None:
            return []
        desk = Sitting(store).desk
        made = make_tasks(
            find_wanted(store, desk).lacking,
            desk.golds,
            per_task=noted.get("per_task", PER_TASK),
            golds_per_task=noted.get("golds_per_task", GOLDS_PER_TASK),
            seed=noted.get("seed", 0),
            first_number=desk.last_number + 1,
        )
        if made:
            store.append(TASKS, [task.to_record() for task in made])
        return made


def _check_golds(effort: Effort, golds: Sequence[Gold], how: Mapping[str, int], plan: Plan | None) -> None:
    """Refuse golds that do not suffice for a task, before anyone asks for one; be it a task of a single pair."""
    queries = {gold.query_id for gold in golds}
    n_fitting = len(queries) - bool(queries & {pair.query_id for pair in pairs_of(effort)})
    if n_fitting < how["golds_per_task"]:
        raise too_few_golds(max(0, n_fitting), how["golds_per_task"])
    desk = DeskRecords()
    for gold in golds:
        desk.add(gold)
    make_dealer(effort, how, plan).deal(desk, "")


def _choose_golds(
    effort: Effort, known: Sequence[Gold], given: Sequence[Gold] | None, *, seed: int
) -> tuple[list[Gold], bool]:
    """Those given, else those of before, else drawn ones; and whether these are drawn now."""
    if given is not None:
        return list(given), False
    if known:
        return list(known), False
    drawn = draw_golds(_labelled(effort), seed=seed)
    if not drawn:
        raise InputError(
            "Found no labels in the pools to draw golds from; expected --golds FILE, or --golds-per-task 0 for none."
        )
    return drawn, True


def _labelled(effort: Effort) -> list[Pool]:
    """The pools, and for queries that are only audited the two answers that are compared."""
    audited = {
        each.query_id: Pool(query_id=each.query_id, items=tuple(sorted((each.label, each.other))), label=each.label)
        for plan in read_audits(effort).values()
        for each in plan.pairs
    }
    return list((audited | {pool.query_id: pool for pool in read_pools(effort)}).values())


def _keep_golds(effort: Effort, known: Sequence[Gold], golds: Sequence[Gold]) -> None:
    new = sorted(set(golds) - set(known))
    if new:
        effort.append(GOLDS, (gold.to_record() for gold in new))


@dataclass(frozen=True, kw_only=True, repr=False)
class TaskReport(Result):
    """What waits to be dealt."""

    FRAME = Rows("waiting", (*columns(str, "query_id=0.query_id a=0.a b=0.b"), Column("votes", int, "1")))
    MADE_FROM = ("seed state=folder per_task",)

    wanted: Wanted
    n_before: int
    n_golds: int
    are_golds_drawn: bool
    per_task: int
    golds_per_task: int
    seed: int
    folder: str

    @property
    def waiting(self) -> tuple[tuple[Pair, int], ...]:
        """The pairs to deal, each with how many votes on it."""
        return tuple(sorted(self.wanted.lacking.items()))

    @property
    def n_votes(self) -> int:
        return sum(self.wanted.lacking.values())

    @property
    def most_of_a_query(self) -> int:
        """How many votes on pairs of one query wait: each needs a task of its own."""
        return max(count_by_query(self.wanted.lacking).values(), default=0)

    @property
    def n_tasks(self) -> int:
        """How many tasks that makes, if nobody fails a gold."""
        return max(-(-self.n_votes // self.per_task), self.most_of_a_query)

    @property
    def figures(self) -> dict[str, int]:
        return {
            "tasks": self.n_tasks,
            "pairs": len(self.waiting),
            "votes": self.n_votes,
            "queries": len({pair.query_id for pair, _ in self.waiting}),
            "gold slots": self.n_tasks * self.golds_per_task,
            "golds": self.n_golds,
            "tasks before": self.n_before,
            "pairs in open tasks": self.wanted.n_in_work,
        }

    @property
    def sentence(self) -> str:
        if not self.waiting:
            return self._say_why_none()
        found = self.figures
        pairs, queries = say_count(found["pairs"], "pair"), say_queries(found["queries"])
        tasks = say_count(self.n_tasks, "task")
        times = "" if found["votes"] == found["pairs"] else f" for {say_count(found['votes'], 'vote')}"
        return f"{pairs} of {queries} to deal{times}, in {tasks} with {say_count(found['gold slots'], 'gold')}."

    def _say_why_none(self) -> str:
        in_work = self.wanted.n_in_work
        left = f"; {say_count(in_work, 'pair')} wait in open tasks" if in_work else ""
        if isinstance(self.wanted.plan, VotesPlan):
            return f"Nothing to deal: every pair is decided or in a task{left}."
        if self.wanted.tasks_left == 0:
            return f"Nothing to deal: the money is spent{left}."
        return f"Nothing to deal: every query is finished{left}."

    @property
    def table(self) -> Table:
        return Table.of(self.figures.items(), NUMBERS)

    @property
    def notes(self) -> tuple[str, ...]:
        return tuple(self._say_notes())

    def _say_notes(self) -> Iterator[str]:
        plan = self.wanted.plan
        if plan != VotesPlan():
            yield f"Plan: {plan.say()}."
        if isinstance(plan, AdaptivePlan):
            yield self.wanted.say()
        if not self.waiting:
            return
        if self.are_golds_drawn:
            yield "Golds: each label against the label of another query, at random. Look them through (golds.jsonl)."
        if self.most_of_a_query > -(-self.n_votes // self.per_task):
            yield (
                f"Short of pairs, for no query stands twice in a task and one has {self.most_of_a_query:,}: "
                f"{say_count(self.n_tasks, 'task')}."
            )
        yield (
            "A task is dealt when someone asks for work, of what waits then. "
            f"Seed {self.seed}: order, sides and golds follow from it. What was dealt is in {self.folder}."
        )

    def to_dict(self) -> dict[str, Any]:
        return {
            "sentence": self.sentence,
            **{what.replace(" ", "_"): n for what, n in self.figures.items()},
            "notes": list(self.notes),
            "provenance": dict(self.provenance),
        }

    def __repr__(self) -> str:
        return f"TaskReport({len(self.waiting):,} pairs to deal)"
