"""Can pages say what another server tested? A claim whose figures give no claim back is refused."""

from __future__ import annotations

from typing import Any

from toprung.boards.archive.rows import Row
from toprung.boards.engine.words import say_claim
from toprung.web.core.models.claims import Claim
from toprung.web.core.models.runs import Submission
from toprung.web.core.store.tested_claims import to_claim

FIGURES = ("number", "passed", "p", "level", "smallest_gain", "verdict", "grade", "evidence")


def check_claim(row: Row) -> None:
    """Pages make the words of a claim of its numbers: what they could not say is refused here."""
    try:
        run, holder = Submission(run_id=row.text("run")), Submission(run_id=row.text("holder"))
        claim = Claim(submission=run, holder=holder, **{name: row.values[name] for name in FIGURES})
        say_claim(to_claim(claim))
        parts = claim.evidence.get("parts") or {}
        is_readable = all(_holds_numbers(each) for each in parts.values())
    except (AttributeError, KeyError, TypeError, ValueError):
        is_readable = False
    if not is_readable:
        row.refuse("a claim whose figures cannot be read", "those of a claim that was tested")


def _holds_numbers(part: Any) -> bool:
    return part is None or all(isinstance(each, int | float | None) for each in part.values())
