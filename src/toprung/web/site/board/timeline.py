"""Who held the top rung over time, and which claims to it did not pass? And the ledger of all claims."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.core.paginator import Paginator
from django.db.models import Q
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from toprung.web.core.access.namer import Identity
from toprung.web.core.access.viewer import Viewer, get_viewer_from
from toprung.web.core.models.results import StoredResult
from toprung.web.core.store.copies import find_copy
from toprung.web.services.results.content import without_drawings
from toprung.web.services.results.words import say_reigns
from toprung.web.services.shown.exports import provenance_of
from toprung.web.services.shown.ledger import LedgerEntry, find_claims, to_entries

MOST_NOT_PASSED = 50
CLAIMS_A_PAGE = 100


@dataclass(frozen=True, kw_only=True)
class ShownReign:
    """Who held the rung from when until when, and by which claim."""

    run: str
    identity: Identity
    since: date
    until: date | None
    days: int
    is_baseline: bool
    claim: LedgerEntry | None


@require_safe
def show_timeline(request: HttpRequest, slug: str, *, as_json: bool = False) -> HttpResponse:
    viewer = get_viewer_from(request, slug)
    found = viewer.result("timeline")
    history = viewer.result("history")
    if found is None:
        return render(request, "boards/nothing_yet.html", viewer.frame("timeline") | {"history": history})
    holders = [each["run"] for each in found.content["holders"]]
    passed = to_entries(find_claims(viewer).filter(submission__run_id__in=holders), viewer)
    not_passed = find_claims(viewer).filter(Q(passed=False) | ~Q(voided_at=None))
    shown = to_entries(not_passed[:MOST_NOT_PASSED], viewer)
    withdrawn = find_claims(viewer).exclude(submission__withdrawn_at=None)
    if as_json:
        claims = [each.record() for each in to_entries(find_claims(viewer), viewer)]
        return to_json_page(viewer, found, claims=claims)
    bold, rest = say_reigns(found.content)
    context = viewer.frame("timeline", found, json_url=reverse("timeline_json", args=[slug]))
    context |= {
        "bold": bold,
        "rest": rest,
        "content": found.content,
        "figure": found.content["figures"][0],
        "reigns": list(_to_reigns(viewer, found.content, {each.run: each for each in passed}, _today(request))),
        "not_passed": shown,
        "withdrawn": to_entries(withdrawn.filter(passed=True, voided_at=None), viewer),
        "n_withdrawn": withdrawn.count(),
        "history": history,
        "n_more": max(0, not_passed.count() - len(shown)) if len(shown) == MOST_NOT_PASSED else 0,
    }
    return render(request, "boards/timeline.html", context)


@require_safe
def show_claims(request: HttpRequest, slug: str, *, as_json: bool = False) -> HttpResponse:
    """Every claim that was ever made; one that was voided is struck through, never left out."""
    viewer = get_viewer_from(request, slug)
    claims = find_claims(viewer)
    if as_json:
        return JsonResponse(
            {"board": viewer.board.title, "claims": [each.record() for each in to_entries(claims, viewer)]}
        )
    page = Paginator(claims, CLAIMS_A_PAGE).get_page(request.GET.get("page"))
    counts = {
        "n_claims": page.paginator.count,
        "n_passed": claims.filter(passed=True, voided_at=None).count(),
        "n_voided": claims.exclude(voided_at=None).count(),
    }
    context = viewer.frame("claims", viewer.result("timeline"), json_url=reverse("claims_json", args=[slug])) | counts
    return render(request, "boards/claims.html", context | {"entries": to_entries(page, viewer), "page": page})


def _today(request: HttpRequest) -> date:
    """For a copy, which is read on other days, that of its results."""
    copy = find_copy(request)
    return timezone.now().date() if copy is None or copy.results_of is None else copy.results_of.date()


def _to_reigns(
    viewer: Viewer, content: Mapping[str, Any], claims: Mapping[str, LedgerEntry], today: date
) -> Iterator[ShownReign]:
    """The latest first."""
    holders = content["holders"]
    labels = [each["run"] for each in holders]
    submissions = {
        each.run_id: each for each in viewer.board.submissions.filter(run_id__in=labels).select_related("team")
    }
    for each in reversed(holders):
        submission = submissions[each["run"]]
        since = date.fromisoformat(each["since"])
        until = date.fromisoformat(each["until"]) if each["until"] else None
        yield ShownReign(
            run=each["run"],
            identity=viewer.namer.name(submission),
            since=since,
            until=until,
            days=((until or today) - since).days,
            is_baseline=submission.is_baseline,
            claim=claims.get(each["run"]),
        )


def to_json_page(viewer: Viewer, found: StoredResult, **more: object) -> HttpResponse:
    """What a page shows, as data: the figures in words, and no drawing."""
    content = without_drawings(found.content) | {"provenance": provenance_of(viewer, found)} | more
    return JsonResponse(content, json_dumps_params={"indent": 2, "ensure_ascii": False})
