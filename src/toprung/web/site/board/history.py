"""Which submissions proved an improvement when they came, who held the top rung, and what came of every claim?"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
from typing import Any

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.safestring import mark_safe
from django.views.decorators.http import require_safe

from toprung.boards.engine.rules import Rule
from toprung.boards.engine.words import say_p_of
from toprung.report.page.words import words
from toprung.web.core.access.viewer import Viewer, get_viewer_from
from toprung.web.core.asked import same_for_everyone, today
from toprung.web.core.models.results import StoredResult
from toprung.web.core.store.copies import find_copy
from toprung.web.core.store.rules import online_state
from toprung.web.services.results.words import say_reigns
from toprung.web.services.shown.board.verdict import write_name
from toprung.web.services.shown.charts import show_chart
from toprung.web.services.shown.history.files import export_claims, list_claims
from toprung.web.services.shown.history.ledger import find_claims, to_entries
from toprung.web.services.shown.history.lines import draw_lines
from toprung.web.services.shown.history.reigns import find_reigns
from toprung.web.services.shown.history.staircase import draw_staircase
from toprung.web.services.shown.naming import identities_of, names_in, with_names
from toprung.web.services.shown.pictures import PICTURES
from toprung.web.site.board.export_views import write_file
from toprung.web.site.board.json_page import to_json_page
from toprung.web.site.board.pictures import send_picture
from toprung.words.wording import show_level

CLAIMS_A_PAGE = 100
LINES_ON_A_PHONE = 12


@require_safe
@same_for_everyone
def show_history(request: HttpRequest, slug: str) -> HttpResponse:
    viewer = get_viewer_from(request, slug)
    found, published = viewer.result("timeline"), viewer.result("history")
    if found is None and not find_claims(viewer).exists():
        return render(request, "boards/nothing_yet.html", viewer.frame("history") | {"history": published})
    context = viewer.frame("history", found, json_url=_file(viewer, "json") if found else "")
    context |= {"content": _nothing_computed(viewer)} if found is None else _found_context(request, viewer, found)
    context |= _claims_context(request, viewer, context["content"])
    return render(request, "boards/history/page.html", context | {"history": published})


def _found_context(request: HttpRequest, viewer: Viewer, found: StoredResult) -> dict[str, Any]:
    content = found.content
    reigns = list(find_reigns(viewer, content, _today(request)))
    finding = " ".join(_say(viewer, content)).rstrip()
    bold, rest = _say(viewer, content, write_name) if content["is_tested"] else (words(finding), "")
    pictures = {ending: _file(viewer, ending) for ending in PICTURES}
    return {
        "bold": mark_safe(bold),  # noqa: S308 - names are escaped, the rest is ours
        "rest": rest,
        "content": content,
        "chart": show_chart(draw_staircase(viewer, content, finding), pictures),
        "reigns": reigns,
        "csv_url": _file(viewer, "csv"),
    }


def _say(viewer: Viewer, content: Mapping[str, Any], write: Callable[[str], str] = str) -> tuple[str, str]:
    """The sentence of the page, with the name of whoever proved an improvement last, written so."""
    if not content["is_tested"]:
        return with_names(content["sentence"], names_in(viewer, content["sentence"])), ""
    last = next((each for each in content["holders"] if each["run"] == content["last_proved"]), None)
    if last is None:
        return say_reigns(content)
    name = identities_of(viewer, [last["run"]])[last["run"]].name
    return say_reigns(content, write(name), date.fromisoformat(last["since"]))


def _nothing_computed(viewer: Viewer) -> dict[str, Any]:
    """Claims are on record before the rest is computed."""
    board = viewer.board
    return {"marks": [], "decimals": 0, "measure": board.official_measure, "is_tested": board.rule != Rule.SCORE}


@require_safe
@same_for_everyone
def export_history(request: HttpRequest, slug: str, ending: str) -> HttpResponse:
    """All claims as CSV, JSON or LaTeX; the staircase as a picture."""
    viewer = get_viewer_from(request, slug)
    found = viewer.result("timeline")
    if found is None:
        raise Http404("There is nothing to export.")
    if ending in PICTURES:
        finding = " ".join(_say(viewer, found.content)).rstrip()
        figure = draw_staircase(viewer, found.content, finding, is_on_page=False)
        return send_picture(request, figure, f"{slug}-history.{ending}")
    if ending == "json":
        return to_json_page(viewer, found, claims=list_claims(viewer))
    return write_file(export_claims(viewer, found), f"{slug}-history.{ending}")


def _file(viewer: Viewer, ending: str) -> str:
    return reverse("history_file", args=[viewer.board.slug, ending]) + viewer.as_of


def _claims_context(request: HttpRequest, viewer: Viewer, content: Mapping[str, Any]) -> dict[str, Any]:
    """Every claim that was ever made; one that was voided is struck through, never left out."""
    claims = find_claims(viewer)
    page = Paginator(claims, CLAIMS_A_PAGE).get_page(request.GET.get("page"))
    entries = to_entries(page, viewer)
    lines = draw_lines(entries, content)
    return {
        "entries": entries,
        "page": page,
        "n_claims": page.paginator.count,
        "alpha": show_level(viewer.board.alpha),
        "p_said": say_p_of(Rule(viewer.board.rule), viewer.board.official_measure),
        "n_voided": claims.exclude(voided_at=None).count(),
        "n_withdrawn": claims.exclude(submission__withdrawn_at=None).count(),
        "questions": [each.question for each in next((each.effects for each in entries if each.effects), ())],
        "ticks": lines.ticks,
        "lines": lines.lines[:LINES_ON_A_PHONE],
        "n_more_lines": max(0, page.paginator.count - LINES_ON_A_PHONE),
    } | (_next_claim(viewer, page.paginator.count) if content["is_tested"] else {})


def _next_claim(viewer: Viewer, n_seen: int) -> dict[str, Any]:
    """What the next claim is held to, for who sees all that came before it; none comes once the board is closed."""
    state = online_state(viewer.board)
    if viewer.is_as_of or viewer.board.is_closed or n_seen != state.tested:
        return {}
    return {"next_number": state.tested + 1, "next_level": show_level(state.next_level)}


def _today(request: HttpRequest) -> date:
    """For a copy, which is read on other days, that of its results."""
    copy = find_copy(request)
    return today() if copy is None or copy.results_of is None else copy.results_of.date()
