"""How does a campaign begin? Chosen, priced and forecast, test pairs looked at, then started, a pilot first."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from toprung.errors import InputError
from toprung.web.core.models.judging import Campaign, CampaignState
from toprung.web.core.models.labels import LabelUse
from toprung.web.services.claims.records import settled_submissions
from toprung.web.services.judging.campaigns.estimate import ESTIMATE
from toprung.web.services.judging.campaigns.golds import count_golds, judge_golds, propose_more, show_golds
from toprung.web.services.judging.campaigns.plan import CampaignRefusedError, change_draft, create_campaign
from toprung.web.services.judging.campaigns.start import start, why_not_startable
from toprung.web.services.shown.organiser import OrganiserPage, organise_at
from toprung.web.site.account.requests import MemberRequest
from toprung.web.site.campaign.drawing import draw_course
from toprung.web.site.campaign.finding import find_campaign, frame_of
from toprung.web.site.campaign.forms import CampaignForm, PilotForm, initial_of
from toprung.web.site.campaign.link import link_of


@never_cache
@login_required
@require_safe
def list_campaigns(request: MemberRequest, slug: str) -> HttpResponse:
    organiser_page = organise_at(request.user, slug)
    campaigns = organiser_page.board.campaigns.select_related("design", "label_set")
    return render(request, "campaign/list.html", organiser_page.frame("campaigns") | {"campaigns": campaigns})


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def new_campaign(request: MemberRequest, slug: str) -> HttpResponse:
    organiser_page = organise_at(request.user, slug)
    form = _form(organiser_page, request)
    if request.method == "POST" and form.is_valid():
        try:
            made = create_campaign(organiser_page.board, form.to_choices(), by=request.user)
        except CampaignRefusedError as error:
            _tell(form, error)
        else:
            return redirect("campaign", slug=slug, name=made.slug)
    status = HTTPStatus.UNPROCESSABLE_ENTITY if form.is_bound else HTTPStatus.OK
    return render(request, "campaign/draft.html", organiser_page.frame("campaigns") | {"form": form}, status=status)


def show_draft(request: MemberRequest, organiser_page: OrganiserPage, campaign: Campaign) -> HttpResponse:
    """The choices of a draft, which can still be changed, and what it will buy."""
    form = _form(organiser_page, request, campaign)
    if request.method == "POST" and form.is_valid():
        try:
            change_draft(campaign, form.to_choices(), by=request.user)
        except CampaignRefusedError as error:
            _tell(form, error)
        else:
            return redirect("campaign", slug=organiser_page.board.slug, name=campaign.slug)
    status = HTTPStatus.UNPROCESSABLE_ENTITY if request.method == "POST" else HTTPStatus.OK
    context = frame_of(organiser_page, campaign) | {"form": form, "link": link_of(campaign, request)}
    context |= estimate_context(campaign)
    return render(request, "campaign/draft.html", context, status=status)


def _form(organiser_page: OrganiserPage, request: MemberRequest, campaign: Campaign | None = None) -> CampaignForm:
    board = organiser_page.board
    sets = board.label_sets.filter(is_current=True).exclude(use=LabelUse.DEV).order_by("pk")
    initial = None if campaign is None else initial_of(campaign, campaign.design)
    posted = request.POST if request.method == "POST" else None
    return CampaignForm(sets, settled_submissions(board), posted, initial=initial)


def _tell(form: CampaignForm, error: CampaignRefusedError) -> None:
    form.add_error(error.key if error.key in form.fields else None, str(error))


def estimate_context(campaign: Campaign) -> dict[str, Any]:
    """What a task found the draft to take and to buy, or that it is on its way."""
    report = campaign.reports.filter(kind=ESTIMATE).first()
    is_computed = report is not None and report.made_of == str(campaign.design.due)
    content: dict[str, Any] = {} if report is None or not is_computed else report.content
    return {
        "estimate": content,
        "is_computed": is_computed,
        "missing": why_not_startable(campaign) if is_computed else "",
        "golds": count_golds(campaign),
        "pilot_form": PilotForm(),
        "courses": _draw(content) if "curve" in content else [],
        "shares": content.get("rows", [])[:3],
        "n_undecided": content["n_several"] - content["rows"][1]["decided"] if "rows" in content else 0,
        "others": content.get("rows", [])[3:],
    }


def _draw(content: dict[str, Any]) -> list[Any]:
    curve, rows = [tuple(point) for point in content["curve"]], content["rows"][:3]
    sign = "$" if content["budget"] else ""
    last = curve[-1][0]
    return draw_course(
        curve,
        most=(last, content["n_several"]),
        words_x=[(last * part / 4, f"{sign}{last * part / 4:,.0f}") for part in range(5)],
        marks=[
            (row["amount"], row["decided"], f"{name}: {row['decided']:,}")
            for name, row in zip(("half", "plan", "twice"), rows, strict=True)
        ],
    )


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def look_at_golds(request: MemberRequest, slug: str, name: str) -> HttpResponse:
    """Every test pair with its texts: kept or refused, one by one; more are proposed for who asks."""
    organiser_page, campaign = find_campaign(request.user, slug, name)
    if request.method == "POST":
        asks_for_more = request.POST.get("act") == "more"
        try:
            if asks_for_more:
                propose_more(campaign, by=request.user)
            else:
                judge_golds(campaign, *_verdicts(request), by=request.user)
        except CampaignRefusedError as error:
            messages.error(request, str(error))
        return redirect("campaign_golds" if asks_for_more else "campaign", slug=slug, name=name)
    told = {"shown": show_golds(campaign, by=request.user), "golds": count_golds(campaign)}
    return render(request, "campaign/golds.html", frame_of(organiser_page, campaign) | told)


def _verdicts(request: MemberRequest) -> tuple[list[int], list[int]]:
    """Numbers of the test pairs that are kept, and of those that are refused."""
    said = {key.removeprefix("gold-"): value for key, value in request.POST.items() if key.startswith("gold-")}
    numbered = {int(key[:18]): value for key, value in said.items() if key.isascii() and key.isdecimal()}
    kept, refused = ([pk for pk, word in numbered.items() if word == verdict] for verdict in ("kept", "refused"))
    return kept, refused


@login_required
@require_POST
def start_campaign(request: MemberRequest, slug: str, name: str) -> HttpResponse:
    _, campaign = find_campaign(request.user, slug, name)
    is_pilot = request.POST.get("pilot") == "1"
    form = PilotForm(request.POST)
    if is_pilot and not form.is_valid():
        messages.error(request, " ".join(map(str, form.errors["tasks"])))
        return redirect("campaign", slug=slug, name=name)
    try:
        start(campaign, by=request.user, pilot=form.cleaned_data["tasks"] if is_pilot else 0)
    except InputError as error:
        messages.error(request, str(error))
    else:
        begun = "The pilot has begun" if is_pilot else f"{campaign.title} has begun"
        messages.success(request, f"{begun}: give the link to who is to judge.")
    return redirect("campaign", slug=slug, name=name)


def is_draft(campaign: Campaign) -> bool:
    return campaign.state == CampaignState.DRAFT
