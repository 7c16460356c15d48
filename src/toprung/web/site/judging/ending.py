"""How does it end? Handed in, left early, or nothing to do: thanks, a code, and one's data in one's own hands."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from toprung.labels.tasks.assignments import AssignmentStage
from toprung.web.core.models.judging import Campaign, CampaignAccess, Ending
from toprung.web.services.judging.answers import hand_in, leave
from toprung.web.services.judging.money import show_pay
from toprung.web.services.judging.notes import notes_of, tell_organiser
from toprung.web.services.judging.offers import Work, look_at_work
from toprung.web.services.judging.privacy import delete_data_of, votes_stay
from toprung.web.services.judging.prolific import code_for, return_url
from toprung.web.services.judging.receipts import Receipt, receipt_for
from toprung.web.services.judging.refusals import JudgingRefusedError
from toprung.web.services.judging.seats import Place, visit_again
from toprung.web.site.judging.frame import frame_of
from toprung.web.site.judging.places import at_own_place, at_place, forget_place, go_on, keep_place

THANKS = {
    Ending.COMPLETE: "Thank you. That was the last pair.",
    Ending.FAILED_CHECKS: "Thank you. That was the last pair.",
    Ending.LEFT_EARLY: "Thank you. You left before the end.",
    Ending.NO_CONSENT: "You did not agree, so nothing was asked and nothing is kept.",
    Ending.NOTHING_LEFT: "Thank you for coming. There is nothing left to judge for you.",
}
NO_MORE_CONSENT = "You did not agree, so nothing more is asked of you. What you did before is paid."
"""To who had agreed to an earlier text."""
HANDED_IN = (Ending.COMPLETE, Ending.FAILED_CHECKS)
"""What the checks said makes no difference here: the desk says whether there is more work."""


@require_http_methods(["GET", "POST"])
@at_place
def hand_in_task(request: HttpRequest, place: Place) -> HttpResponseBase:
    """After the last pair: until here the last answer can be taken back."""
    if place.visit.ended:
        return go_on(place)
    if request.method == "POST":
        hand_in(place)
        return redirect("judging_thanks", key=place.campaign.key)
    work, _ = look_at_work(place)
    if work is None or not work.is_active or work.open_slots:
        return redirect("judging", key=place.campaign.key)
    return render(request, "judging/hand_in.html", _with_work(place, work))


def _with_work(place: Place, work: Work | None) -> dict[str, Any]:
    return frame_of(place.campaign, place) | {"work": work}


@require_http_methods(["GET", "POST"])
@at_own_place
def leave_task(request: HttpRequest, place: Place) -> HttpResponseBase:
    """Pause or end: what was answered is kept either way, and what ends here is paid by its share."""
    if place.visit.ended:
        return go_on(place)
    if request.method == "POST":
        leave(place)
        return redirect("judging_thanks", key=place.campaign.key)
    work, _ = look_at_work(place)
    if work is not None and work.is_handed_in:
        return redirect("judging_ready", key=place.campaign.key)
    amount = Decimal(0) if work is None else receipt_for(place).pay if work.is_closed else work.pay_now
    pay = show_pay(place.campaign, amount)
    is_timed_out = work is not None and work.assignment.stage is AssignmentStage.TIMED_OUT
    return render(
        request,
        "judging/exit.html",
        _with_work(place, work) | {"pay": pay, "is_paid": amount > 0, "is_timed_out": is_timed_out},
    )


@require_GET
@at_own_place
def show_thanks(request: HttpRequest, place: Place) -> HttpResponseBase:
    """The code and the way back first, then one's data."""
    if not place.visit.ended:
        return go_on(place)
    return render(request, "judging/thanks.html", _thanks(place, receipt_for(place)))


def _thanks(place: Place, receipt: Receipt) -> dict[str, Any]:
    ending = Ending(place.visit.ended)
    return (
        frame_of(place.campaign, place)
        | _code(place.campaign, ending)
        | {
            "thanks": _say_thanks(place, ending),
            "receipt": receipt,
            "pay": show_pay(place.campaign, receipt.pay),
            "may_go_on": ending in HANDED_IN and _may_go_on(place, receipt),
            "reward": show_pay(place.campaign, place.campaign.reward),
            "n_answered": notes_of(place).exclude(answered_at=None).count(),
        }
    )


def _may_go_on(place: Place, receipt: Receipt) -> bool:
    """Nobody is promised pay for a task that is not given to them."""
    is_given_more = place.campaign.gives_out_work and place.seat.blocked_at is None
    return is_given_more and receipt.is_money_left and not receipt.is_one_a_session


def _say_thanks(place: Place, ending: Ending) -> str:
    is_again = ending is Ending.NO_CONSENT and place.seat.consented_version > 0
    return NO_MORE_CONSENT if is_again else THANKS[ending]


def _code(campaign: Campaign, ending: Ending) -> dict[str, str]:
    """By which the platform learns how it ended."""
    code = code_for(campaign, ending)
    return {"code": code, "return_url": return_url(code) if campaign.access == CampaignAccess.PROLIFIC else ""}


@require_POST
@at_place
def judge_more(_request: HttpRequest, place: Place) -> HttpResponseBase:
    """One more task, where the platform does not count by sessions."""
    if not place.visit.ended or place.campaign.access == CampaignAccess.PROLIFIC:
        return go_on(place)
    again = visit_again(place)
    return keep_place(go_on(again), again)


@require_http_methods(["GET", "POST"])
@at_own_place
def delete_data(request: HttpRequest, place: Place) -> HttpResponseBase:
    """One's answers, and what leads from votes in labels to oneself; the code is told once more: nobody comes back."""
    said = {"votes_stay": votes_stay(place.seat)}
    if request.method == "GET":
        return render(request, "judging/delete.html", frame_of(place.campaign, place) | said)
    delete_data_of(place.seat)
    code = _code(place.campaign, Ending(place.visit.ended or Ending.LEFT_EARLY))
    response = render(request, "judging/deleted.html", frame_of(place.campaign) | said | code)
    return forget_place(response, place.campaign)


@require_http_methods(["GET", "POST"])
@at_own_place
def tell(request: HttpRequest, place: Place) -> HttpResponseBase:
    """A note to the organisers, without a name; what was written before, with the answers."""
    context = frame_of(place.campaign, place) | {"notes": notes_of(place)}
    if request.method == "GET":
        return render(request, "judging/tell.html", context)
    try:
        tell_organiser(place, request.POST.get("text", ""))
    except JudgingRefusedError as error:
        return render(request, "judging/tell.html", context | {"why": str(error)}, status=422)
    return render(request, "judging/told.html", context)
