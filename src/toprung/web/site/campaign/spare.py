"""Ten minutes to spare? What invited assessors of a board can judge now."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from toprung.web.core.access.boards import role_on
from toprung.web.core.access.viewer import get_viewer
from toprung.web.core.models.boards import Role
from toprung.web.core.models.judging import GIVES_OUT_WORK, CampaignAccess
from toprung.web.services.judging.campaigns.live import LIVE
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
    rows = []
    for campaign in campaigns:
        report = campaign.reports.filter(kind=LIVE).first()
        n_open = None if report is None else len(report.content["open"])
        rows.append({"campaign": campaign, "n_open": n_open})
    return render(request, "campaign/spare.html", viewer.frame("judging") | {"rows": rows})
