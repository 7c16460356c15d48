"""Ten minutes to spare? What invited assessors of a board can judge now."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from toprung.web.core.access.boards import role_on
from toprung.web.core.access.viewer import get_viewer
from toprung.web.core.models.boards import Role
from toprung.web.core.models.judging import GIVES_OUT_WORK, Campaign, CampaignAccess, JudgingVisit
from toprung.web.core.models.people import User
from toprung.web.services.judging.access import why_refused
from toprung.web.services.judging.campaigns.live import ask_for_news
from toprung.web.site.account.requests import MemberRequest


@never_cache
@login_required
@require_safe
def show_spare_minutes(request: MemberRequest, slug: str) -> HttpResponse:
    """The campaigns that give out work to who was invited; for others the page is not there."""
    viewer = get_viewer(request.user, slug)
    if role_on(viewer.board, request.user) not in (Role.ASSESSOR, Role.ORGANISER):
        raise Http404("There is no such page.")
    campaigns = viewer.board.campaigns.filter(state__in=GIVES_OUT_WORK, access=CampaignAccess.INVITED)
    rows = [_row(campaign, request.user) for campaign in campaigns]
    return render(request, "campaign/spare.html", viewer.frame("judging") | {"rows": rows})


def _row(campaign: Campaign, user: User) -> dict[str, Any]:
    """How many queries a campaign asks about, as a task counted them last; or why this person gets none of them."""
    refused = why_refused(campaign, user)
    report = None if refused else ask_for_news(campaign)
    begun = JudgingVisit.objects.filter(seat__campaign=campaign, seat__user=user, ended="")
    return {
        "campaign": campaign,
        "refused": refused,
        "may_tell": bool(refused) and campaign.seats.filter(user=user).exists(),
        "n_open": None if report is None else len(report.content["open"]),
        "is_given_out": report is not None and report.content.get("tasks_left") == 0,
        "has_begun": begun.exclude(assignment_id="").exists(),
    }
