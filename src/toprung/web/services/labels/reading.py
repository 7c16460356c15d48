"""Reads a file of labels that was sent, in a child process: no database, no Django."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from toprung.data.formats.content import Limits
from toprung.data.formats.qrels_files import read_qrels
from toprung.data.qrels import Qrels
from toprung.web.core.apart.reply import Int32s, Int64s


@dataclass(frozen=True, kw_only=True)
class SentLabels:
    """Labels as a child sends them back."""

    query_ids: tuple[str, ...]
    starts: Int64s
    doc_ids: tuple[str, ...]
    grades: Int32s
    source: str

    def to_qrels(self) -> Qrels:
        return Qrels(self.query_ids, self.starts, self.doc_ids, self.grades, self.source)


def read_labels_file(path: Path, limits: Limits) -> SentLabels:
    found = read_qrels(path, limits=limits)
    return SentLabels(
        query_ids=found.query_ids,
        starts=found.starts,
        doc_ids=found.doc_ids,
        grades=found.grades,
        source=found.source,
    )
