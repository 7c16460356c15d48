"""What happened on a board that everyone may know? For its feed and for mails; each has a name that stays.

Everything is looked up as everyone sees the board now: what a later policy hides, or a team withdrew, is gone here too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from django.urls import reverse
from django.utils import timezone

from toprung.web.core.access.viewer import Viewer
from toprung.web.core.models.claims import Claim
from toprung.web.core.models.labels import LabelUse
from toprung.web.services.shown.board.listed_verdicts import say_boards
from toprung.web.services.shown.history.ledger import find_claims, to_entries
from toprung.web.services.shown.run.outcomes import say_proved_over, say_voided_over

MOST_EVENTS = 50


@dataclass(frozen=True, kw_only=True)
class BoardEvent:
    """One thing that happened."""

    key: str
    """Such as "claim-3": never given to anything else."""
    at: datetime
    updated: datetime
    title: str
    text: str = ""
    """In plain words; of announcements and labels in the organisers' Markdown."""
    is_markdown: bool = False
    path: str
    is_mailed: bool = False


def find_events(viewer: Viewer) -> list[BoardEvent]:
    """The latest first; ``viewer`` sees what everyone does."""
    found = [
        *_claims(viewer),
        *_top_group(viewer),
        *_announcements(viewer),
        *_labels(viewer),
        *_opened_and_closed(viewer),
    ]
    return sorted(found, key=lambda each: (each.at, each.key), reverse=True)[:MOST_EVENTS]


def _claims(viewer: Viewer) -> Iterator[BoardEvent]:
    """Those that passed; one that was voided later says so under the same name."""
    claims = find_claims(viewer).select_related("holder__team").filter(passed=True)[:MOST_EVENTS]
    for claim, entry in zip(claims, to_entries(claims, viewer), strict=True):
        if not entry.is_shown:
            continue
        is_voided = claim.voided_at is not None
        yield BoardEvent(
            key=f"claim-{claim.number}",
            at=claim.recorded_at,
            updated=claim.voided_at or claim.recorded_at,
            title=_say_claim(viewer, claim),
            text=claim.void_reason if is_voided else entry.reason,
            path=reverse("run", args=[viewer.board.slug, entry.run]),
            is_mailed=not is_voided,
        )


def _say_claim(viewer: Viewer, claim: Claim) -> str:
    run, holder = (viewer.namer.name(each).name for each in (claim.submission, claim.holder))
    if claim.voided_at is not None:
        return say_voided_over(run, holder)
    return say_proved_over(run, holder, is_tested=claim.p is not None)


def _top_group(viewer: Viewer) -> Iterator[BoardEvent]:
    """Of runs that are on the board and shown; whether they may be best still, the board says."""
    entries = viewer.board.top_group_entries.select_related("submission__team")
    entries = entries.filter(submission__withdrawn_at=None, submission__shown_score__isnull=False)
    for entry in entries.order_by("-at")[:MOST_EVENTS]:
        run = entry.submission
        yield BoardEvent(
            key=f"top-{run.run_id}",
            at=entry.at,
            updated=entry.at,
            title=f"{viewer.namer.name(run).name} may be best",
            text="It is new among the runs that may be best.",
            path=reverse("run", args=[viewer.board.slug, run.run_id]),
            is_mailed=True,
        )


def _announcements(viewer: Viewer) -> Iterator[BoardEvent]:
    for each in viewer.board.announcements.filter(withdrawn_at=None)[:MOST_EVENTS]:
        yield BoardEvent(
            key=f"announcement-{each.pk}",
            at=each.at,
            updated=each.at,
            title=each.headline,
            text=each.text,
            is_markdown=True,
            path=f"{reverse('about', args=[viewer.board.slug])}#announcements",
            is_mailed=True,
        )


def _labels(viewer: Viewer) -> Iterator[BoardEvent]:
    sets = viewer.board.label_sets.filter(use=LabelUse.OFFICIAL, version__gt=1).exclude(current_since=None)
    for each in sets.order_by("-version"):
        since = each.current_since or each.published_at
        yield BoardEvent(
            key=f"labels-{each.version}",
            at=since,
            updated=since,
            title=f"Labels v{each.version} are in use",
            text=each.changes,
            is_markdown=True,
            path=reverse("label_versions", args=[viewer.board.slug]),
        )


def _opened_and_closed(viewer: Viewer) -> Iterator[BoardEvent]:
    board, now = viewer.board, timezone.now()
    path = reverse("leaderboard", args=[board.slug])
    if board.opens_at <= now:
        yield BoardEvent(
            key="opened",
            at=board.opens_at,
            updated=board.opens_at,
            title="The board opened",
            text=board.task,
            path=path,
        )
    if board.closes_at is not None and board.closes_at <= now:
        said = say_boards([board])[board.pk].sentence
        yield BoardEvent(
            key="closed", at=board.closes_at, updated=board.closes_at, title="The board closed", text=said, path=path
        )
