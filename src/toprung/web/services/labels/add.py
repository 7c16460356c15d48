"""How does a board get dev labels that opened without? Checked as those of a new board, on record, public at once."""

from __future__ import annotations

from pathlib import Path

from toprung.web.core.models.boards import Board
from toprung.web.core.models.labels import LabelSet, LabelUse
from toprung.web.core.models.people import User
from toprung.web.core.queue import enqueue_once, refresh
from toprung.web.core.store.audit import record
from toprung.web.core.store.locks import lock_board
from toprung.web.core.store.plan import BoardRefusedError, SettingFault
from toprung.web.services.labels.access_log import describe
from toprung.web.services.labels.publish import FILE, find_new_faults
from toprung.web.services.labels.read import LabelPlan, store_labels

THERE = "found dev labels on this board; expected none: publish a new version in their place."


def has_dev_labels(board: Board) -> bool:
    return board.label_sets.filter(use=LabelUse.DEV).exists()


def plan_dev_labels(path: Path, file_name: str) -> LabelPlan:
    return LabelPlan(key=FILE, use=LabelUse.DEV, path=path, file_name=file_name, is_hidden=False)


def add_dev_labels(board: Board, plan: LabelPlan, *, changes: str, by: User) -> LabelSet:
    """The first dev labels of the board, for dry runs and to look at queries; a BoardRefusedError has every fault."""
    if faults := find_new_faults(board, plan, changes):
        raise BoardRefusedError(faults)
    with lock_board(board.pk) as held:
        if has_dev_labels(held):  # asked while the board is locked: two at once would both be the first
            raise BoardRefusedError([SettingFault(key=FILE, says=THERE)])
        labels = store_labels(held, plan, published_by=by, changes=changes.strip())
        try:
            record(
                held,
                by,
                f"Added labels, {describe(labels)}",
                queries=labels.n_queries,
                digest=labels.digest,
                changes=labels.changes,
            )
            enqueue_once(refresh, held.pk)  # which reads the runs that are there on these queries
        except BaseException:
            labels.file.storage.delete(labels.file.name or "")
            raise
    return labels
