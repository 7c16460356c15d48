"""Batch results of Mechanical Turk, which closed in 2026: a row per assignment, its pairs in numbered columns.

``Input.query_id_1, Input.left_id_1, Input.right_id_1, Answer.choice_1`` and so on; one pair a row needs no number. The
answer is ``left``, ``right``, ``tie``, ``skip`` or an id, or a column for each side that holds ``true``
(``Answer.choice_1.left``). ``Input.is_gold_1`` marks a test question.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from toprung.data.formats import problems
from toprung.data.formats.judgments.rows import SIDES, JudgmentRows
from toprung.data.formats.tables.csv_table import CsvTable

INPUT = re.compile(r"input\.([a-z_]*?)_?([0-9]{0,6})")
ANSWER = re.compile(r"answer\.[a-z_]*?_?([0-9]{0,6})(?:\.(left|right|tie|skip))?")
FIELDS = {
    "query_id": "query",
    "qid": "query",
    "topic": "query",
    "left_id": "left",
    "left": "left",
    "right_id": "right",
    "right": "right",
    "is_gold": "gold",
}
PREFERRED = ("query_id", "left_id", "right_id")
"""Where there are both, ``left_id`` is the id and ``left`` the text."""
YES = frozenset({"true", "1", "yes"})
REJECTED = "rejected"


@dataclass
class PairColumns:
    """The columns of one pair."""

    number: str
    columns: dict[str, int] = field(default_factory=dict)
    answers: dict[str, int] = field(default_factory=dict)

    @property
    def is_whole(self) -> bool:
        return {"query", "left", "right"} <= self.columns.keys() and bool(self.answers)


def parse_mturk(content: bytes, rows: JudgmentRows) -> None:
    table = CsvTable.parse(content, rows.source)
    slots = list(_find_slots(table))
    if not slots:
        expected = "columns such as Input.query_id_1, Input.left_id_1, Input.right_id_1 and Answer.choice_1"
        raise table.error("no numbered pair with its answer", expected, line=1)
    worker, status = table.look_for(("workerid",)), table.look_for(("assignmentstatus",))
    for line, cells in table.rows:
        if status is not None and cells[status].lower() == REJECTED:
            rows.warnings.add(problems.rejected_work(line))
            continue
        for slot in slots:
            _add_slot(rows, slot, line, cells, "" if worker is None else cells[worker])


def _find_slots(table: CsvTable) -> Iterator[PairColumns]:
    slots: dict[str, PairColumns] = {}
    for column, name in enumerate(table.header):
        if (found := INPUT.fullmatch(name.lower())) and found[1] in FIELDS:
            columns = slots.setdefault(found[2], PairColumns(found[2])).columns
            if found[1] in PREFERRED or FIELDS[found[1]] not in columns:
                columns[FIELDS[found[1]]] = column
        elif found := ANSWER.fullmatch(name.lower()):
            slots.setdefault(found[1], PairColumns(found[1])).answers[found[2] or ""] = column
    yield from (slot for slot in slots.values() if slot.is_whole)


def _add_slot(rows: JudgmentRows, slot: PairColumns, line: int, cells: tuple[str, ...], worker: str) -> None:
    query, left, right = (cells[slot.columns[name]] for name in ("query", "left", "right"))
    ticked = [side for side, column in slot.answers.items() if side and cells[column].lower() in YES]
    if len(ticked) > 1:
        rows.refuse(problems.bad_choice(" and ".join(ticked), left, right, line))
    word = ticked[0] if ticked else cells[slot.answers[""]] if "" in slot.answers else ""
    if not word:
        rows.warnings.add(problems.no_choice(line))
        return
    gold = slot.columns.get("gold")
    rows.add(
        line=line,
        query_id=query,
        left=left,
        right=right,
        choice=rows.choose(word, left, right, line, SIDES),
        assessor=worker,
        slot=int(slot.number) if slot.number else None,
        is_gold=gold is not None and cells[gold].lower() in YES,
    )
