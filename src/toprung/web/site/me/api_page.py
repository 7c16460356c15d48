"""What can a program ask of this server? A page for people; the description for programs is one click away."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from toprung.web.core.access.boards import boards_for_viewer

OFFERS = (
    ("GET", "boards", "Boards that you may see."),
    ("GET", "boards/{board}", "One board: its rules, and what it says."),
    ("GET", "boards/{board}/standings", "The leaderboard, row by row."),
    ("GET", "boards/{board}/claims", "Every claim, with p, level and what was shown."),
    ("GET", "boards/{board}/compare?b=…&a=…", "Two runs, query by query."),
    ("POST", "boards/{board}/files", "Send a run file, in pieces; it is checked, and nothing is counted."),
    ("POST", "boards/{board}/runs", "Submit what was checked."),
    ("GET", "me", "Who you are, and what your token may do."),
)


@require_safe
def show_api(request: HttpRequest) -> HttpResponse:
    first = boards_for_viewer(request.user).filter(is_public=True).order_by("-opens_at").values_list("slug", flat=True)
    here, example = settings.ENVIRONMENT.public_url, first.first() or "BOARD"
    context = {
        "here": here,
        "offers": OFFERS,
        "example": example,
        "anonymous_request": f"curl {here}/api/v1/boards/{example}/standings",
        "own_request": f'curl -H "Authorization: Bearer $TOPRUNG_TOKEN" {here}/api/v1/me',
    }
    return render(request, "me/api.html", context)
