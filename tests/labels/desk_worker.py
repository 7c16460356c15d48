"""``python -m tests.labels.desk_worker KIND PATH NAME``: an assessor at work until there is no more, or it is killed.

The id of each answer is printed once the desk has kept it.
"""

from __future__ import annotations

import sys
from pathlib import Path
from uuid import uuid4

from tests.labels.sqlite_store import SqliteStore

from toprung.data.judgments import Choice
from toprung.labels.effort.effort import Effort
from toprung.labels.effort.store import RecordStore
from toprung.labels.tasks.assignments import AssignmentStage
from toprung.labels.tasks.sitting import Sitting


def main(kind: str, path: str, name: str) -> None:
    store: RecordStore = Effort.open(path) if kind == "folder" else SqliteStore(Path(path))
    sitting = Sitting(store)
    while (assignment := sitting.offer(name)) is not None:
        steps = (AssignmentStage.CONSENTED, AssignmentStage.ACTIVE)
        assignment = sitting.move(assignment, *steps[(AssignmentStage.OFFERED, *steps).index(assignment.stage) :])
        slots = sitting.tasks[assignment.task_id].slots
        for number in sitting.open_slots(assignment):
            is_left = slots[number].left == min(slots[number].left, slots[number].right)
            answer_id = uuid4().hex
            sitting.answer(assignment, number, Choice.LEFT if is_left else Choice.RIGHT, answer_id=answer_id)
            print(answer_id, flush=True)
        sitting.submit(assignment)


if __name__ == "__main__":
    main(*sys.argv[1:])
