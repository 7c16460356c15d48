"""Where is everything under /api/v1? One router for each kind of thing; the whole is described in openapi.json."""

from __future__ import annotations

import json
from functools import cache

from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, URLResolver, path
from django.views.decorators.http import require_safe
from ninja import NinjaAPI

from toprung.web.api import boards, data, desk, files, judging, me, organise, results, runs
from toprung.web.api.errors import answer_errors

DESCRIPTION = """\
What the pages of boards show, for programs, by the same rules: what one may not see there is not here either.

Send `Authorization: Bearer trt_…` with a token from the page of your account; without one you see what everyone sees.
A token has scopes: `read` to look, `submit` to send files and to submit, edit and withdraw runs, `organise` to see what
organisers see, `judge` to judge in campaigns that you are invited to. A token may be bound to one team: then it acts as
a member of that team alone.

Lists are cut by `limit` and `offset`. A refusal says what was found and what was expected, in `detail`. What is not
there and what is not for you are answered alike (404).
"""
TAGS = [
    {"name": "you", "description": "Who you are, with this token."},
    {"name": "boards", "description": "Boards, their rules, and where runs stand."},
    {"name": "results", "description": "Claims, stability, and runs compared."},
    {"name": "runs", "description": "Runs: looked at, submitted, edited, withdrawn."},
    {"name": "files", "description": "Run files, sent in pieces, and their check."},
    {"name": "data", "description": "Files that a board offers to work with."},
    {"name": "assessors", "description": "For who was invited to judge: the desk of a campaign."},
    {"name": "organisers", "description": "For who organises a board."},
]

api = NinjaAPI(
    title="Toprung",
    version="1",
    description=DESCRIPTION,
    openapi_url=None,  # served below, to those who send any token or none
    docs_url=None,  # the interactive page wants scripts from elsewhere
    urls_namespace="api",
    openapi_extra={"tags": TAGS},
)
answer_errors(api)
for router in (
    me.router,
    boards.router,
    results.router,
    runs.router,
    files.router,
    data.router,
    organise.router,
    judging.router,
    desk.router,
):
    api.add_router("", router)


@require_safe
def show_openapi(request: HttpRequest) -> HttpResponse:  # noqa: ARG001 - Django calls it so
    """The description of every route, for programs that make clients of it."""
    return HttpResponse(_describe(), content_type="application/json")


@cache
def _describe() -> str:
    """Made once: that takes longer than most answers, and everyone may ask for it as often as they like."""
    return json.dumps(api.get_openapi_schema(path_prefix="/api/v1/"))


urlpatterns: list[URLPattern | URLResolver] = [
    path("openapi.json", show_openapi, name="api_openapi"),
    *(each for each in api.urls[0] if isinstance(each, URLPattern) and each.name != "api-root"),
]
