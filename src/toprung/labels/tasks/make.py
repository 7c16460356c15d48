"""Which tasks are to be done? Tasks for every pair that asks for a vote and is in no task yet, kept in the state."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from toprung.errors import InputError
from toprung.labels.effort.effort import Effort
from toprung.labels.plans.plan import AdaptivePlan, Plan, VotesPlan, note_plan, read_plan
from toprung.labels.pools.pool import Pool
from toprung.labels.pools.store import read_pools
from toprung.labels.tasks.golds import Gold, draw_golds
from toprung.labels.tasks.quality import VoidScope
from toprung.labels.tasks.rounds import make_rounds
from toprung.labels.tasks.sitting import GOLDS, SCOPE, TASKS, Sitting
from toprung.labels.tasks.task import GOLDS_PER_TASK, PER_TASK, Slot, Task
from toprung.labels.tasks.wanted import Wanted, find_wanted
from toprung.labels.votes.audit import read_audits
from toprung.result import NUMBERS, Column, Result, Rows, Table, columns
from toprung.words.wording import say_count, say_queries

NOTED = "tasks"
"""In the manifest: how tasks are made, the seed among it."""


def add_tasks(
    effort: Effort,
    *,
    golds: Sequence[Gold] | None = None,
    per_task: int = PER_TASK,
    golds_per_task: int = GOLDS_PER_TASK,
    seed: int | None = None,
    scope: str | VoidScope | None = None,
    plan: Plan | None = None,
) -> TaskReport:
    """Make tasks for the votes that the plan asks for and no open task holds.

    A plan that is given is kept; else that of before is used. An adaptive one makes a round of tasks, with one pair of
    each query that is not finished: call it again when votes have come.

    Without golds those of before are used, or some are drawn: each label against the label of another query. Without a
    seed that of before is used, or 0. ``scope``, which is kept too, says what a failed gold voids.
    """
    with effort.alone():  # from finding what lacks a task until its task is written
        if scope is not None:
            effort.note({SCOPE: str(VoidScope(scope))})
        sitting = Sitting(effort)
        noted = effort.manifest.get(NOTED, {})
        chosen_seed = int(noted.get("seed", 0)) if seed is None else seed
        number = 1 + max((task.number for task in sitting.tasks.values()), default=0)
        if plan is not None:
            note_plan(effort, plan)
        wanted = find_wanted(
            effort,
            sitting,
            effort.read_judgments(),
            plan or read_plan(effort),
            per_task=per_task,
            seed=chosen_seed,
            number=number,
        )
        usable, are_drawn = (
            _choose_golds(effort, sitting.golds, golds, seed=chosen_seed) if golds_per_task else ([], False)
        )
        made = make_rounds(
            wanted.lacking,
            usable,
            per_task=per_task,
            golds_per_task=golds_per_task,
            seed=chosen_seed,
            first_number=number,
        )
        how = {"seed": chosen_seed, "per_task": per_task, "golds_per_task": golds_per_task}
        if made:
            _keep_golds(effort, sitting.golds, usable)
            effort.note({NOTED: {**how, "golds_are_drawn": are_drawn or noted.get("golds_are_drawn", False)}})
            effort.append(TASKS, (task.to_record() for task in made))
        return TaskReport(
            made=tuple(made),
            n_before=len(sitting.tasks),
            wanted=wanted,
            n_golds=len(usable),
            are_golds_drawn=are_drawn,
            per_task=per_task,
            seed=chosen_seed,
            folder=str(effort.folder),
        )


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
    """The tasks that were made."""

    FRAME = Rows(
        "slots",
        (
            Column("task_id", str, "0"),
            Column("slot", int, "1"),
            *columns(str, "query_id=2.query_id left=2.left right=2.right"),
            *columns(bool, "is_gold=2.is_gold is_repeat=2.is_repeat"),
        ),
    )
    MADE_FROM = ("seed state=folder per_task",)

    made: tuple[Task, ...]
    n_before: int
    wanted: Wanted
    n_golds: int
    are_golds_drawn: bool
    per_task: int
    seed: int
    folder: str

    @property
    def figures(self) -> dict[str, int]:
        slots = [slot for task in self.made for slot in task.slots]
        return {
            "tasks": len(self.made),
            "pairs": len({slot.pair for slot in slots if not slot.is_gold and not slot.is_repeat}),
            "queries": len({slot.query_id for slot in slots if not slot.is_gold}),
            "repeats that fill a task": sum(slot.is_repeat for slot in slots),
            "gold slots": sum(slot.is_gold for slot in slots),
            "golds": self.n_golds,
            "tasks before": self.n_before,
            "pairs in open tasks": self.wanted.n_waiting,
        }

    @property
    def sentence(self) -> str:
        if not self.made:
            return self._say_why_none()
        found = self.figures
        pairs, queries = say_count(found["pairs"], "pair"), say_queries(found["queries"])
        return f"{say_count(len(self.made), 'task')} made, of {pairs} of {queries}, with {found['gold slots']:,} golds."

    def _say_why_none(self) -> str:
        waiting = self.wanted.n_waiting
        left = f"; {say_count(waiting, 'pair')} wait in open tasks" if waiting else ""
        if isinstance(self.wanted.plan, VotesPlan):
            return f"No task made: every pair is decided or in a task{left}."
        if self.wanted.is_money_spent:
            return f"No task made: the money is spent{left}."
        return f"No task made: every query is finished{left}."

    @property
    def table(self) -> Table:
        return Table.of(self.figures.items(), NUMBERS)

    @property
    def notes(self) -> tuple[str, ...]:
        return tuple(self._say_notes())

    def _say_notes(self) -> Iterator[str]:
        if self.wanted.plan != VotesPlan():
            yield f"Plan: {self.wanted.plan.say()}."
        if isinstance(self.wanted.plan, AdaptivePlan):
            yield self.wanted.say()
        if self.are_golds_drawn and self.made:
            yield "Golds: each label against the label of another query, at random. Look them through (golds.jsonl)."
        short = sum(sum(not slot.is_gold for slot in task.slots) < self.per_task for task in self.made)
        if short:
            yield f"Short of pairs: {say_count(short, 'task')}, for no query stands twice in a task."
        if self.made:
            yield f"Seed {self.seed}: order, sides and golds follow from it. Tasks are in {self.folder}."

    @property
    def slots(self) -> list[tuple[str, int, Slot]]:
        """As an assessor is shown them: the task, the number in it and the slot."""
        return [(task.task_id, number, slot) for task in self.made for number, slot in enumerate(task.slots)]

    def to_dict(self) -> dict[str, Any]:
        return {
            "sentence": self.sentence,
            **{what.replace(" ", "_"): n for what, n in self.figures.items()},
            "notes": list(self.notes),
            "provenance": dict(self.provenance),
        }

    def __repr__(self) -> str:
        return f"TaskReport({len(self.made):,} tasks)"
