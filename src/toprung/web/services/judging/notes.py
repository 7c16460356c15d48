"""How does an assessor reach the organisers? By a note under the thanks, which bears no name."""

from __future__ import annotations

from toprung.web.core.models.judging import JudgingNote
from toprung.web.services.judging.refusals import JudgingRefusedError
from toprung.web.services.judging.seats import Place

SHORTEST, LONGEST = 3, 2_000
MOST_NOTES = 20


def tell_organiser(place: Place, text: str) -> JudgingNote:
    """Keep a note of an assessor; refused if it says nothing or too much."""
    said = text.replace("\r\n", "\n").replace("\0", "").strip()
    if not SHORTEST <= len(said) <= LONGEST:
        raise JudgingRefusedError(f"Found {len(said):,} characters; expected from {SHORTEST} to {LONGEST:,}.")
    own = JudgingNote.objects.filter(campaign=place.campaign, assessor=place.seat.assessor, by=None)
    if own.count() >= MOST_NOTES:
        raise JudgingRefusedError(f"Found {MOST_NOTES} notes of yours; the organisers answer those first.")
    return JudgingNote.objects.create(
        campaign=place.campaign,
        assessor=place.seat.assessor,
        assignment_id=place.visit.assignment_id,
        text=said,
    )
