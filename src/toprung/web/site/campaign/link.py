"""By which link do assessors come? One for all; a study of a platform adds who it sends."""

from __future__ import annotations

from django.http import HttpRequest
from django.urls import reverse

from toprung.web.core.models.judging import Campaign, CampaignAccess
from toprung.web.services.judging.prolific import study_link


def link_of(campaign: Campaign, request: HttpRequest) -> str:
    """Whole, to be copied as it is."""
    link = request.build_absolute_uri(reverse("judging", args=[campaign.key]))
    return study_link(link) if campaign.access == CampaignAccess.PROLIFIC else link
