"""What does one assessor do in one sitting? Tasks: ten pairs and three golds, shuffled, each with its sides tossed.

Everything comes from the seed that is stored with the task. No query stands twice in a task, so that no answer is
remembered from another pair.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import Any, Self

import numpy as np

from toprung.data.judgments import Pair
from toprung.errors import InputError
from toprung.labels.tasks.gold_drawer import GoldDrawer
from toprung.labels.tasks.golds import Gold

PER_TASK = 10
GOLDS_PER_TASK = 3
PENALTIES = (1e-6, 1e6)
"""Between these, strengths can be computed."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Slot:
    """Two answers as they are shown. A gold knows its good answer; a repeat fills a task and is in another, too."""

    query_id: str
    left: str
    right: str
    good: str | None = None
    is_repeat: bool = False

    @property
    def is_gold(self) -> bool:
        return self.good is not None

    @property
    def pair(self) -> Pair:
        return Pair.of(self.query_id, self.left, self.right)

    def to_record(self) -> dict[str, Any]:
        """As a task's line of JSONL holds it."""
        record: dict[str, Any] = {"query_id": self.query_id, "left": self.left, "right": self.right}
        if self.good is not None:
            record["good"] = self.good
        if self.is_repeat:
            record["is_repeat"] = True
        return record


@dataclass(frozen=True, kw_only=True)
class Task:
    """What one assessor is given. A task that has to be done again is a new attempt at the same pairs."""

    number: int
    slots: tuple[Slot, ...]
    seed: int
    attempt: int = 1
    penalty: float | None = None
    """λ of the strengths by which an adaptive plan chose the pairs; the tasks after it go by the same."""

    @property
    def task_id(self) -> str:
        return _name(self.number, self.attempt)

    @property
    def parent(self) -> str | None:
        """The attempt before this one."""
        return _name(self.number, self.attempt - 1) if self.attempt > 1 else None

    @cached_property
    def pairs(self) -> tuple[Pair, ...]:
        """What is to be judged: all but the golds."""
        return tuple(slot.pair for slot in self.slots if not slot.is_gold)

    @cached_property
    def golds(self) -> tuple[Pair, ...]:
        return tuple(slot.pair for slot in self.slots if slot.is_gold)

    def to_record(self) -> dict[str, Any]:
        """As a line of JSONL holds it."""
        record: dict[str, Any] = {"task_id": self.task_id, "number": self.number, "attempt": self.attempt}
        if self.parent is not None:
            record["parent"] = self.parent
        if self.penalty is not None:
            record["penalty"] = self.penalty
        return record | {"seed": self.seed, "slots": [slot.to_record() for slot in self.slots]}

    @classmethod
    def from_record(cls, record: dict[str, Any]) -> Self:
        """From a line of JSONL."""
        try:
            numbers = {name: record[name] for name in ("number", "seed", "attempt")}
            if not all(type(each) is int and each >= 0 for each in numbers.values()):
                raise TypeError("a number that is none")
            slots = tuple(_to_slot(slot) for slot in record["slots"])
            return cls(slots=slots, penalty=_to_penalty(record.get("penalty")), **numbers)
        except (KeyError, TypeError, ValueError) as error:
            raise InputError(f"{str(record)[:200]}, which is no task ({error})") from None


def _to_penalty(value: Any) -> float | None:
    if value is None:
        return None
    least, most = PENALTIES
    if type(value) not in (int, float) or not least <= value <= most:
        raise TypeError(f"a penalty that is no number from {least:f} to {most:,.0f}")
    return float(value)


def _to_slot(record: dict[str, Any]) -> Slot:
    slot = Slot(**record)
    sides = (slot.left, slot.right)
    if not all(isinstance(each, str) for each in (slot.query_id, *sides)):
        raise TypeError("an id that is no text")
    if slot.left == slot.right or slot.good not in (None, *sides):
        raise ValueError("a slot without two answers, or whose good answer is neither")
    return slot


def _name(number: int, attempt: int) -> str:
    return f"t{number:05d}" if attempt == 1 else f"t{number:05d}-{attempt}"


def make_tasks(
    pairs: Iterable[Pair],
    golds: Iterable[Gold],
    *,
    per_task: int = PER_TASK,
    golds_per_task: int = GOLDS_PER_TASK,
    seed: int = 0,
    first_number: int = 1,
) -> list[Task]:
    """Put every pair into one task.

    Parameters
    ----------
    pairs
        What is to be judged, in any order.
    golds
        Pairs whose better answer is known. Those of a task are of queries that are not among its pairs.
    per_task, golds_per_task
        How many of each make a task.
    seed
        Of the shuffling, the golds and the sides.
    first_number
        Of the first task, if there are others already.

    Returns
    -------
    list of Task
        All but the last are full, and the last is filled with flagged repeats of other tasks' pairs. A query with more
        pairs than that gives tasks needs one task for each of them: then all are shorter, and nothing is repeated.

    Examples
    --------
    >>> pairs = [Pair(f"q{i}", "d1", "d2") for i in range(10)]
    >>> golds = [Gold(f"g{i}", "good", "bad") for i in range(3)]
    >>> [task] = make_tasks(pairs, golds, seed=1)
    >>> task.task_id, len(task.slots), sum(slot.is_gold for slot in task.slots)
    ('t00001', 13, 3)

    """
    _check(per_task, golds_per_task)
    wanted = sorted(dict.fromkeys(pairs), key=lambda pair: (pair.query_id, pair.a, pair.b))
    rng = np.random.default_rng([seed, first_number])
    contents = _fill(wanted, per_task, rng)
    drawer = GoldDrawer(golds, rng)
    tasks = []
    for number, (own, repeats) in enumerate(contents, start=first_number):
        drawn = drawer.draw(golds_per_task, queries={pair.query_id for pair in (*own, *repeats)})
        tasks.append(arrange(own, repeats, drawn, number=number, attempt=1, seed=seed))
    return tasks


def reissue(task: Task, golds: Iterable[Gold], *, avoid: Collection[Pair] = ()) -> Task:
    """The same pairs once more, for someone else, with new golds and new sides.

    Golds of this attempt, and others to ``avoid``, are taken only if there are no others.
    """
    attempt = task.attempt + 1
    drawer = GoldDrawer(golds, np.random.default_rng([task.seed, task.number, attempt, 0]))
    queries = {pair.query_id for pair in task.pairs}
    drawn = drawer.draw(len(task.golds), queries=queries, avoid={*task.golds, *avoid})
    own = [slot.pair for slot in task.slots if not slot.is_gold and not slot.is_repeat]
    repeats = [slot.pair for slot in task.slots if slot.is_repeat]
    return arrange(own, repeats, drawn, number=task.number, attempt=attempt, seed=task.seed)


def _check(per_task: int, golds_per_task: int) -> None:
    if per_task < 1:
        raise InputError(f"per_task: found {per_task}; expected at least one pair in a task.")
    if golds_per_task < 0:
        raise InputError(f"golds_per_task: found {golds_per_task}; expected a whole number from 0.")


def _fill(pairs: Sequence[Pair], per_task: int, rng: np.random.Generator) -> list[tuple[list[Pair], list[Pair]]]:
    """For each task its pairs, and the repeats that fill it up."""
    if not pairs:
        return []
    groups = _shuffled_groups(pairs, rng)
    most = max(map(len, groups))
    needed = -(-len(pairs) // per_task)
    if most > needed:
        return [(own, []) for own in _deal(groups, most, len(pairs), rng)]
    left_for_last = len(pairs) - per_task * (needed - 1)
    in_every_task = sum(len(group) == needed for group in groups)
    # Queries that have a pair in every task need a place in the last one, too; else all tasks are filled evenly.
    rounds_of_last = left_for_last if in_every_task <= left_for_last else per_task
    dealt = _deal(groups, needed, rounds_of_last, rng)
    return [(own, _repeats_for(own, groups, per_task - len(own), rng)) for own in dealt]


def _shuffled_groups(pairs: Sequence[Pair], rng: np.random.Generator) -> list[list[Pair]]:
    """The pairs of each query, shuffled, with the queries shuffled."""
    groups = [list(group) for _, group in groupby(pairs, key=lambda pair: pair.query_id)]
    shuffled = [groups[place] for place in rng.permutation(len(groups)).tolist()]
    return [[group[place] for place in rng.permutation(len(group)).tolist()] for group in shuffled]


def _deal(
    groups: Sequence[list[Pair]], n_tasks: int, rounds_of_last: int, rng: np.random.Generator
) -> list[list[Pair]]:
    """Deal pairs like cards: in each round one to every task, in an order drawn anew; never two of a query to one task.

    The last task takes part in so many rounds only. A query that has a pair for every task goes first, so that it fills
    a whole round. Any other finds a task without it in the next round, for it has fewer pairs than there are tasks.
    """
    tasks: list[list[Pair]] = [[] for _ in range(n_tasks)]
    waiting: list[int] = []
    rounds = 0
    for group in sorted(groups, key=lambda group: len(group) < n_tasks):
        used: set[int] = set()
        for pair in group:
            if not waiting:
                waiting = rng.permutation(n_tasks if rounds < rounds_of_last else n_tasks - 1).tolist()
                rounds += 1
            place = next(place for place in range(len(waiting) - 1, -1, -1) if waiting[place] not in used)
            task = waiting.pop(place)
            used.add(task)
            tasks[task].append(pair)
    return tasks


def _repeats_for(own: Sequence[Pair], groups: Sequence[list[Pair]], n: int, rng: np.random.Generator) -> list[Pair]:
    """Pairs of other queries, one of each; fewer if there are not so many queries."""
    if n == 0:
        return []
    queries = {pair.query_id for pair in own}
    others = [group for group in groups if group[0].query_id not in queries]
    chosen = [others[place] for place in rng.permutation(len(others))[:n].tolist()]
    return [group[int(rng.integers(len(group)))] for group in chosen]


def arrange(
    own: Sequence[Pair], repeats: Sequence[Pair], golds: Sequence[Gold], *, number: int, attempt: int, seed: int
) -> Task:
    """Shuffle all, and toss a coin for the sides of each."""
    contents = [
        *((pair.query_id, pair.a, pair.b, None, False) for pair in own),
        *((pair.query_id, pair.a, pair.b, None, True) for pair in repeats),
        *((gold.query_id, gold.good, gold.bad, gold.good, False) for gold in golds),
    ]
    rng = np.random.default_rng((seed, number, attempt))
    order, tosses = rng.permutation(len(contents)).tolist(), rng.integers(2, size=len(contents)).tolist()
    slots = []
    for place, is_swapped in zip(order, tosses, strict=True):
        query_id, one, other, good, is_repeat = contents[place]
        left, right = (other, one) if is_swapped else (one, other)
        slots.append(Slot(query_id=query_id, left=left, right=right, good=good, is_repeat=is_repeat))
    return Task(number=number, slots=tuple(slots), seed=seed, attempt=attempt)
