"""How is a file sent, and what did its check find? The panel beside the form follows it until it is done."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe
from django_htmx.http import push_url

from toprung.web.core.access.boards import get_board_for_viewer
from toprung.web.core.access.runs import get_team_to_submit_for, get_upload_for_team
from toprung.web.core.models.boards import Board
from toprung.web.core.models.people import User
from toprung.web.core.models.runs import Upload
from toprung.web.services.runs.findings import to_text
from toprung.web.services.runs.quota import quota_of
from toprung.web.services.runs.receive import FileRefusedError, receive_file
from toprung.web.site.run.panel import panel_of
from toprung.web.site.run.requests import LiveRequest, live_login_required


@live_login_required
@never_cache
@require_POST
def send_file(request: LiveRequest, slug: str) -> HttpResponse:
    """Take a file in and show its check: a part of the page with script, else the page anew."""
    board = get_board_for_viewer(request.user, slug)
    team_slug = request.POST.get("team", "")
    team = get_team_to_submit_for(board, request.user, team_slug)
    try:
        upload = receive_file(request, board=board, team=team, by=request.user)
    except FileRefusedError as refused:
        return _show_refusal(request, board, team_slug, refused)
    url = submit_url(board, team=team.slug, upload=upload.pk)
    if not request.htmx:
        return redirect(url)
    return push_url(
        render(request, "submissions/panel.html", panel_context(upload, by=request.user, is_swapped=True)), url
    )


@live_login_required
@never_cache
@require_safe
def show_upload(request: LiveRequest, slug: str, pk: int) -> HttpResponse:
    """The panel by itself; to a page that follows it, only what it has not seen."""
    upload = get_upload_for_team(request.user, slug, pk)
    if request.GET.get("as") == "text" and upload.report:
        return HttpResponse(to_text(upload.report, upload.file_name), content_type="text/plain; charset=utf-8")
    if not request.htmx:
        return render(request, "submissions/upload.html", panel_context(upload, by=request.user))
    context = panel_context(upload, by=request.user, is_swapped=True)
    if request.GET.get("seen") == context["panel"].seen:
        return HttpResponse(status=HTTPStatus.NO_CONTENT)
    return render(request, "submissions/panel.html", context)


def submit_url(board: Board, **parameters: object) -> str:
    query = QueryDict(mutable=True)
    query.update({name: str(value) for name, value in parameters.items()})
    return f"{reverse('submit', args=[board.slug])}?{query.urlencode()}"


def panel_context(upload: Upload, *, by: User, is_swapped: bool = False) -> dict[str, Any]:
    """``is_swapped``: into a page that is there, so that the button to submit must follow too."""
    quota = None if upload.team is None else quota_of(upload.board, upload.team, by=by)
    panel = panel_of(upload)
    return {"board": upload.board, "upload": upload, "panel": panel, "quota": quota, "is_swapped": is_swapped}


def _show_refusal(request: LiveRequest, board: Board, team_slug: str, refused: FileRefusedError) -> HttpResponse:
    context = {"board": board, "refusal": str(refused), "back": submit_url(board, team=team_slug)}
    template = "submissions/refusal.html" if request.htmx else "submissions/not_received.html"
    # The header tells the script of the page that this answer is for the panel, though its status is an error.
    response = render(request, template, context, status=refused.status)
    response["X-Refusal"] = "1"
    return response
