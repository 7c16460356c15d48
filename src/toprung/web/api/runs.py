"""What is known of a run, and how is one submitted, edited and withdrawn?"""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated

from django.http import Http404
from ninja import Header, Query, Router, Status

from toprung.web.api.callers import JSON, ApiRequest, changing, looking, reading_own
from toprung.web.api.errors import ApiError
from toprung.web.api.file_access import get_file_for_team
from toprung.web.api.looks import AskedVersion, Label, Slug, get_viewer_of
from toprung.web.api.paging import AskedPage
from toprung.web.api.run_card import read_card, read_new_card
from toprung.web.api.run_writing import RunWriter
from toprung.web.api.schemas.problems import problems
from toprung.web.api.schemas.runs import NewRunIn, QuotaOut, RunCardIn, RunOut, RunsOut
from toprung.web.core.access.boards import get_board_for_viewer, get_submission_for_team, get_team_for_member
from toprung.web.core.access.rights import is_member, teams_of
from toprung.web.core.access.runs import get_run_for_viewer, may_submit
from toprung.web.services.claims.withdraw import WithdrawalRefusedError, withdraw
from toprung.web.services.runs.attempts import KEY_WORDS, AttemptReusedError, is_key
from toprung.web.services.runs.edit import edit_card
from toprung.web.services.runs.quota import quota_of
from toprung.web.services.runs.submit import CheckAgainError, SubmissionRefusedError, check_again, submit

router = Router(tags=["runs"])
OwnTeam = Annotated[str, Query(description="One of your teams, by its slug.", examples=["kestrel-lab"])]
AttemptKey = Annotated[
    str, Header(alias="Idempotency-Key", description=f"Of this attempt alone: {KEY_WORDS}.", examples=["0b5f9c1e-71d2"])
]
AnyOwnTeam = Annotated[str | None, Query(description="One of your teams, by its slug; else all of them.")]


@router.get(
    "/boards/{slug}/quota",
    response={200: QuotaOut, **problems(404, 422)},
    summary="Submissions that are left",
    url_name="api_quota",
    **reading_own(),
)
def show_quota(request: ApiRequest, slug: Slug, team: OwnTeam) -> QuotaOut:
    """What a team of yours may still submit, and from when on again."""
    board, user = get_board_for_viewer(request.auth.person, slug), request.auth.user
    found = quota_of(board, get_team_for_member(user, team), by=user)
    return QuotaOut(limit=found.limit, days=found.days, left=found.left, next_date=found.next_date)


@router.get(
    "/boards/{slug}/runs",
    response={200: RunsOut, **problems(404, 422)},
    summary="Your runs",
    url_name="api_runs",
    **reading_own(),
)
def list_runs(request: ApiRequest, slug: Slug, page: AskedPage, team: AnyOwnTeam = None) -> RunsOut:
    """The runs of your teams, also those that are not on the board yet; the latest first."""
    viewer, user = get_viewer_of(request, slug), request.auth.user
    teams = teams_of(user) if team is None else [get_team_for_member(user, team)]
    runs = viewer.board.submissions.filter(team__in=teams).select_related("team", "upload").order_by("-number")
    return RunsOut(items=RunWriter(viewer=viewer, person=user).write(page.cut(runs)), count=runs.count())


@router.post(
    "/boards/{slug}/runs",
    response={201: RunOut, **problems(404, 409, 413, 415, 422)},
    summary="Submit a run",
    url_name="api_submit",
    **changing(JSON),
)
def submit_run(request: ApiRequest, slug: Slug, asked: NewRunIn, key: AttemptKey = "") -> Status[RunOut]:
    """Make a run of a file that was accepted. It is counted against the quota of its team, and scored.

    Send an `Idempotency-Key`: where the answer is lost, the same request under the same key is answered with the run
    that it became, and counted once. 422 where the key was that of another request.

    409 where it cannot be submitted now: the file is not accepted or was submitted already, the name is taken, no
    submission is left, or the board is closed. Nothing is counted then.
    """
    user = request.auth.user
    file = get_file_for_team(user, slug, asked.file)
    if file.upload is None or not is_member(user, file.team) or not may_submit(file.board, user):
        raise Http404("There is no such file, or not all of it is there.")
    if key and not is_key(key):
        raise ApiError(HTTPStatus.UNPROCESSABLE_ENTITY, f"Idempotency-Key: found something else; expected {KEY_WORDS}.")
    card = read_new_card(asked, file.board)
    try:
        submission = submit(file.upload, card, by=user, key=key)
    except CheckAgainError as again:
        check_again(file.upload)
        raise ApiError(HTTPStatus.CONFLICT, str(again)) from None
    except AttemptReusedError as refused:
        raise ApiError(HTTPStatus.UNPROCESSABLE_ENTITY, str(refused)) from None
    except SubmissionRefusedError as refused:
        raise ApiError(HTTPStatus.CONFLICT, str(refused)) from None
    return Status(HTTPStatus.CREATED, _write_run(request, slug, submission.run_id))


@router.get(
    "/boards/{slug}/runs/{label}",
    response={200: RunOut, **problems(404, 422)},
    summary="A run",
    url_name="api_run",
    **looking(),
)
def show_run(request: ApiRequest, slug: Slug, label: Label, labels: AskedVersion = None) -> RunOut:
    """Where it stands, what it claimed and what its team says of it, as far as you may see it.

    A run that is not on the board yet is there for its own team alone: ask again to follow how far it is.
    """
    return _write_run(request, slug, label, labels)


@router.patch(
    "/boards/{slug}/runs/{label}",
    response={200: RunOut, **problems(404, 409, 413, 415, 422)},
    summary="Edit what you say of a run",
    url_name="api_edit_run",
    **changing(JSON),
)
def edit_run(request: ApiRequest, slug: Slug, label: Label, asked: RunCardIn) -> RunOut:
    """Change the words of a run of your team; what is left out stays. What they were stays readable on its page."""
    user = request.auth.user
    submission = get_submission_for_team(user, slug, label)
    card = read_card(asked, submission.card, submission)
    try:
        edit_card(submission, card, by=user)
    except SubmissionRefusedError as refused:
        raise ApiError(HTTPStatus.CONFLICT, str(refused)) from None
    return _write_run(request, slug, label)


@router.post(
    "/boards/{slug}/runs/{label}/withdraw",
    response={200: RunOut, **problems(404, 409)},
    summary="Withdraw a run",
    url_name="api_withdraw_run",
    **changing(),
)
def withdraw_run(request: ApiRequest, slug: Slug, label: Label) -> RunOut:
    """Take a run of your team from the board, for good. Its claims, and what it cost, stay on record."""
    submission = get_submission_for_team(request.auth.user, slug, label)
    try:
        withdraw(submission, by=request.auth.user)
    except WithdrawalRefusedError as refused:
        raise ApiError(HTTPStatus.CONFLICT, str(refused)) from None
    return _write_run(request, slug, label)


def _write_run(request: ApiRequest, slug: str, label: str, labels: int | None = None) -> RunOut:
    person = request.auth.person
    submission = get_run_for_viewer(person, slug, label)
    (written,) = RunWriter(viewer=get_viewer_of(request, slug, labels), person=person).write([submission])
    return written
