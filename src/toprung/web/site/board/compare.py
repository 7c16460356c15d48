"""Is B really better than A? Any two runs of a board: the first and every claim in advance, others when asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any
from urllib.parse import urlencode

from allauth.core.ratelimit import respond_429
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.safestring import mark_safe
from django.views.decorators.http import require_http_methods, require_safe

from toprung.boards.engine.words import say_relation
from toprung.errors import InputError
from toprung.report.latex import to_latex
from toprung.web.core import queue
from toprung.web.core.access.viewer import Viewer, get_viewer_from
from toprung.web.core.models.results import StoredResult
from toprung.web.core.models.runs import Submission
from toprung.web.core.store.run_pairs import RunPair
from toprung.web.services.shown import rates
from toprung.web.services.shown.exports import ExportedResult, provenance_of
from toprung.web.services.shown.ledger import LedgerEntry, find_claims, to_entries
from toprung.web.services.shown.pairs import NoSuchPairError, find_pair, list_to_choose
from toprung.web.services.shown.relations import find_comparison, key_of
from toprung.web.site.board import evidence
from toprung.web.site.board.export_views import write_file
from toprung.web.site.board.timeline import to_json_page


@require_http_methods(["GET", "HEAD", "POST"])
def compare(request: HttpRequest, slug: str) -> HttpResponse:
    viewer = get_viewer_from(request, slug)
    chosen = _choices(viewer)
    asked = request.POST if request.method == "POST" else request.GET
    try:
        pair = find_pair(viewer, chosen, asked.get("b", ""), asked.get("a", ""))
    except InputError as error:
        context = viewer.frame("compare") | {"choices": _to_options(viewer, chosen), "problem": str(error)}
        is_missing = isinstance(error, NoSuchPairError) and bool(asked.get("b") or asked.get("a"))
        status = HTTPStatus.NOT_FOUND if is_missing else HTTPStatus.OK
        return render(request, "boards/compare.html", context, status=status)
    key, found = key_of(viewer, pair), find_comparison(viewer, pair)
    if request.method == "POST":
        return _have_compared(request, viewer, pair, key, is_there=found is not None)
    json_url = _url("compare_file", viewer, pair, ending="json") if found else ""
    context = viewer.frame("compare", found, json_url=json_url)
    context |= _pair_context(viewer, pair, chosen)
    if found is None:
        context["is_asked"] = rates.was_asked(viewer.board, key)
    else:
        context |= _found_context(viewer, pair, found)
    return render(request, "boards/compare.html", context)


@require_safe
def export_comparison(request: HttpRequest, slug: str, ending: str) -> HttpResponse:
    """One that was made, as JSON or LaTeX."""
    viewer = get_viewer_from(request, slug)
    try:
        pair = find_pair(viewer, (), request.GET.get("b", ""), request.GET.get("a", ""))
    except InputError:
        raise Http404("There is no such comparison.") from None
    found = find_comparison(viewer, pair)
    if found is None:
        raise Http404("There is no such comparison yet.")
    if ending == "json":
        return to_json_page(viewer, found)
    name = f"{slug}-{pair.challenger.run_id}-{pair.holder.run_id}.{ending}"
    return write_file(to_paper(viewer, found), name)


def _have_compared(request: HttpRequest, viewer: Viewer, pair: RunPair, key: str, *, is_there: bool) -> HttpResponse:
    """Hand the pair to the worker, once; then the page waits for it."""
    if not is_there and not viewer.is_as_of and not rates.was_asked(viewer.board, key):
        if not rates.may_ask(request):
            return respond_429(request)  # type: ignore[no-any-return]  # allauth has no types
        if rates.is_first_to_ask(viewer.board, key):
            queue.compare.enqueue(viewer.board.pk, pair.challenger.run_id, pair.holder.run_id)
    return redirect(_url("compare", viewer, pair))


def to_paper(viewer: Viewer, found: StoredResult) -> ExportedResult:
    """The evidence as a table for a paper."""
    content = found.content
    header = ["", content["b"], content["a"], "B less A", "95%", "n", "test", "p", "level"]
    rows = [
        [row["question"], row["b"], row["a"], row["difference"], row["interval"], row["n"], *test, row["levels"]]
        for row in content["evidence"]
        for test in row["tests"]
    ]
    table = {"heading": "", "header": header, "rows": rows, "numeric": [1, 2, 3, 5, 7]}
    notes = [
        f"This pair alone: {content['sentence']}",
        f"{viewer.board.title}, {viewer.labels()}; B is {content['b']}, A is {content['a']}",
    ]
    exported = {"sentence": content["on_board"], "tables": [table], "notes": notes}
    return ExportedResult(content=exported, made_from=provenance_of(viewer, found))


def _choices(viewer: Viewer) -> list[Submission]:
    return list_to_choose(viewer)


def _url(name: str, viewer: Viewer, pair: RunPair, **more: str) -> str:
    path = reverse(name, kwargs={"slug": viewer.board.slug, **more})
    version = {"labels": str(viewer.version)} if viewer.is_as_of else {}
    return f"{path}?{urlencode({'b': pair.challenger.run_id, 'a': pair.holder.run_id} | version)}"


def _pair_context(viewer: Viewer, pair: RunPair, chosen: Sequence[Submission]) -> dict[str, Any]:
    swapped = RunPair(challenger=pair.holder, holder=pair.challenger)
    listed = {each.pk: each for each in (*chosen, pair.challenger, pair.holder)}
    return {
        "b": pair.challenger.run_id,
        "a": pair.holder.run_id,
        "choices": _to_options(viewer, list(listed.values())),
        "is_holder": pair.holder == viewer.holder,
        "swap_url": _url("compare", viewer, swapped),
        "self_url": _url("compare", viewer, pair),
    }


def _to_options(viewer: Viewer, runs: Sequence[Submission]) -> list[dict[str, str]]:
    """How each run is called in the list: its label, its name, its team."""
    options = []
    for each in runs:
        identity = viewer.namer.name(each)
        name = "" if identity.name == each.run_id else f" {identity.name}"
        options.append({"label": each.run_id, "words": f"{each.run_id}{name}, {identity.team}"})
    return options


def _found_context(viewer: Viewer, pair: RunPair, found: StoredResult) -> dict[str, Any]:
    content = found.content
    rows = [
        row | {"svg": mark_safe(evidence.draw_difference(row, content))}  # noqa: S308 - drawn from numbers
        for row in content["evidence"]
    ]
    bold, rest = say_relation(content["a"], content["b"], content["relation"], content["n_runs"])
    return {
        "content": content,
        "bold": bold,
        "rest": rest,
        "claim": _find_claim(viewer, pair),
        "rows": rows,
        "latex": to_latex(to_paper(viewer, found)),
        "latex_url": _url("compare_file", viewer, pair, ending="tex"),
        "json_url": _url("compare_file", viewer, pair, ending="json"),
    } | _outcome_context(content)


def _outcome_context(content: Mapping[str, Any]) -> dict[str, Any]:
    """The bar and its legend, where the official measure has first ranks."""
    if content["outcomes"] is None:
        return {}
    this, other = evidence.say_sides(content)
    return {
        "bar": mark_safe(evidence.draw_bar(content)),  # noqa: S308 - drawn from numbers
        "this_share": this,
        "other_share": other,
        "outcomes": list(evidence.say_outcomes(content)),
    }


def _find_claim(viewer: Viewer, pair: RunPair) -> LedgerEntry | None:
    """What became of the claim, where this pair was one; nothing is held to a level where nothing is tested."""
    claims = find_claims(viewer).filter(submission=pair.challenger, holder=pair.holder).exclude(level=None)
    return next(iter(to_entries(claims, viewer)), None)
