"""How is a pair shown, and an answer taken? A page a pair; a script has the whole task at once and sends in order."""

from __future__ import annotations

from dataclasses import asdict
from http import HTTPStatus
from uuid import uuid4

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from toprung.web.services.judging.answers import keep_answer, read_answer_id, read_sent, undo_answer
from toprung.web.services.judging.offers import ShownPair, Work, look_at_work
from toprung.web.services.judging.refusals import AnswerRefusedError
from toprung.web.services.judging.seats import Place
from toprung.web.services.judging.showing import sign_shown
from toprung.web.site.judging.frame import frame_of
from toprung.web.site.judging.padding import pad_page, padded_json
from toprung.web.site.judging.places import at_place, go_on, step_of

HERE = "judging_pairs"
IN_SCRIPT = "application/json"
LONGEST_FIELD = 100


@require_GET
@at_place
def show_pair(request: HttpRequest, place: Place) -> HttpResponseBase:
    """The next pair of the task."""
    if step_of(place) != HERE:
        return go_on(place)
    work, pairs = look_at_work(place)
    if work is None or not work.is_active:
        return redirect("judging_ready", key=place.campaign.key)
    if not work.open_slots:
        return redirect("judging_hand_in", key=place.campaign.key)
    return _show(request, place, work, pairs)


def _show(
    request: HttpRequest, place: Place, work: Work, pairs: list[ShownPair], *, notice: str = "", status: int = 200
) -> HttpResponse:
    number = work.n_slots - len(work.open_slots) + 1
    context = frame_of(place.campaign, place) | {
        "work": work,
        "pair": pairs[work.open_slots[0]],
        "number": number,
        "slots": [
            "slot-on" if n < number else "slot-now" if n == number else "slot" for n in range(1, work.n_slots + 1)
        ],
        "answer_id": uuid4().hex,
        "shown": sign_shown(work.assignment.assignment_id, work.open_slots[0]),
        "notice": notice,
    }
    return pad_page(render(request, "judging/pair.html", context, status=status), pairs)


@require_GET
@at_place
def send_task(_request: HttpRequest, place: Place) -> HttpResponseBase:
    """The whole task in one reply, for the script: pairs by their places, what is open, what can be taken back."""
    work, pairs = look_at_work(place)
    if step_of(place) != HERE or work is None or not work.is_active:
        return padded_json({"error": "over"}, status=HTTPStatus.CONFLICT)
    content = {
        "assignment": work.assignment.assignment_id,
        "pairs": [asdict(each) for each in pairs],
        "open": list(work.open_slots),
        "done": [{"slot": slot, "id": answer_id} for slot, answer_id in work.done],
        "skipped": list(work.skipped),
    }
    return padded_json(content)


def _fields(request: HttpRequest) -> dict[str, str]:
    return {
        name: value for name, value in request.POST.items() if isinstance(value, str) and len(value) <= LONGEST_FIELD
    }


def _is_script(request: HttpRequest) -> bool:
    return request.headers.get("Accept", "").startswith(IN_SCRIPT)


@require_POST
@at_place
def take_answer(request: HttpRequest, place: Place) -> HttpResponseBase:
    """Kept when this replies; the same again gets the same reply."""
    try:
        kept = keep_answer(place, read_sent(_fields(request), place.campaign))
    except AnswerRefusedError as error:
        return _refuse(request, place, error)
    if _is_script(request):
        return padded_json({"kept": kept.judgment_id, "slot": kept.slot, "choice": kept.choice})
    return redirect(HERE, key=place.campaign.key)


@require_POST
@at_place
def take_back(request: HttpRequest, place: Place) -> HttpResponseBase:
    """The last answer, by its id."""
    given = _fields(request)
    try:
        slot = undo_answer(place, given.get("assignment", ""), read_answer_id(given.get("answer_id", "")))
    except AnswerRefusedError as error:
        return _refuse(request, place, error)
    if _is_script(request):
        return padded_json({"undone": slot})
    return redirect(HERE, key=place.campaign.key)


def _refuse(request: HttpRequest, place: Place, error: AnswerRefusedError) -> HttpResponseBase:
    """The sentence; with a pair to go on with, where there is one."""
    if _is_script(request):
        return padded_json({"error": str(error)}, status=HTTPStatus.CONFLICT)
    work, pairs = look_at_work(place)
    if step_of(place) != HERE or work is None or not work.is_active or not work.open_slots:
        raise error
    return _show(request, place, work, pairs, notice=str(error), status=HTTPStatus.CONFLICT)
