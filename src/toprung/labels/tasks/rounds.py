"""How does a pair get more than one vote? By tasks with the same pairs, which go to different people.

All rounds have one partition into tasks: who did one of them can still do all others. Were pairs shuffled anew for each
round, almost every task would hold a pair that an assessor has seen.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from toprung.data.judgments import Pair
from toprung.labels.tasks.golds import Gold
from toprung.labels.tasks.task import GOLDS_PER_TASK, PER_TASK, Task, copy_task, make_tasks


def make_rounds(
    lacking: Mapping[Pair, int],
    golds: Iterable[Gold],
    *,
    per_task: int = PER_TASK,
    golds_per_task: int = GOLDS_PER_TASK,
    seed: int = 0,
    first_number: int = 1,
) -> list[Task]:
    """Put every pair into as many tasks as it lacks votes.

    >>> tasks = make_rounds({Pair(f"q{i}", "d1", "d2"): 3 for i in range(20)}, [], golds_per_task=0)
    >>> [task.task_id for task in tasks if set(task.pairs) == set(tasks[0].pairs)]
    ['t00001', 't00003', 't00005']
    """
    drawn = list(golds)
    firsts: dict[int, list[Task]] = {}
    number = first_number
    for times in sorted(set(lacking.values()) - {0}):
        pairs = [pair for pair, n in lacking.items() if n == times]
        firsts[times] = make_tasks(
            pairs, drawn, per_task=per_task, golds_per_task=golds_per_task, seed=seed, first_number=number
        )
        number += len(firsts[times])
    made = [task for tasks in firsts.values() for task in tasks]
    again = _later_rounds(firsts)
    return made + [copy_task(task, drawn, number=place) for place, task in enumerate(again, start=number)]


def _later_rounds(firsts: Mapping[int, list[Task]]) -> Iterator[Task]:
    for each_round in range(2, max(firsts, default=0) + 1):
        for times, tasks in firsts.items():
            if times >= each_round:
                yield from tasks
