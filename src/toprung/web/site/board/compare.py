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
from toprung.web.services.query.find import deciding_queries
from toprung.web.services.shown import rates
from toprung.web.services.shown.board.verdict import write_name
from toprung.web.services.shown.charts import ShownChart, show_chart, show_stored
from toprung.web.services.shown.compare.difference_bars import count_sides, draw_differences, list_queries
from toprung.web.services.shown.compare.names import PairNames
from toprung.web.services.shown.compare.pairs import (
    NoSuchPairError,
    TooFewRunsError,
    find_pair,
    list_to_choose,
    to_options,
)
from toprung.web.services.shown.compare.relations import find_comparison, key_of
from toprung.web.services.shown.exports import ExportedResult, provenance_of
from toprung.web.services.shown.history.ledger import LedgerEntry, find_claims, to_entries
from toprung.web.services.shown.pictures import PICTURES
from toprung.web.site.board import evidence
from toprung.web.site.board.export_views import write_file
from toprung.web.site.board.json_page import to_json_page
from toprung.web.site.board.pictures import send_picture, send_stored


@require_http_methods(["GET", "HEAD", "POST"])
def compare(request: HttpRequest, slug: str) -> HttpResponse:
    viewer = get_viewer_from(request, slug)
    chosen = _choices(viewer)
    asked = request.POST if request.method == "POST" else request.GET
    try:
        pair = find_pair(viewer, chosen, asked.get("b", ""), asked.get("a", ""))
    except InputError as error:
        context = viewer.frame("compare") | {
            "choices": to_options(viewer, chosen),
            "problem": str(error),
            "is_too_early": isinstance(error, TooFewRunsError),
        }
        is_missing = isinstance(error, NoSuchPairError) and bool(asked.get("b") or asked.get("a"))
        status = HTTPStatus.NOT_FOUND if is_missing else HTTPStatus.OK
        return render(request, "boards/compare/page.html", context, status=status)
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
    return render(request, "boards/compare/page.html", context)


@require_safe
def export_comparison(request: HttpRequest, slug: str, ending: str) -> HttpResponse:
    """One that was made, as JSON or LaTeX."""
    viewer = get_viewer_from(request, slug)
    pair, found = _get_comparison(request, viewer)
    if ending == "json":
        return to_json_page(viewer, found)
    name = f"{slug}-{pair.challenger.run_id}-{pair.holder.run_id}.{ending}"
    return write_file(to_paper(viewer, found), name)


@require_safe
def export_picture(request: HttpRequest, slug: str, kind: str, ending: str) -> HttpResponse:
    """A chart of one that was made."""
    viewer = get_viewer_from(request, slug)
    pair, found = _get_comparison(request, viewer)
    names = PairNames.of(viewer, pair)
    name = f"{slug}-{pair.challenger.run_id}-{pair.holder.run_id}-{kind}.{ending}"
    if kind == "query-differences" and found.content["bars"]:
        return send_picture(request, draw_differences(found.content, (names.b, names.a)), name)
    return send_stored(request, found.content["figures"], kind, name, below=f"B: {names.b}. A: {names.a}.")


def _get_comparison(request: HttpRequest, viewer: Viewer) -> tuple[RunPair, StoredResult]:
    """What was asked for; 404 where it cannot be, or was not made."""
    try:
        pair = find_pair(viewer, (), request.GET.get("b", ""), request.GET.get("a", ""))
    except InputError:
        raise Http404("There is no such comparison.") from None
    found = find_comparison(viewer, pair)
    if found is None:
        raise Http404("There is no such comparison yet.")
    return pair, found


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
        "names": PairNames.of(viewer, pair),
        "choices": to_options(viewer, list(listed.values())),
        "is_newer": pair.challenger.submitted_at > pair.holder.submitted_at,
        "is_holder": pair.holder == viewer.holder,
        "is_highest": pair.holder == viewer.highest,
        "swap_url": _url("compare", viewer, swapped),
        "self_url": _url("compare", viewer, pair),
    }


def _found_context(viewer: Viewer, pair: RunPair, found: StoredResult) -> dict[str, Any]:
    content, names = found.content, PairNames.of(viewer, pair)
    rows = [
        row | {"svg": mark_safe(evidence.draw_difference(row, names.b, names.a))}  # noqa: S308 - names are escaped
        for row in content["evidence"]
    ]
    bold, rest = say_relation(write_name(names.a), write_name(names.b), content["relation"], content["n_runs"])
    claim = _find_claim(viewer, pair)
    return {
        "content": content,
        "bold": mark_safe(bold),  # noqa: S308 - names are escaped, the rest is ours
        "rest": rest,
        "said": " ".join(say_relation(names.a, names.b, content["relation"], content["n_runs"])),
        "alone": names.say(content["sentence"]),
        "harm": names.say(content["harm"]),
        "elsewhere": names.say(content["elsewhere"]),
        "claim": claim,
        "claim_said": _say_claim(claim, content, names),
        "rows": rows,
        "deciding": deciding_queries(viewer, pair.challenger, pair.holder),
        "charts": _show_charts(viewer, pair, content, names),
        "latex": to_latex(to_paper(viewer, found)),
        "latex_url": _url("compare_file", viewer, pair, ending="tex"),
        "json_url": _url("compare_file", viewer, pair, ending="json"),
    } | _query_context(viewer, pair, content, names)


def _say_claim(claim: LedgerEntry | None, content: Mapping[str, Any], names: PairNames) -> str:
    """What came of the claim, or what the pair would be as one."""
    if claim is not None:
        return names.say(claim.reason)
    return names.say(content["claim"]["words"]) if content["claim"] else ""


def _show_charts(viewer: Viewer, pair: RunPair, content: Mapping[str, Any], names: PairNames) -> list[ShownChart]:
    """How far apart the answers are, and what a miss would have to cost; they speak of B and A."""
    return [
        show_stored(each, _pictures(viewer, pair, each["kind"]), names.say(each["caption"]))
        for each in content["figures"]
    ]


def _pictures(viewer: Viewer, pair: RunPair, kind: str) -> dict[str, str]:
    return {ending: _url("compare_picture", viewer, pair, kind=kind, ending=ending) for ending in PICTURES}


def _query_context(viewer: Viewer, pair: RunPair, content: Mapping[str, Any], names: PairNames) -> dict[str, Any]:
    """Query by query: the bar and its legend where the official measure has first ranks, else the differences."""
    if content["outcomes"] is not None:
        this, other = evidence.say_sides(content)
        return {
            "bar": mark_safe(evidence.draw_bar(content, names)),  # noqa: S308 - drawn from numbers, names are escaped
            "this_share": this,
            "other_share": other,
            "outcomes": list(evidence.say_outcomes(content, names)),
        }
    if not content["bars"]:
        return {}
    files = _pictures(viewer, pair, "query-differences")
    page, called = _url("compare", viewer, pair), (names.b, names.a)
    drawn, narrow = (draw_differences(content, called, page=page, is_narrow=each) for each in (False, True))
    higher, lower = count_sides(content)
    return {
        "differences": show_chart(drawn, files),
        "differences_on_a_phone": show_chart(narrow, files, key="query-differences-narrow"),
        "n_higher": higher,
        "n_lower": lower,
        "query_rows": list_queries(content),
    }


def _find_claim(viewer: Viewer, pair: RunPair) -> LedgerEntry | None:
    """What became of the claim, where this pair was one; nothing is held to a level where nothing is tested."""
    claims = find_claims(viewer).filter(submission=pair.challenger, holder=pair.holder).exclude(level=None)
    return next(iter(to_entries(claims, viewer)), None)
