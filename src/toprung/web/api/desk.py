"""How does an invited assessor judge by a program? The desk of a campaign, step by step, with a token of their own."""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus
from typing import Annotated, Any

from django.http import HttpResponse
from ninja import Path, Router
from pydantic import StringConstraints

from toprung.web.api.callers import JSON, ApiRequest, judging
from toprung.web.api.errors import ApiError
from toprung.web.api.looks import Slug
from toprung.web.api.schemas import desk as told
from toprung.web.api.schemas.problems import problems
from toprung.web.core.access.kept_copies import send_as_it_is
from toprung.web.core.models.judging import Campaign
from toprung.web.core.models.people import User
from toprung.web.services.judging import by_program
from toprung.web.services.judging.answers import (
    hand_in,
    keep_answer,
    leave,
    read_answer_id,
    read_sent,
    undo_answer,
    why_not_open,
)
from toprung.web.services.judging.examples import consent_of, examples_of, guidelines_of
from toprung.web.services.judging.money import show_pay
from toprung.web.services.judging.offers import Work, look_at_work, start_work
from toprung.web.services.judging.padding import pad_json
from toprung.web.services.judging.receipts import receipt_for
from toprung.web.services.judging.refusals import NOT_BEGUN, NOTHING_LEFT, JudgingRefusedError, MayNotJudgeError
from toprung.web.services.judging.seats import Place, find_place_of

router = Router(tags=["assessors"])
HERE = "/boards/{slug}/judging/{name}"
Name = Annotated[str, StringConstraints(max_length=60), Path(description="What the campaign is called in addresses.")]
REFUSES = problems(403, 404, 409, 413, 415, 422)


@router.get(
    "/boards/{slug}/judging",
    response={200: told.StudiesOut, **problems(403, 404)},
    summary="What you can judge",
    url_name="api_studies",
    **judging(),
)
def list_studies(request: ApiRequest, slug: Slug) -> told.StudiesOut:
    """Campaigns of the board that give out work to assessors who were invited."""
    items = [_to_study(each) for each in by_program.campaigns_for_assessor(_person(request), slug)]
    return told.StudiesOut(items=items, count=len(items))


@router.get(
    HERE, response={200: told.DeskOut, **problems(403, 404, 422)}, summary="The desk", url_name="api_desk", **judging()
)
def show_desk(request: ApiRequest, slug: Slug, name: Name) -> told.DeskOut:
    """Consent text, guidelines and examples, and which step comes next."""
    return _to_desk(_find(request, slug, name), _person(request))


@router.post(
    f"{HERE}/consent",
    response={200: told.DeskOut, **REFUSES},
    summary="Consent",
    url_name="api_consent",
    **judging(JSON),
)
def take_consent(request: ApiRequest, slug: Slug, name: Name, asked: told.ConsentIn) -> told.DeskOut:
    """Agree to the text of this version, or not; 409 where it changed meanwhile."""
    campaign, user = _find(request, slug, name), _person(request)
    if asked.agree:
        _refused_as_conflict(by_program.agree, campaign, user, version=asked.version)
    else:
        by_program.decline(campaign, user)
    return _to_desk(campaign, user)


@router.post(
    f"{HERE}/trial",
    response={200: told.TrialOut, **REFUSES},
    summary="Answer the pair to try",
    url_name="api_trial",
    **judging(JSON),
)
def take_trial(request: ApiRequest, slug: Slug, name: Name, asked: told.TrialIn) -> told.TrialOut:
    """Once the guidelines are read: whether it was right, and why. Work begins after it either way."""
    campaign = _find(request, slug, name)
    is_right = _refused_as_conflict(by_program.try_pair, campaign, _person(request), choice=asked.choice)
    return told.TrialOut(is_right=is_right, why=examples_of(campaign)[-1].why)


@router.post(
    f"{HERE}/task",
    response={200: told.TaskOut, **REFUSES},
    summary="Take a task",
    url_name="api_take_task",
    **judging(),
)
def take_task(request: ApiRequest, slug: Slug, name: Name) -> told.TaskOut:
    """The task that you have, or a new one: how many pairs, what it pays. 409 where nothing is left for you."""
    campaign = _find(request, slug, name)
    place, work = _refused_as_conflict(by_program.take_task, campaign, _person(request))
    if work is None:
        raise ApiError(HTTPStatus.CONFLICT, NOTHING_LEFT)
    return _to_task(place, work, [])


@router.post(
    f"{HERE}/task/start",
    response={200: told.TaskOut, **REFUSES},
    summary="Begin the task",
    url_name="api_start_task",
    **judging(),
)
def begin_task(request: ApiRequest, slug: Slug, name: Name) -> told.TaskOut:
    """From now on it counts. All pairs in one answer; that texts of hidden queries are opened is on record."""
    place = _place(request, slug, name)
    _refused_as_conflict(start_work, place)
    work, pairs = look_at_work(place)
    if work is None or not work.is_active:
        raise ApiError(HTTPStatus.CONFLICT, NOT_BEGUN if work is None else why_not_open(work))
    return _to_task(place, work, [told.PairOut(**vars(one)) for one in pairs])


@router.post(
    f"{HERE}/answers", response={200: told.KeptOut, **REFUSES}, summary="Answer", url_name="api_answer", **judging(JSON)
)
def take_answer(request: ApiRequest, slug: Slug, name: Name, asked: told.AnswerIn) -> HttpResponse:
    """Kept when this replies; the same again gets the same reply, another choice under the same id is refused (409)."""
    place = _place(request, slug, name)
    given = {key: "" if value is None else str(value) for key, value in asked.dict().items()}
    sent = _refused_as_conflict(read_sent, given, place.campaign)
    kept = _refused_as_conflict(keep_answer, place, sent)
    return _padded({"kept": kept.judgment_id, "slot": kept.slot, "choice": kept.choice})


@router.post(
    f"{HERE}/undo",
    response={200: told.UndoneOut, **REFUSES},
    summary="Take the last answer back",
    url_name="api_undo",
    **judging(JSON),
)
def take_back(request: ApiRequest, slug: Slug, name: Name, asked: told.UndoIn) -> HttpResponse:
    """Until the task is handed in; the same again changes nothing."""
    place = _place(request, slug, name)
    answer_id = _refused_as_conflict(read_answer_id, asked.answer_id)
    return _padded({"undone": _refused_as_conflict(undo_answer, place, asked.assignment, answer_id)})


@router.post(
    f"{HERE}/hand-in",
    response={200: told.ReceiptOut, **REFUSES},
    summary="Hand in",
    url_name="api_hand_in",
    **judging(),
)
def hand_in_task(request: ApiRequest, slug: Slug, name: Name) -> HttpResponse:
    """After the last pair. Handed in twice is handed in once; 409 where pairs are without an answer."""
    place = _place(request, slug, name)
    _refused_as_conflict(hand_in, place)
    return _to_receipt(place)


@router.post(
    f"{HERE}/leave",
    response={200: told.ReceiptOut, **REFUSES},
    summary="Leave early",
    url_name="api_leave",
    **judging(),
)
def leave_task(request: ApiRequest, slug: Slug, name: Name) -> HttpResponse:
    """What was answered is paid by its share, and the pairs go to someone else."""
    place = _place(request, slug, name)
    if not place.visit.ended:
        _refused_as_conflict(leave, place)
    return _to_receipt(place)


def _person(request: ApiRequest) -> User:
    """With all of their teams: whoever takes part with one of them may not judge, whichever team a token is for."""
    caller = request.auth
    if caller.token is not None and caller.token.team_id is not None:
        raise ApiError(
            HTTPStatus.FORBIDDEN, "Found a token that is bound to a team; expected one of your own: people judge."
        )
    return caller.user


def _find(request: ApiRequest, slug: str, name: str) -> Campaign:
    try:
        return by_program.campaign_for_assessor(_person(request), slug, name)
    except MayNotJudgeError as error:
        raise ApiError(HTTPStatus.FORBIDDEN, str(error)) from None


def _place(request: ApiRequest, slug: str, name: str) -> Place:
    campaign = _find(request, slug, name)
    return _refused_as_conflict(by_program.get_place, campaign, _person(request))


def _refused_as_conflict[**P, T](do: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
    """What was done; the sentence of who refused it."""
    try:
        return do(*arguments, **named)
    except JudgingRefusedError as error:
        raise ApiError(HTTPStatus.CONFLICT, str(error)) from None


def _padded(content: dict[str, Any]) -> HttpResponse:
    response = HttpResponse(pad_json(content), content_type=JSON)
    send_as_it_is(response)  # packed, blanks would weigh nothing
    return response


def _to_study(campaign: Campaign) -> told.StudyOut:
    pay = show_pay(campaign, campaign.reward)
    return told.StudyOut(name=campaign.slug, title=campaign.title, minutes=campaign.minutes, pay=pay)


def _to_desk(campaign: Campaign, user: User) -> told.DeskOut:
    *worked, trial = [vars(each) for each in examples_of(campaign)]
    return told.DeskOut(
        campaign=_to_study(campaign),
        step=by_program.next_step(campaign, find_place_of(campaign, user)),
        consent=consent_of(campaign),
        consent_version=campaign.consent_version,
        guidelines=guidelines_of(campaign),
        examples=[told.ExampleOut(**each) for each in (*worked, trial | {"better": "", "why": ""})],
        allows_ties=campaign.allows_ties,
        lang=campaign.lang,
    )


def _to_task(place: Place, work: Work, pairs: list[told.PairOut]) -> told.TaskOut:
    return told.TaskOut(
        assignment=work.assignment.assignment_id,
        n_pairs=work.n_slots,
        pay=show_pay(place.campaign, work.reward),
        is_active=work.is_active,
        pairs=pairs,
        open=list(work.open_slots),
        done=[told.DoneOut(slot=slot, id=answer_id) for slot, answer_id in work.done],
        skipped=list(work.skipped),
    )


def _to_receipt(place: Place) -> HttpResponse:
    receipt = receipt_for(place)
    return _padded(
        {
            "n_pairs": receipt.n_slots,
            "n_answered": receipt.n_answered,
            "pay": show_pay(place.campaign, receipt.pay),
            "may_go_on": place.campaign.gives_out_work,
        }
    )
