"""Judgments as CSV with a header: crowd-kit's, evalica's and the arena's.

They compare items in general; where a column names the query (or prompt), it is read.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from toprung.data.formats.judgments.rows import EVERY_QUERY, SIDES, JudgmentFormat, JudgmentRows
from toprung.data.formats.tables.csv_table import CsvTable
from toprung.data.judgments import Choice

QUERY_COLUMNS = ("query_id", "qid", "topic", "query", "prompt", "question_id")
WORKER_COLUMNS = ("worker", "assessor", "judge", "annotator", "worker_id")
ARENA_WORDS = {
    "model_a": Choice.LEFT,
    "model_b": Choice.RIGHT,
    "tie": Choice.TIE,
    "tie (bothbad)": Choice.TIE,
    "bothbad": Choice.TIE,
}


@dataclass(frozen=True)
class CsvLayout:
    """The columns of a CSV of judgments, and the words of its winner column."""

    left: str
    right: str
    winner: str
    words: Mapping[str, Choice]


LAYOUTS = {
    JudgmentFormat.CROWD_KIT: CsvLayout("left", "right", "label", {}),
    JudgmentFormat.EVALICA: CsvLayout("left", "right", "winner", SIDES),
    JudgmentFormat.ARENA: CsvLayout("model_a", "model_b", "winner", ARENA_WORDS),
}


def parse_csv(content: bytes, rows: JudgmentRows) -> None:
    layout = LAYOUTS[rows.format]
    table = CsvTable.parse(content, rows.source)
    needed = (layout.left, layout.right, layout.winner)
    left, right, winner = (table.find((name,), what=f"columns {', '.join(needed)}") for name in needed)
    query, worker = table.look_for(QUERY_COLUMNS), table.look_for(WORKER_COLUMNS)
    read = [table.header[column].lower() for column in (query, worker) if column is not None]
    rows.note_unknown(table.header, (*needed, *read))
    for line, cells in table.rows:
        rows.add(
            line=line,
            query_id=EVERY_QUERY if query is None else cells[query],
            left=cells[left],
            right=cells[right],
            choice=rows.choose(cells[winner], cells[left], cells[right], line, layout.words),
            assessor="" if worker is None else cells[worker],
        )
