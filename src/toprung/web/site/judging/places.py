"""Who sits there? A signed cookie says which seat and which visit; it is kept for the address of the campaign alone."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from http import HTTPStatus

from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.core.signing import BadSignature
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache

from toprung.web.core.models.judging import Campaign, CampaignAccess
from toprung.web.services.judging.access import check_may_judge, find_campaign
from toprung.web.services.judging.refusals import (
    AnswerRefusedError,
    JudgingRefusedError,
    MayNotJudgeError,
    NoSuchStudyError,
    TooManyComeError,
)
from toprung.web.services.judging.seats import Place, find_place, find_place_of
from toprung.web.site.judging.frame import frame_of

COOKIE = "toprung_judge"
SALT = "toprung.judging.place"
DAYS_KEPT = 30

type CampaignView = Callable[[HttpRequest, Campaign], HttpResponseBase]
type PlaceView = Callable[[HttpRequest, Place], HttpResponseBase]
type KeyView = Callable[[HttpRequest, str], HttpResponseBase]


def on_campaign(view: CampaignView) -> KeyView:
    """For who may judge in it; others are told why they may not."""

    def answer(request: HttpRequest, campaign: Campaign) -> HttpResponseBase:
        check_may_judge(campaign, request.user)
        return view(request, campaign)

    return _on_any_campaign(wraps(view)(answer))


def _on_any_campaign(view: CampaignView) -> KeyView:
    """What is refused on the way is a page with the sentence."""

    @never_cache
    @wraps(view)
    def answer(request: HttpRequest, key: str) -> HttpResponseBase:
        campaign = None
        try:
            campaign = find_campaign(key)
            if campaign.access == CampaignAccess.INVITED and not request.user.is_authenticated:
                return redirect_to_login(request.get_full_path())
            return view(request, campaign)
        except NoSuchStudyError as error:
            raise Http404(str(error)) from None
        except MayNotJudgeError as error:
            return refuse(request, error, HTTPStatus.FORBIDDEN, campaign=campaign)
        except TooManyComeError as error:
            return refuse(request, error, HTTPStatus.TOO_MANY_REQUESTS)
        except JudgingRefusedError as error:
            return refuse(request, error, HTTPStatus.CONFLICT, campaign=campaign)

    return answer


def at_place(view: PlaceView) -> KeyView:
    """For who has a place there; others are sent to the door."""

    @on_campaign
    def answer(request: HttpRequest, campaign: Campaign) -> HttpResponseBase:
        place = read_place(request, campaign)
        return redirect("judging", key=campaign.key) if place is None else view(request, place)

    return wraps(view)(answer)


def at_own_place(view: PlaceView) -> KeyView:
    """For who has a place there, whoever they are now: to leave with their pay, to write, and to be forgotten."""

    def answer(request: HttpRequest, campaign: Campaign) -> HttpResponseBase:
        place = read_place(request, campaign)
        if place is None:
            check_may_judge(campaign, request.user)
            return redirect("judging", key=campaign.key)
        return view(request, place)

    return _on_any_campaign(wraps(view)(answer))


def read_place(request: HttpRequest, campaign: Campaign) -> Place | None:
    try:
        said = request.get_signed_cookie(COOKIE, "", salt=SALT + campaign.key)
    except BadSignature:
        return None
    assessor, _, session = str(said).partition(".")
    place = find_place(campaign, assessor, session) if session else None
    if campaign.access != CampaignAccess.INVITED:
        return place
    is_theirs = place is not None and place.seat.user_id == request.user.pk
    return place if is_theirs else find_place_of(campaign, request.user)


def keep_place(response: HttpResponseBase, place: Place) -> HttpResponseBase:
    """Let the browser find the place again."""
    response.set_signed_cookie(
        COOKIE,
        f"{place.seat.assessor}.{place.visit.session}",
        salt=SALT + place.campaign.key,
        path=reverse("judging", args=[place.campaign.key]),
        max_age=DAYS_KEPT * 86_400,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )
    return response


def forget_place(response: HttpResponseBase, campaign: Campaign) -> HttpResponseBase:
    response.delete_cookie(COOKIE, path=reverse("judging", args=[campaign.key]))
    return response


def step_of(place: Place) -> str:
    """The name of the page where someone goes on."""
    if place.visit.ended:
        return "judging_thanks"
    if place.seat.consented_version != place.campaign.consent_version:
        return "judging_consent"
    if place.seat.trained_version != place.campaign.guidelines_version:
        return "judging_guidelines"
    return "judging_pairs" if place.visit.assignment_id else "judging_ready"


def go_on(place: Place) -> HttpResponse:
    return redirect(step_of(place), key=place.campaign.key)


def refuse(
    request: HttpRequest, error: Exception, status: HTTPStatus, *, campaign: Campaign | None = None
) -> HttpResponse:
    """A page with the sentence; no answer was lost where none was kept."""
    is_barred = isinstance(error, MayNotJudgeError)
    context = {"why": str(error), "is_barred": is_barred, "is_answer": isinstance(error, AnswerRefusedError)}
    has_place = campaign is not None and read_place(request, campaign) is not None
    if campaign is not None and (has_place or not is_barred):  # whoever has no business here learns no title
        context |= frame_of(campaign) | {"has_place": has_place}
    return render(request, "judging/refused.html", context, status=status)
