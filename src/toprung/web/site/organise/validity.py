"""Can this board be trusted? What a task found of it, beside the latest of the audit log and of label access."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from toprung.web.core.access.viewer import Viewer
from toprung.web.core.models.boards import Board
from toprung.web.core.models.results import StoredResult
from toprung.web.services.results.content import without_drawings
from toprung.web.services.results.validity import KIND
from toprung.web.services.shown.naming import called_in, names_in, say_called, with_names
from toprung.web.services.shown.organiser import organise_at
from toprung.web.site.account.requests import MemberRequest
from toprung.web.site.board.pictures import send_stored, with_files
from toprung.web.site.organise.audit import to_shown

LATEST = 5
DAYS = 90
PARTS = ("private", "policy")
"""Of what is stored."""


@never_cache
@login_required
@require_safe
def show_validity(request: MemberRequest, slug: str) -> HttpResponse:
    organiser_page = organise_at(request.user, slug)
    found = organiser_page.viewer.result(KIND)
    context = organiser_page.frame("validity", found, json_url=reverse("validity_json", args=[slug]) if found else "")
    context |= {
        "content": None if found is None else found.content,
        "is_behind": found is None or found.generation < organiser_page.board.results_due,
        "entries": list(to_shown(list(organiser_page.board.audit.order_by("-number")[:LATEST]))),
    }
    if found is not None:
        context |= _say_with_names(organiser_page.viewer, found.content["private"])
        context |= {f"{part}_figures": with_files(_figures(found, part), _address_in(slug)) for part in PARTS}
    return render(request, "organise/validity.html", context | _label_accesses(organiser_page.board))


@never_cache
@login_required
@require_safe
def export_validity(request: MemberRequest, slug: str) -> HttpResponse:
    found = organise_at(request.user, slug).viewer.result(KIND)
    if found is None:
        raise Http404("There is nothing yet.")
    content = found.content | {part: without_drawings(found.content[part]) for part in PARTS}
    return JsonResponse(content, json_dumps_params={"indent": 2, "ensure_ascii": False})


@never_cache
@login_required
@require_safe
def export_picture(request: MemberRequest, slug: str, kind: str, ending: str) -> HttpResponse:
    """A chart of this page."""
    viewer = organise_at(request.user, slug).viewer
    found = viewer.result(KIND)
    figures = [] if found is None else [each for part in PARTS for each in _figures(found, part)]
    return send_stored(request, figures, kind, f"{slug}-{kind}.{ending}", below=say_called(viewer, figures))


def _figures(found: StoredResult, part: str) -> Sequence[Mapping[str, Any]]:
    return found.content[part].get("figures") or ()


def _address_in(slug: str) -> Callable[[str, str], str]:
    return lambda kind, ending: reverse("validity_picture", args=[slug, kind, ending])


def _say_with_names(viewer: Viewer, private: Mapping[str, Any]) -> dict[str, Any]:
    """What is stored calls runs by their labels."""
    top = private.get("top") or ()
    names = names_in(viewer, *top)
    called = called_in(viewer, private.get("figures") or ())
    return {"top": [with_names(each, names) for each in top], "called": called}


def _label_accesses(board: Board) -> dict[str, Any]:
    accesses = board.label_accesses.select_related("user", "label_set").order_by("-at", "-pk")
    recent = accesses.filter(at__gt=timezone.now() - timedelta(days=DAYS))
    return {
        "accesses": accesses[:LATEST],
        "days": DAYS,
        "n_accesses": recent.count(),
        "n_people": recent.order_by().values("user").distinct().count(),
    }
