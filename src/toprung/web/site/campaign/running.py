"""How far is a campaign? Its page, which renews itself, a query of it, and what is changed while it runs."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from toprung.errors import InputError
from toprung.web.core.access.texts import public_queries
from toprung.web.core.models.campaigns import CampaignReport
from toprung.web.core.models.judging import Campaign
from toprung.web.core.store import texts
from toprung.web.services.data.opening import note_organiser
from toprung.web.services.judging.campaigns import change
from toprung.web.services.judging.campaigns.live import LIVE, QUALITY, QUERIES, ask_for_news
from toprung.web.services.judging.campaigns.upkeep_words import count_aside, say_aside
from toprung.web.site.account.requests import MemberRequest
from toprung.web.site.campaign.drafts import estimate_context, is_draft, show_draft
from toprung.web.site.campaign.drawing import draw_course, time_ticks
from toprung.web.site.campaign.finding import find_campaign, frame_of
from toprung.web.site.campaign.forms import TargetForm, TopUpForm
from toprung.web.site.campaign.link import link_of
from toprung.web.site.campaign.naming import call, names_of_runs
from toprung.web.site.campaign.people import first_to_look_at
from toprung.words.wording import show_number

OPEN_SHOWN = 10
ASSESSORS_SHOWN = 8
EXPORTS = {
    "jsonl": "JSONL",
    "folder": "folder of an effort",
    "sheet": "data sheet",
    "arabzadeh": "TSV with texts",
    "waterloo": "Waterloo",
    "crowd-kit": "crowd-kit",
    "evalica": "evalica",
    "arena": "arena",
    "label-studio": "Label Studio",
    "mturk": "Mechanical Turk",
}
"""What each format of an export is called on the page."""


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def show_campaign(request: MemberRequest, slug: str, name: str) -> HttpResponse:
    """A draft with its choices; a campaign that has begun with how far it is."""
    organiser_page, campaign = find_campaign(request.user, slug, name)
    if is_draft(campaign):
        return show_draft(request, organiser_page, campaign)
    if request.method == "POST":
        messages.error(request, "Found a campaign that has begun; expected a draft. Nothing was changed.")
        return redirect("campaign", slug=slug, name=name)
    told = {"exports": EXPORTS, "after_the_end": change.AFTER_THE_END}
    context = frame_of(organiser_page, campaign) | live_context(campaign, request) | told
    return render(request, "campaign/campaign.html", context)


@never_cache
@login_required
@require_safe
def show_news(request: MemberRequest, slug: str, name: str) -> HttpResponse:
    """The part that renews itself."""
    organiser_page, campaign = find_campaign(request.user, slug, name)
    frame = {"board": organiser_page.board, "campaign": campaign, "design": campaign.design}
    if is_draft(campaign):
        return render(request, "campaign/estimate.html", frame | estimate_context(campaign))
    return render(request, "campaign/live.html", frame | live_context(campaign, request))


def live_context(campaign: Campaign, request: MemberRequest) -> dict[str, Any]:
    report = ask_for_news(campaign)
    content: dict[str, Any] = {} if report is None else report.content
    quality = campaign.reports.filter(kind=QUALITY).first()
    rows = [] if quality is None else first_to_look_at(quality)
    queries = campaign.reports.filter(kind=QUERIES).first()
    blocked = set(campaign.seats.exclude(blocked_at=None).values_list("assessor", flat=True))
    opened = content.get("open", [])
    return {
        "live": content,
        "report": report,
        "quality": None if quality is None else quality.content,
        "assessors": [row | {"is_blocked": row["assessor"] in blocked} for row in rows[:ASSESSORS_SHOWN]],
        "n_more_assessors": max(0, len(rows) - ASSESSORS_SHOWN),
        "opened": _with_texts(campaign, queries, opened[:OPEN_SHOWN]),
        "n_open": len(opened),
        "aside": say_aside(*count_aside(campaign.challenges.all())),
        "courses": _draw(content) if content.get("curve") else [],
        "more": _draw_more(content) if content.get("forecast") else [],
        "link": link_of(campaign, request),
        "top_up_form": TopUpForm(),
        "target_form": TargetForm(initial={"target": campaign.design.target}),
        "n_notes": campaign.notes.filter(by=None, answered_at=None).count(),
    }


def _with_texts(campaign: Campaign, queries: CampaignReport | None, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Queries by their texts where these are public, else by their ids: the page of a query notes who opens it."""
    public = public_queries(campaign.board, [row["query_id"] for row in rows]) if queries is not None else frozenset()
    told = {} if queries is None else {query_id: queries.content.get(query_id, {}).get("text") for query_id in public}
    names = names_of_runs(campaign.board)
    return [
        row
        | {"text": told.get(row["query_id"]) or row["query_id"], "would_move": call(row.get("would_move", ()), names)}
        for row in rows
    ]


def _draw(content: dict[str, Any]) -> list[Any]:
    start = datetime.fromisoformat(content["curve"][0][0])

    def hours(at: str) -> float:
        return (datetime.fromisoformat(at) - start).total_seconds() / 3600

    so_far = [(hours(at), float(decided)) for at, _, decided in content["curve"]]
    now, decided = so_far[-1]
    ahead, band = _ahead(content.get("forecast"), hours, now, decided)
    last = max([now, *(x for x, _ in ahead)]) or 1
    marks = [(now, decided, f"now: {decided:.0f}")]
    if ahead:
        marks.append((ahead[-1][0], ahead[-1][1], f"{ahead[-1][1]:.0f} ({band[-1][1]:.0f}–{band[-1][2]:.0f})"))
    return draw_course(
        so_far,
        most=(last, content["n_queries"]),
        words_x=time_ticks(last),
        ahead=[(now, decided), *ahead] if ahead else (),
        band=[(now, decided, decided), *band] if band else (),
        marks=marks,
    )


def _draw_more(content: dict[str, Any]) -> list[Any]:
    """Queries decided beyond those of now, by judgments added."""
    points, now = content["forecast"]["points"], content["n_decided"]
    gained = [(0.0, 0.0), *((float(each["votes"]), max(0.0, each["decided"] - now)) for each in points)]
    last, most = gained[-1][0], max(y for _, y in gained)
    return draw_course(
        gained,
        most=(last, max(1.0, most)),
        words_x=[(last * part / 4, f"+{last * part / 4:,.0f}") for part in range(5)],
        marks=[(x, y, f"+{y:.0f} for {x:,.0f}") for x, y in (gained[1], gained[len(gained) // 2], gained[-1])],
    )


def _ahead(
    forecast: dict[str, Any] | None, hours: Any, now: float, decided: float
) -> tuple[list[tuple[float, float]], list[tuple[float, float, float]]]:
    """Points to come, each with its band, spread over the time that is left."""
    if not forecast or not forecast["ends_at"]:
        return [], []
    span = max(0.0, hours(forecast["ends_at"]) - now)
    places = [(now + span * point["votes"] / forecast["votes"], point) for point in forecast["points"]]
    line = [(x, max(decided, point["decided"])) for x, point in places]
    return line, [(x, max(decided, point["low"]), max(decided, point["high"])) for x, point in places]


@never_cache
@login_required
@require_safe
def show_query(request: MemberRequest, slug: str, name: str, query_id: str) -> HttpResponse:
    """One query: its answers, how strong each is, and why it is still asked; opening hidden texts is on record."""
    organiser_page, campaign = find_campaign(request.user, slug, name)
    report = campaign.reports.filter(kind=QUERIES).first()
    if report is None or query_id not in report.content:
        raise Http404("There is no such query in this campaign.")
    content = report.content[query_id]
    reason = f"Looking at a query of {campaign.slug}"
    note_organiser(organiser_page.board, [query_id], reason=reason, by=request.user)
    new = content["new"]
    items = [row["item"] for row in (*content["answers"], *new)] + [item for row in new for item in row["against"]]
    told = texts.passages(organiser_page.board, items)
    names = names_of_runs(organiser_page.board)
    answers = [
        row | {"text": told.get(row["item"], ""), "sources": call(row["sources"], names)} for row in content["answers"]
    ]
    context = frame_of(organiser_page, campaign) | {
        "query": content,
        "query_id": query_id,
        "new": [
            row
            | {"text": told.get(row["item"], ""), "sources": call(row["sources"], names)}
            | {"against": [told.get(item, "") for item in row["against"]]}
            for row in new
        ],
        "can_ask_for_more": bool(answers) and change.can_ask_for_more(campaign),
        "asked_for": campaign.design.asked_for.get(query_id),
        "answers": [row | _bar(row, answers) for row in answers],
        "report": report,
    }
    return render(request, "campaign/query.html", context)


def _bar(row: dict[str, Any], rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Its strength and the ends of its interval, in figures and where they stand between those of all, in percent."""
    low, high = min(each["low"] for each in rows), max(each["high"] for each in rows)
    span = (high - low) or 1
    places = {
        f"x_{part}": round(100 * (row[key] - low) / span, 1)
        for part, key in (("low", "low"), ("mid", "strength"), ("high", "high"))
    }
    return places | {"said": [show_number(row[key], 2, signed=True) for key in ("strength", "low", "high")]}


@never_cache
@login_required
@require_safe
def list_open(request: MemberRequest, slug: str, name: str) -> HttpResponse:
    """Every query that is still asked, the least sure first."""
    organiser_page, campaign = find_campaign(request.user, slug, name)
    live = campaign.reports.filter(kind=LIVE).first()
    queries = campaign.reports.filter(kind=QUERIES).first()
    rows = [] if live is None else live.content["open"]
    opened = _with_texts(campaign, queries, rows)
    return render(request, "campaign/open.html", frame_of(organiser_page, campaign) | {"opened": opened})


@login_required
@require_POST
def act_on_campaign(request: MemberRequest, slug: str, name: str) -> HttpResponse:
    """Pause, resume, top up, another target, the end."""
    _, campaign = find_campaign(request.user, slug, name)
    try:
        said = _act(campaign, request)
    except InputError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, said)
    return redirect("campaign", slug=slug, name=name)


def _act(campaign: Campaign, request: MemberRequest) -> str:
    act, by = request.POST.get("act"), request.user
    if act == "pause":
        change.pause(campaign, by=by)
        return (
            "Paused: no work is given out, and no answer is kept, until you resume. Who is in the middle goes on then, "
            "or exits and is paid by the share."
        )
    if act == "resume":
        change.resume(campaign, by=by)
        return "It goes on."
    if act == "close":
        change.close(campaign, by=by)
        return f"Closed. {change.AFTER_THE_END}"
    if act == "top_up" and (form := TopUpForm(request.POST)).is_valid():
        held = change.top_up(campaign, form.cleaned_data["amount"], by=by)
        return f"The budget is ${held.budget:,} now."
    if act == "target" and (wanted := TargetForm(request.POST)).is_valid():
        change.change_target(campaign, wanted.cleaned_data["target"], by=by)
        return f"A query is decided from P(best) of {wanted.cleaned_data['target']:g}."
    raise InputError("Found no act that fits; expected pause, resume, close, an amount to add or a target.")
