"""How are tasks to be dealt? What is noted for every offer, the golds, and how many pairs wait to be dealt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from toprung.data.judgments import Pair
from toprung.errors import InputError
from toprung.labels.effort.effort import Effort
from toprung.labels.effort.store import RecordStore
from toprung.labels.pools.pool import Pool
from toprung.labels.pools.store import read_pools
from toprung.labels.tasks.dealing import NOTED, RELEASE_AFTER, make_dealer
from toprung.labels.tasks.desk_records import GOLDS, TASKS, DeskRecords
from toprung.labels.tasks.golds import Gold, draw_golds
from toprung.labels.tasks.quality import VoidScope
from toprung.labels.tasks.questions import undecided_pairs
from toprung.labels.tasks.sitting import SCOPE, Sitting
from toprung.labels.tasks.task import GOLDS_PER_TASK, PER_TASK, Task, make_tasks
from toprung.labels.votes.audit import read_audits
from toprung.result import NUMBERS, Result, Rows, Table, columns
from toprung.words.wording import say_count, say_queries


def plan_tasks(
    effort: Effort,
    *,
    golds: Sequence[Gold] | None = None,
    per_task: int = PER_TASK,
    golds_per_task: int = GOLDS_PER_TASK,
    seed: int | None = None,
    scope: str | VoidScope | None = None,
    release_after: float | None = None,
) -> TaskReport:
    """Note how tasks are dealt from now on, to whoever asks for work.

    Without golds those of before are used, or some are drawn: each label against the label of another query. Without a
    seed that of before is used, or 0. ``scope``, which is kept too, says what a failed gold voids; ``release_after``,
    in hours, when work that is not handed in goes to someone else.
    """
    with effort.alone():  # from finding what waits until how it is dealt is noted
        if scope is not None:
            effort.note({SCOPE: str(VoidScope(scope))})
        sitting = Sitting(effort)
        before = effort.manifest.get(NOTED, {})
        how = {"seed": int(before.get("seed", 0)) if seed is None else seed}
        how |= {"per_task": per_task, "golds_per_task": golds_per_task}
        usable, are_drawn = (
            _choose_golds(effort, sitting.golds, golds, seed=how["seed"]) if golds_per_task else ([], False)
        )
        _check_golds(effort, usable, how)
        _keep_golds(effort, sitting.golds, usable)
        hours = before.get(RELEASE_AFTER) if release_after is None else release_after
        noted = {**how, "golds_are_drawn": are_drawn or before.get("golds_are_drawn", False)}
        effort.note({NOTED: noted if hours is None else {**noted, RELEASE_AFTER: float(hours)}})
        undecided = undecided_pairs(effort, effort.read_judgments())
        in_work = [pair for pair in undecided if pair in sitting.desk.pending_of(pair.query_id)]
        return TaskReport(
            waiting=tuple(pair for pair in undecided if pair not in sitting.desk.pending_of(pair.query_id)),
            n_before=len(sitting.tasks),
            n_in_work=len(in_work),
            n_golds=len(usable),
            are_golds_drawn=are_drawn,
            folder=str(effort.folder),
            **how,
        )


def deal_all(store: RecordStore) -> list[Task]:
    """Deal whatever waits, at once: to a judge that is no person and is asked everything.

    People are offered these tasks too, before others are dealt. Nothing is dealt where that was not planned.
    """
    with store.alone():
        noted = store.manifest.get(NOTED)
        if noted is None:
            return []
        desk = Sitting(store).desk
        undecided = undecided_pairs(store, store.read_judgments())
        made = make_tasks(
            [pair for pair in undecided if pair not in desk.pending_of(pair.query_id)],
            desk.golds,
            per_task=noted.get("per_task", PER_TASK),
            golds_per_task=noted.get("golds_per_task", GOLDS_PER_TASK),
            seed=noted.get("seed", 0),
            first_number=desk.last_number + 1,
        )
        if made:
            store.append(TASKS, [task.to_record() for task in made])
        return made


def _check_golds(effort: Effort, golds: Sequence[Gold], how: Mapping[str, int]) -> None:
    """Refuse golds that do not suffice for a task, before anyone asks for one."""
    desk = DeskRecords()
    for gold in golds:
        desk.add(gold)
    make_dealer(effort, how).deal(desk, "")


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

    FRAME = Rows("waiting", columns(str, "query_id a b"))
    MADE_FROM = ("seed state=folder per_task",)

    waiting: tuple[Pair, ...]
    n_before: int
    n_in_work: int
    n_golds: int
    are_golds_drawn: bool
    per_task: int
    golds_per_task: int
    seed: int
    folder: str

    @property
    def most_of_a_query(self) -> int:
        """How many pairs of one query wait: each needs a task of its own."""
        return max(Counter(pair.query_id for pair in self.waiting).values(), default=0)

    @property
    def n_tasks(self) -> int:
        """How many tasks that makes, if nobody fails a gold."""
        return max(-(-len(self.waiting) // self.per_task), self.most_of_a_query)

    @property
    def figures(self) -> dict[str, int]:
        return {
            "tasks": self.n_tasks,
            "pairs": len(self.waiting),
            "queries": len({pair.query_id for pair in self.waiting}),
            "gold slots": self.n_tasks * self.golds_per_task,
            "golds": self.n_golds,
            "tasks before": self.n_before,
            "pairs in open tasks": self.n_in_work,
        }

    @property
    def sentence(self) -> str:
        if not self.waiting:
            left = f"; {say_count(self.n_in_work, 'pair')} wait in open tasks" if self.n_in_work else ""
            return f"Nothing to deal: every pair is decided or in a task{left}."
        found = self.figures
        pairs, queries = say_count(found["pairs"], "pair"), say_queries(found["queries"])
        tasks = say_count(self.n_tasks, "task")
        return f"{pairs} of {queries} to deal, in {tasks} with {say_count(found['gold slots'], 'gold')}."

    @property
    def table(self) -> Table:
        return Table.of(self.figures.items(), NUMBERS)

    @property
    def notes(self) -> tuple[str, ...]:
        return tuple(self._say_notes())

    def _say_notes(self) -> Iterator[str]:
        if not self.waiting:
            return
        if self.are_golds_drawn:
            yield "Golds: each label against the label of another query, at random. Look them through (golds.jsonl)."
        if self.most_of_a_query > -(-len(self.waiting) // self.per_task):
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
