"""What did a run claim? Its entry in the ledger of the board, with what it was held against."""

from __future__ import annotations

from dataclasses import dataclass

from toprung.web.core.access.viewer import Viewer
from toprung.web.core.models.claims import Claim
from toprung.web.core.models.runs import Submission
from toprung.web.services.shown.history.ledger import LedgerEntry, find_claims, to_entries


@dataclass(frozen=True, kw_only=True)
class ClaimRow:
    """A claim, as a row of a table."""

    entry: LedgerEntry
    against: str
    """Label and name of the run it was made against."""
    labels_version: int


def claim_of(submission: Submission, viewer: Viewer) -> Claim | None:
    return find_claims(viewer).select_related("holder__team", "label_set").filter(submission=submission).first()


def to_row(claim: Claim, viewer: Viewer) -> ClaimRow:
    (entry,) = to_entries([claim], viewer)
    name = viewer.namer.name(claim.holder).name
    return ClaimRow(
        entry=entry,
        against=claim.holder.run_id if name == claim.holder.run_id else f"{claim.holder.run_id} {name}",
        labels_version=claim.label_set.version,
    )
