"""Would the same runs lead on other queries, and how sure is the order? Read from what tasks stored."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from toprung.report.charts.figure import Figure
from toprung.report.charts.svg.setting import PHONE
from toprung.web.core.access.namer import Identity
from toprung.web.core.access.viewer import Viewer, get_viewer_from
from toprung.web.core.asked import same_for_everyone
from toprung.web.services.results.words import say_often_first, say_pairs
from toprung.web.services.shown.board.verdict import say_board
from toprung.web.services.shown.charts import ShownChart, show_chart
from toprung.web.services.shown.exports import ExportedResult, provenance_of
from toprung.web.services.shown.naming import identities_of, names_in, with_names
from toprung.web.services.shown.order.charts import draw_all_places, draw_forest, draw_pairs, draw_shares
from toprung.web.services.shown.order.pair_grid import find_pair_rows
from toprung.web.services.shown.order.places import MOST_BARS, draw_places
from toprung.web.services.shown.pictures import PICTURES
from toprung.web.site.board.export_views import write_file
from toprung.web.site.board.json_page import to_json_page
from toprung.web.site.board.pictures import send_picture

FILES = {"CSV": "csv", "LaTeX": "tex", "JSON": "json"}
MOST_ROWS = 200
"""Of a table on a page; the file has all."""


@require_safe
@same_for_everyone
def show_stability(request: HttpRequest, slug: str) -> HttpResponse:
    viewer = get_viewer_from(request, slug)
    found = viewer.result("stability")
    if found is None:
        return render(request, "boards/nothing_yet.html", viewer.frame("stability"))
    content = found.content
    names = identities_of(viewer, [each["run"] for each in content["places"]])
    first = [each | {"identity": names[each["run"]]} for each in content["first"] if each["run"] in names]
    forest = draw_places(content["places"], names)
    context = viewer.frame("stability", found, json_url=_file(viewer, "stability", "json")) | {
        "content": content,
        "all_places": _show_all_places(viewer, content["figures"][0], names),
        "bold": _say_first(viewer, content),
        "may_be_best": _say_may_be_best(viewer),
        "forest": forest,
        "rows": forest.rows[:MOST_BARS],
        "more_rows": forest.rows[MOST_BARS:MOST_ROWS],
        "first": first,
        "n_ranks": range(1, 1 + len(content["first"][0]["cells"])),
        "tables": [each | {"rows": each["rows"][:MOST_ROWS]} for each in content["tables"]],
        "files": _files(viewer, "stability"),
        "place_pictures": _pictures(viewer, "places"),
        "share_pictures": _pictures(viewer, "shares"),
    }
    return render(request, "boards/stability.html", context | _order_context(viewer))


@require_safe
@same_for_everyone
def export_result(request: HttpRequest, slug: str, kind: str, ending: str) -> HttpResponse:
    """One of these results as CSV, JSON or LaTeX."""
    viewer = get_viewer_from(request, slug)
    found = viewer.result(kind)
    if found is None:
        raise Http404("There is nothing to export.")
    if ending == "json":
        return to_json_page(viewer, found)
    return write_file(
        ExportedResult(content=found.content, made_from=provenance_of(viewer, found)), f"{slug}-{kind}.{ending}"
    )


@require_safe
@same_for_everyone
def export_picture(request: HttpRequest, slug: str, kind: str, ending: str) -> HttpResponse:
    """A chart of this page."""
    viewer = get_viewer_from(request, slug)
    found = viewer.result("significance" if kind == "pairs" else "stability")
    if found is None:
        raise Http404("There is nothing to draw.")
    return send_picture(request, _draw(viewer, found.content, kind), f"{slug}-{kind}.{ending}")


def _draw(viewer: Viewer, content: dict[str, Any], kind: str) -> Figure:
    if kind == "pairs":
        return draw_pairs(find_pair_rows(viewer))
    names = identities_of(viewer, [each["run"] for each in content["places"]])
    if kind == "all":
        return draw_all_places(_get_all_places(content), names)
    return draw_forest(content["places"], names) if kind == "places" else draw_shares(content["first"], names)


def _get_all_places(content: dict[str, Any]) -> dict[str, Any]:
    figure: dict[str, Any] = content["figures"][0]
    if not figure.get("drawn"):
        raise Http404("There is nothing to draw.")
    return figure


def _show_all_places(viewer: Viewer, stored: dict[str, Any], names: dict[str, Identity]) -> ShownChart | None:
    """None of results that an earlier version stored, until they are computed again."""
    if not stored.get("drawn"):
        return None
    slug = viewer.board.slug
    wide, narrow = (draw_all_places(stored, names, slug=slug, width=width) for width in (None, PHONE))
    return show_chart(wide, _addresses(viewer, "all"), narrow=narrow)


def _say_first(viewer: Viewer, content: dict[str, Any]) -> str:
    """Who would come first on other queries; where there is nothing to draw from, what was found instead."""
    names = identities_of(viewer, [each["run"] for each in content["often_first"]])
    often = [(names[each["run"]].name, each["share"]) for each in content["often_first"] if each["run"] in names]
    if not often:
        return with_names(content["sentence"], names_in(viewer, content["sentence"]))
    return say_often_first(often, in_steps=bool(content.get("share_step")))


def _say_may_be_best(viewer: Viewer) -> str:
    """As the leaderboard has it."""
    board = viewer.result("board")
    return "" if board is None else say_board(board.content, viewer).sentence


def _order_context(viewer: Viewer) -> dict[str, Any]:
    """The pairs of runs; of two runs there is one, which has a page of its own."""
    grid = viewer.result("significance")
    if grid is None:
        return {}
    return {
        "grid": grid.content,
        "pairs_said": say_pairs(grid.content["n_pairs"], grid.content["n_different"]),
        "pair_rows": find_pair_rows(viewer),
        "grid_files": _files(viewer, "significance"),
        "pair_pictures": _pictures(viewer, "pairs"),
    }


def _files(viewer: Viewer, kind: str) -> dict[str, str]:
    return {name: _file(viewer, kind, ending) for name, ending in FILES.items()}


def _file(viewer: Viewer, kind: str, ending: str) -> str:
    return reverse("export_result", args=[viewer.board.slug, kind, ending]) + viewer.as_of


def _pictures(viewer: Viewer, kind: str) -> dict[str, str]:
    return {ending.upper(): address for ending, address in _addresses(viewer, kind).items()}


def _addresses(viewer: Viewer, kind: str) -> dict[str, str]:
    slug, version = viewer.board.slug, viewer.as_of
    return {ending: reverse("stability_picture", args=[slug, kind, ending]) + version for ending in PICTURES}
