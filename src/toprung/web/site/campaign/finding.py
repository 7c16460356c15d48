"""Which campaign of which board, for whom? For organisers alone; for everyone else it is not there."""

from __future__ import annotations

from typing import Any

from django.shortcuts import get_object_or_404

from toprung.web.core.access.rights import Person
from toprung.web.core.models.judging import Campaign
from toprung.web.services.shown.organiser import OrganiserPage, organise_at


def find_campaign(user: Person, slug: str, name: str) -> tuple[OrganiserPage, Campaign]:
    organiser_page = organise_at(user, slug)
    campaigns = organiser_page.board.campaigns.select_related("label_set", "design", "created_by")
    campaign = get_object_or_404(campaigns, slug=name)
    campaign.board = organiser_page.board
    return organiser_page, campaign


def frame_of(organiser_page: OrganiserPage, campaign: Campaign) -> dict[str, Any]:
    return organiser_page.frame("campaigns") | {"campaign": campaign, "design": campaign.design}
