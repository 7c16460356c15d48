"""How does someone come to judge? By the link, through consent, guidelines and a pair to try."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods

from toprung.web.core.models.judging import Campaign, CampaignAccess, Ending
from toprung.web.services.judging.answers import decline
from toprung.web.services.judging.examples import consent_of, examples_of, guidelines_of
from toprung.web.services.judging.money import show_pay
from toprung.web.services.judging.offers import start_work, take_work, why_no_work
from toprung.web.services.judging.prolific import COME_AGAIN, has_words, read_arrival
from toprung.web.services.judging.refusals import JudgingRefusedError, MayNotJudgeError
from toprung.web.services.judging.seats import Place, consent, finish_training, has_seat, take_place
from toprung.web.site.board.markdown import render_markdown
from toprung.web.site.judging.coming import count_who_comes
from toprung.web.site.judging.frame import frame_of
from toprung.web.site.judging.places import at_place, go_on, keep_place, on_campaign, read_place

TRIED = "tried"
"""In an address: the side that was chosen of the pair to try."""


@require_GET
@on_campaign
def arrive(request: HttpRequest, campaign: Campaign) -> HttpResponseBase:
    """The link itself: whoever was here before goes on where they were."""
    if campaign.access == CampaignAccess.PROLIFIC and has_words(request.GET.dict()):
        arrival = read_arrival(campaign, request.GET.dict())
        if not has_seat(campaign, arrival):
            count_who_comes(request, campaign)
        place = take_place(campaign, request.user, arrival=arrival)
        return keep_place(go_on(place), place)
    found = read_place(request, campaign)
    if found is not None:
        return go_on(found)
    if campaign.access == CampaignAccess.PROLIFIC:
        raise MayNotJudgeError(f"This study is for people sent by Prolific. {COME_AGAIN}")
    return redirect("judging_consent", key=campaign.key)


@require_http_methods(["GET", "POST"])
@on_campaign
def ask_consent(request: HttpRequest, campaign: Campaign) -> HttpResponseBase:
    """Nobody is given a seat before they agree, but for who was sent by a platform."""
    place = read_place(request, campaign)
    if place is None and campaign.access == CampaignAccess.PROLIFIC:
        return redirect("judging", key=campaign.key)
    if request.method == "POST" and "agree" not in request.POST:
        return _decline(request, campaign, place)
    _refuse_who_comes_for_nothing(campaign, place)
    if request.method == "GET":
        agreed = 0 if place is None else place.seat.consented_version
        said = {
            "consent": render_markdown(consent_of(campaign)),
            "pay": show_pay(campaign, campaign.reward),
            "has_agreed_before": agreed > 0,
            "has_agreed": agreed == campaign.consent_version and not _declined(place),
        }
        return render(request, "judging/consent.html", frame_of(campaign, place) | said)
    if place is None:
        count_who_comes(request, campaign)
        place = take_place(campaign, request.user)
    consent(place)
    return keep_place(go_on(place), place)


def _refuse_who_comes_for_nothing(campaign: Campaign, place: Place | None) -> None:
    """Before they read what they would agree to."""
    was_given_work = place is not None and (place.visit.assignment_id or place.visit.ended)
    if not campaign.gives_out_work and not was_given_work:
        raise JudgingRefusedError(why_no_work(campaign))


def _declined(place: Place | None) -> bool:
    return place is not None and place.visit.ended == Ending.NO_CONSENT


def _decline(request: HttpRequest, campaign: Campaign, place: Place | None) -> HttpResponseBase:
    if place is None:
        return render(request, "judging/declined.html", frame_of(campaign))
    decline(place)
    return redirect("judging_thanks", key=campaign.key)


@require_http_methods(["GET", "POST"])
@at_place
def show_guidelines(request: HttpRequest, place: Place) -> HttpResponseBase:
    """With two worked examples, and a third to try; who was here before may read them again."""
    *worked, trial = examples_of(place.campaign)
    said = {"guidelines": render_markdown(guidelines_of(place.campaign)), "worked": worked, "trial": trial}
    is_trained = place.seat.trained_version == place.campaign.guidelines_version
    context = frame_of(place.campaign, place) | said | {"is_trained": is_trained}
    if request.method == "GET":
        return render(request, "judging/guidelines.html", context)
    if place.seat.consented_version != place.campaign.consent_version:
        return go_on(place)
    tried = request.POST.get("choice", "")
    if tried not in ("left", "right"):
        return redirect("judging_guidelines", key=place.campaign.key)
    finish_training(place)
    return redirect(f"{reverse('judging_ready', args=[place.campaign.key])}?{urlencode({TRIED: tried})}")


@require_http_methods(["GET", "POST"])
@at_place
def get_ready(request: HttpRequest, place: Place) -> HttpResponseBase:
    """What the task takes and pays is said before it starts; to who has just tried a pair, what became of that."""
    if request.method == "POST":
        start_work(place)
        return redirect("judging_pairs", key=place.campaign.key)
    if place.visit.ended or _is_early(place):
        return go_on(place)
    work = take_work(place)
    if work is None:
        return redirect("judging_thanks", key=place.campaign.key)
    if work.is_closed:
        return redirect("judging_exit", key=place.campaign.key)
    tried = request.GET.get(TRIED)
    if work.is_active and tried is None:
        return redirect("judging_pairs", key=place.campaign.key)
    is_short = work.reward < place.campaign.reward
    said: dict[str, Any] = {"work": work, "pay": show_pay(place.campaign, work.reward), "is_short": is_short}
    if tried is not None:
        trial = examples_of(place.campaign)[-1]
        said |= {"trial": trial, "is_right": tried == trial.better}
    return render(request, "judging/ready.html", frame_of(place.campaign, place) | said)


def _is_early(place: Place) -> bool:
    """Consent and guidelines come first."""
    campaign, seat = place.campaign, place.seat
    is_told = seat.trained_version == campaign.guidelines_version
    return seat.consented_version != campaign.consent_version or not is_told
