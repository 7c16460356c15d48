"""Who held the top rung, from when until when, and by which claim? The latest first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Any

from toprung.web.core.access.namer import Identity
from toprung.web.core.access.viewer import Viewer
from toprung.web.services.shown.history.ledger import LedgerEntry, find_claims, to_entries
from toprung.words.wording import show_number


@dataclass(frozen=True, kw_only=True)
class ShownReign:
    """One holder."""

    run: str
    identity: Identity
    since: date
    until: date | None
    days: int
    score: str
    is_baseline: bool
    claim: LedgerEntry | None


def find_reigns(viewer: Viewer, content: dict[str, Any], today: date) -> Iterator[ShownReign]:
    """``content``: of the stored timeline; whoever holds the rung now holds it until ``today``."""
    holders = content["holders"]
    labels = [each["run"] for each in holders]
    claims = {each.run: each for each in to_entries(find_claims(viewer).filter(submission__run_id__in=labels), viewer)}
    runs = {each.run_id: each for each in viewer.board.submissions.filter(run_id__in=labels).select_related("team")}
    for each in reversed(holders):
        run, since = runs[each["run"]], date.fromisoformat(each["since"])
        until = date.fromisoformat(each["until"]) if each["until"] else None
        yield ShownReign(
            run=run.run_id,
            identity=viewer.namer.name(run),
            since=since,
            until=until,
            days=((until or today) - since).days,
            score=show_number(each["score"], content["decimals"]),
            is_baseline=run.is_baseline,
            claim=claims.get(run.run_id),
        )
