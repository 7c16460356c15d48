"""How is a run submitted? One page: quota, file, words, what makes a claim, and the check beside them."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from toprung.web.core.access.boards import get_board_for_viewer, is_organiser
from toprung.web.core.access.namer import Namer
from toprung.web.core.access.rights import teams_of
from toprung.web.core.access.runs import get_upload_for_team, may_submit
from toprung.web.core.models.boards import Board
from toprung.web.core.models.labels import LabelUse
from toprung.web.core.models.people import Team
from toprung.web.core.models.runs import Upload, UploadState
from toprung.web.services.runs.admission import can_ask, why_not_admitted
from toprung.web.services.runs.attempts import AttemptReusedError, draw_key, is_key
from toprung.web.services.runs.card_form import CardForm
from toprung.web.services.runs.forget import unsubmitted
from toprung.web.services.runs.quota import quota_of
from toprung.web.services.runs.submit import CheckAgainError, SubmissionRefusedError, check_again, submit
from toprung.web.site.account.requests import MemberRequest
from toprung.web.site.run.panel import panel_of
from toprung.web.site.submit.files import submit_url

MOST_SLOTS = 12
"""More are counted in words only."""


@login_required
@never_cache
@require_http_methods(["GET", "POST"])
def submit_run(request: MemberRequest, slug: str) -> HttpResponse:
    """Show the form; posting it charges the team and queues the run."""
    board = get_board_for_viewer(request.user, slug)
    teams = teams_of(request.user) if may_submit(board, request.user) else []
    if not teams:
        return render(
            request, "submissions/no_team.html", {"board": board, "may_submit": may_submit(board, request.user)}
        )
    upload = _chosen_upload(request, slug, teams)
    team = _chosen_team(request, teams, upload)
    form = _make_form(request, board, upload)
    if request.method == "POST" and form.is_valid():
        if upload is None:
            form.add_error(None, "Found no file; expected one that was checked.")
        else:
            response = _submit(request, form, upload)
            if response is not None:
                return response
    status = HTTPStatus.UNPROCESSABLE_ENTITY if form.errors else HTTPStatus.OK
    return render(
        request,
        "submissions/submit.html",
        _context(request, board, teams, team=team, upload=upload, form=form),
        status=status,
    )


def _submit(request: MemberRequest, form: CardForm, upload: Upload) -> HttpResponse | None:
    """Where to go then; None where it was refused, which the form says."""
    try:
        submission = submit(upload, form.card(), by=request.user, key=_key_of(request))
    except CheckAgainError as again:
        check_again(upload)
        messages.warning(request, str(again))
        return redirect(submit_url(upload.board, upload=upload.pk))
    except (SubmissionRefusedError, AttemptReusedError) as refused:
        form.add_error(None, str(refused))
        return None
    return redirect("run_status", slug=upload.board.slug, label=submission.run_id)


def _key_of(request: MemberRequest) -> str:
    """What this page calls the attempt, so that a form that is posted twice submits once; none where it is no key."""
    posted = request.POST.get("attempt", "")
    return posted if is_key(posted) else ""


def _chosen_upload(request: MemberRequest, slug: str, teams: list[Team]) -> Upload | None:
    """One of the person's own teams; an organiser cannot submit the file of another."""
    number = request.POST.get("upload") or request.GET.get("upload", "")
    if not number.isdecimal():
        return None
    try:
        upload = get_upload_for_team(request.user, slug, int(number[:18]))
    except Http404:
        return None
    return upload if upload.team in teams else None


def _chosen_team(request: MemberRequest, teams: list[Team], upload: Upload | None) -> Team:
    if upload is not None and upload.team is not None:
        return upload.team
    wanted = request.GET.get("team")
    return next((team for team in teams if team.slug == wanted), teams[0])


def _sent_before(board: Board, team: Team) -> Upload | None:
    """The latest file that can still be submitted, for who comes back to the page."""
    kept = (UploadState.WAITING, UploadState.CHECKING, UploadState.ACCEPTED)
    files = unsubmitted().filter(board=board, team=team, state__in=kept)
    return files.order_by("-sent_at", "-pk").first()


def _make_form(request: MemberRequest, board: Board, upload: Upload | None) -> CardForm:
    if request.method == "POST":
        return CardForm(request.POST, board=board)
    return CardForm(board=board, initial={} if upload is None else {"name": panel_of(upload).run_name})


def _context(
    request: MemberRequest, board: Board, teams: list[Team], *, team: Team, upload: Upload | None, form: CardForm
) -> dict[str, Any]:
    quota = quota_of(board, team, by=request.user)
    return {
        "board": board,
        "teams": teams,
        "team": team,
        "quota": quota,
        "slots": [{"x": 22 * number + 0.75, "is_used": is_used} for number, is_used in enumerate(quota.slots)],
        "draws_slots": quota.limit <= MOST_SLOTS,
        "slots_width": 22 * quota.limit,
        "upload": upload,
        "panel": None if upload is None else panel_of(upload),
        "sent_before": _sent_before(board, team) if upload is None else None,
        "form": form,
        "attempt": _key_of(request) or draw_key(),
        "is_organiser": is_organiser(board, request.user),
        "holder_name": _name_holder(request, board),
        "has_dev": board.label_sets.filter(use=LabelUse.DEV, is_current=True).exists(),
        "not_admitted": why_not_admitted(board, request.user, team),
        "can_ask": can_ask(board, request.user, team),
    }


def _name_holder(request: MemberRequest, board: Board) -> str:
    """What a score must be above to be a claim; not named where the release policy shows it no score."""
    holder = board.holder
    if holder is None or holder.shown_score is None:
        return ""
    return Namer.of(board, request.user).name(holder).name
