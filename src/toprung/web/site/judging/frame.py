"""What do the pages of assessors have in common? The name of the study, and which consent and guidelines hold."""

from __future__ import annotations

from typing import Any

from toprung.web.core.models.judging import Campaign
from toprung.web.services.judging.seats import Place


def frame_of(campaign: Campaign, place: Place | None = None) -> dict[str, Any]:
    return {"campaign": campaign, "seat": None if place is None else place.seat}
