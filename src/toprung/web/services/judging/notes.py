"""How do assessors reach the organisers, and hear from them? By notes without a name, each with its answer."""

from __future__ import annotations

from django.db.models import F, QuerySet
from django.utils import timezone

from toprung.web.core.models.judging import Campaign, JudgingNote
from toprung.web.core.models.people import User
from toprung.web.core.store.audit import record
from toprung.web.core.store.locks import lock_board
from toprung.web.services.judging.campaigns.quality import codes_of
from toprung.web.services.judging.refusals import JudgingRefusedError
from toprung.web.services.judging.seats import Place

SHORTEST, LONGEST = 3, 2_000
MOST_WAITING = 20
"""Notes of one person that wait for an answer."""


def tell_organiser(place: Place, text: str) -> JudgingNote:
    """Keep a note of an assessor; refused if it says nothing or too much."""
    said = _check(text)
    if notes_of(place).filter(answered_at=None).count() >= MOST_WAITING:
        raise JudgingRefusedError(f"Found {MOST_WAITING} notes of yours; the organisers answer those first.")
    return JudgingNote.objects.create(
        campaign=place.campaign,
        assessor=place.seat.assessor,
        assignment_id=place.visit.assignment_id,
        text=said,
    )


def notes_of(place: Place) -> QuerySet[JudgingNote]:
    """What an assessor wrote, with the answers."""
    return JudgingNote.objects.filter(campaign=place.campaign, assessor=place.seat.assessor, by=None)


def notes_from_assessors(campaign: Campaign) -> QuerySet[JudgingNote]:
    """Those that wait for an answer first."""
    return campaign.notes.filter(by=None).order_by(F("answered_at").desc(nulls_first=True), "pk")


def answer_note(campaign: Campaign, pk: int, answer: str, *, by: User) -> None:
    """What its writer reads; a later answer takes the place of an earlier one."""
    said = _check(answer)
    with lock_board(campaign.board_id) as board:
        note = campaign.notes.filter(by=None, pk=pk).first()
        if note is None:
            raise JudgingRefusedError("Found no such note; its writer may have had it deleted. Nothing was answered.")
        note.answer, note.answered_at = said, timezone.now()
        note.save(update_fields=["answer", "answered_at"])
        code = codes_of(campaign).get(note.assessor, "somebody")
        record(board, by, f"Answered a note of {code} in {campaign.slug}")


def _check(text: str) -> str:
    """What is kept of it."""
    said = text.replace("\r\n", "\n").replace("\0", "").strip()
    if not SHORTEST <= len(said) <= LONGEST:
        raise JudgingRefusedError(f"Found {len(said):,} characters; expected from {SHORTEST} to {LONGEST:,}.")
    return said
