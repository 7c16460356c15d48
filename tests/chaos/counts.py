"""What came of it? Counted in the database, beside what was acknowledged."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from tests.web.real_board import RealBoard

ENDED = "('done', 'failed')"


@dataclass(frozen=True, kw_only=True)
class Counts:
    """All but the first two are to be 0, or nothing."""

    acknowledged: int
    stored: int
    lost: int
    """Acknowledged, and not there."""
    doubled: int
    """Of one file more than one run, of one run more than one charge, claim or entry of the log."""
    stuck: int
    """Neither scored nor said to have failed."""
    failed: int
    """Said to have failed: every file is a good one."""
    why_failed: tuple[str, ...]
    """As organisers find it in the log."""

    @classmethod
    def of(cls, board: RealBoard, acknowledged: Collection[str]) -> Counts:
        names = [name for (name,) in board.ask("SELECT name FROM web_submission")]
        return cls(
            acknowledged=len(acknowledged),
            stored=len(names),
            lost=len(set(acknowledged) - set(names)),
            doubled=len(names) - len(set(names)) + _doubled(board),
            stuck=count_waiting(board),
            failed=_count(board, "state = 'failed'"),
            why_failed=_why_failed(board),
        )

    @property
    def is_well(self) -> bool:
        return (self.lost, self.doubled, self.stuck, self.failed) == (0, 0, 0, 0)


def count_waiting(board: RealBoard) -> int:
    return _count(board, f"state NOT IN {ENDED}")


def _count(board: RealBoard, where: str) -> int:
    ((n,),) = board.ask(f"SELECT count(*) FROM web_submission WHERE {where}")
    return int(n)


def _why_failed(board: RealBoard) -> tuple[str, ...]:
    details = board.ask("SELECT details FROM web_auditentry WHERE what LIKE '%; its charge was given back'")
    return tuple(str(each) for (each,) in details)


def _doubled(board: RealBoard) -> int:
    """Of what belongs to a run once: its charge, its claim, its entry in the log, its number."""
    questions = (
        "SELECT count(*) - count(DISTINCT submission_id) FROM web_charge",
        "SELECT count(*) - count(DISTINCT submission_id) FROM web_claim",
        "SELECT count(*) - count(DISTINCT what) FROM web_auditentry WHERE what LIKE 'Submitted R%'",
        "SELECT count(*) - count(DISTINCT number) FROM web_submission",
    )
    return sum(int(board.ask(question)[0][0]) for question in questions)
