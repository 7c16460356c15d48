"""Who judges, how well, and what are they paid? Each by a number; an organiser decides, with a reason on record."""

from __future__ import annotations

from decimal import Decimal
from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from toprung.errors import InputError
from toprung.web.core.models.campaigns import CampaignReport
from toprung.web.core.models.judging import Campaign, JudgingNote
from toprung.web.services.judging import money
from toprung.web.services.judging.campaigns import excluding
from toprung.web.services.judging.campaigns.live import QUALITY, ask_for_news
from toprung.web.services.judging.campaigns.pay import list_pay, match_platform
from toprung.web.services.judging.campaigns.quality import codes_of
from toprung.web.services.judging.notes import answer_note, notes_from_assessors
from toprung.web.site.account.requests import MemberRequest
from toprung.web.site.campaign.finding import find_campaign, frame_of
from toprung.web.site.campaign.forms import AssessorForm, PlatformListForm
from toprung.words.wording import say_count


@never_cache
@login_required
@require_safe
def show_assessors(request: MemberRequest, slug: str, name: str) -> HttpResponse:
    organiser_page, campaign = find_campaign(request.user, slug, name)
    ask_for_news(campaign)
    report = campaign.reports.filter(kind=QUALITY).first()
    context = frame_of(organiser_page, campaign) | {
        "report": report,
        "quality": None if report is None else report.content,
        "assessors": [] if report is None else [row | _beside(campaign, row) for row in first_to_look_at(report)],
        "form": AssessorForm(),
        "notes": _notes(campaign),
    }
    return render(request, "campaign/assessors.html", context)


def _notes(campaign: Campaign) -> list[tuple[str, JudgingNote]]:
    """What assessors wrote, with what each is called."""
    codes = codes_of(campaign)
    return [(codes.get(note.assessor, ""), note) for note in notes_from_assessors(campaign)]


@login_required
@require_POST
def answer_to_note(request: MemberRequest, slug: str, name: str, pk: int) -> HttpResponse:
    """Its writer reads it where it was written."""
    _, campaign = find_campaign(request.user, slug, name)
    try:
        answer_note(campaign, pk, request.POST.get("answer", ""), by=request.user)
    except InputError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, "Answered: who wrote it reads your words where the note was written.")
    return redirect("campaign_assessors", slug=slug, name=name)


def first_to_look_at(quality: CampaignReport) -> list[dict[str, Any]]:
    """Assessors, those with a reason to look before the others."""
    return sorted(quality.content["rows"], key=lambda row: (not row["reason"], -row["n"]))


def _beside(campaign: Campaign, row: dict[str, Any]) -> dict[str, Any]:
    """What organisers did and wrote about someone."""
    seat = campaign.seats.filter(assessor=row["assessor"]).first()
    return {
        "has_seat": seat is not None,
        "is_blocked": seat is not None and seat.blocked_at is not None,
        "notes": campaign.notes.filter(assessor=row["assessor"]).exclude(by=None).select_related("by"),
    }


@login_required
@require_POST
def act_on_assessor(request: MemberRequest, slug: str, name: str, code: str) -> HttpResponse:
    _, campaign = find_campaign(request.user, slug, name)
    form = AssessorForm(request.POST)
    if not form.is_valid():
        messages.error(request, " ".join(str(each) for errors in form.errors.values() for each in errors))
        return redirect("campaign_assessors", slug=slug, name=name)
    try:
        said = _act(campaign, code, form, request)
    except InputError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, said)
    return redirect("campaign_assessors", slug=slug, name=name)


def _act(campaign: Campaign, code: str, form: AssessorForm, request: MemberRequest) -> str:
    act, reason, by = form.cleaned_data["act"], form.cleaned_data["reason"], request.user
    if act == "exclude":
        n = excluding.exclude(campaign, code, reason=reason, by=by)
        return f"Out of use now: {say_count(n, 'task')} of {code}, paid all the same. The pairs are asked of others."
    if act == "restore":
        n = excluding.restore(campaign, code, reason=reason, by=by)
        return f"In use again: {say_count(n, 'answer')} of {code}."
    if act == "note":
        excluding.write_note(campaign, code, text=reason, by=by)
        return "Noted."
    (excluding.block if act == "block" else excluding.unblock)(campaign, code, reason=reason, by=by)
    return f"{code} is {'given nothing more' if act == 'block' else 'given work again'}."


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def show_pay(request: MemberRequest, slug: str, name: str) -> HttpResponse:
    """What everyone is due; with the platform's ids, as lists that it takes. Ids are matched and not kept."""
    organiser_page, campaign = find_campaign(request.user, slug, name)
    form = PlatformListForm(request.POST if request.method == "POST" else None)
    rows, codes = list_pay(campaign), codes_of(campaign)
    context = frame_of(organiser_page, campaign) | {
        "form": form,
        "rows": [(codes.get(row.assessor, ""), row) for row in rows],
        "n_people": sum(row.n_people for row in rows),
        "total": money.show_pay(campaign, sum((row.amount for row in rows), Decimal("0.00"))),
    }
    is_faulty = request.method == "POST" and not form.is_valid()
    if request.method == "POST" and not is_faulty:
        context["matched"] = match_platform(campaign, form.cleaned_data["people"])
    status = HTTPStatus.UNPROCESSABLE_ENTITY if is_faulty else HTTPStatus.OK
    return render(request, "campaign/pay.html", context, status=status)
