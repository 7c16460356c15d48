"""How far are the campaigns of a board, and what did people say? For who organises it."""

from __future__ import annotations

from typing import Annotated, Literal

from django.http import Http404, HttpResponse
from ninja import Path, Router
from pydantic import StringConstraints

from toprung.web.api.callers import ApiRequest, organising
from toprung.web.api.looks import Slug
from toprung.web.api.schemas.judging import CampaignOut, CampaignProgressOut, CampaignsOut
from toprung.web.api.schemas.problems import problems
from toprung.web.core.models.judging import Campaign
from toprung.web.services.judging.campaigns.export import export_campaign
from toprung.web.services.judging.campaigns.live import LIVE, QUALITY, ask_for_news
from toprung.web.services.judging.campaigns.plan import plan_of
from toprung.web.services.shown.organiser import OrganiserPage, organise_at

router = Router(tags=["organisers"])
Name = Annotated[str, StringConstraints(max_length=60), Path(description="What the campaign is called in addresses.")]
ExportFormat = Annotated[
    Literal[
        "jsonl", "waterloo", "evalica", "arena", "crowd-kit", "label-studio", "mturk", "arabzadeh", "folder", "sheet"
    ],
    Path(description="For which tool; `folder` is a judging effort as a zip file, `sheet` its data sheet."),
]


@router.get(
    "/boards/{slug}/campaigns",
    response={200: CampaignsOut, **problems(404)},
    summary="Judging campaigns",
    url_name="api_campaigns",
    **organising(),
)
def list_campaigns(request: ApiRequest, slug: Slug) -> CampaignsOut:
    """All of the board, the newest first."""
    campaigns = organise_at(request.auth.user, slug).board.campaigns.select_related("design", "label_set")
    items = [_tell(each) for each in campaigns]
    return CampaignsOut(items=items, count=len(items))


@router.get(
    "/boards/{slug}/campaigns/{name}",
    response={200: CampaignProgressOut, **problems(404, 422)},
    summary="How far a campaign is",
    url_name="api_campaign",
    **organising(),
)
def show_campaign(request: ApiRequest, slug: Slug, name: Name) -> CampaignProgressOut:
    """As a task computed it; where it has moved since, another is asked for."""
    _, campaign = _find(request, slug, name)
    report = ask_for_news(campaign)
    stored = {each.kind: each.content for each in campaign.reports.filter(kind__in=(LIVE, QUALITY))}
    return CampaignProgressOut(
        campaign=_tell(campaign),
        computed_at=None if report is None else report.computed_at,
        live=stored.get(LIVE, {}),
        quality=stored.get(QUALITY, {}),
    )


@router.get(
    "/boards/{slug}/campaigns/{name}/export/{as_format}",
    response={200: None, **problems(404, 422)},
    summary="The judgments of a campaign",
    url_name="api_campaign_export",
    **organising(),
)
def export_judgments(request: ApiRequest, slug: Slug, name: Name, as_format: ExportFormat) -> HttpResponse:
    """Without identities: as JSONL or for other tools, as the folder of a judging effort (zip), or as a data sheet."""
    organiser_page, campaign = _find(request, slug, name)
    file = export_campaign(campaign, as_format, by=organiser_page.user)
    response = HttpResponse(file.content, content_type=file.content_type)
    response["Content-Disposition"] = f'attachment; filename="{file.name}"'
    return response


def _find(request: ApiRequest, slug: str, name: str) -> tuple[OrganiserPage, Campaign]:
    organiser_page = organise_at(request.auth.user, slug)
    campaign = organiser_page.board.campaigns.select_related("design", "label_set").filter(slug=name).first()
    if campaign is None:
        raise Http404("There is no such campaign.")
    campaign.board = organiser_page.board
    return organiser_page, campaign


def _tell(campaign: Campaign) -> CampaignOut:
    design = campaign.design
    return CampaignOut(
        name=campaign.slug,
        title=campaign.title,
        state=campaign.state,
        access=campaign.access,
        is_standing=campaign.is_standing,
        labels_version=campaign.label_set.version,
        plan=plan_of(campaign, design).say(),
        target=design.target,
        misses=design.misses,
        reward=str(campaign.reward),
        budget=None if campaign.budget is None else str(campaign.budget),
        started_at=campaign.started_at,
        closed_at=campaign.closed_at,
    )
