"""Would the same runs lead on other queries, and which runs differ beyond chance? Read from what tasks stored."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from toprung.web.core.access.namer import Identity
from toprung.web.core.access.viewer import Viewer, get_viewer_from
from toprung.web.core.models.results import StoredResult
from toprung.web.services.shown.exports import ExportedResult, provenance_of
from toprung.web.site.board.export_views import write_file
from toprung.web.site.board.timeline import to_json_page

MOST_ROWS = 200
"""Of a table on a page; the file has all."""


@require_safe
def show_stability(request: HttpRequest, slug: str) -> HttpResponse:
    viewer = get_viewer_from(request, slug)
    found = viewer.result("stability")
    if found is None:
        return render(request, "boards/nothing_yet.html", viewer.frame("stability"))
    names = _names_of(viewer, [each["run"] for each in found.content["first"]])
    first = [each | {"identity": names.get(each["run"])} for each in found.content["first"]]
    context = _context(viewer, found, "stability") | {
        "first": first,
        "n_ranks": range(1, 1 + len(first[0]["cells"])),
    }
    return render(request, "boards/stability.html", context)


@require_safe
def show_significance(request: HttpRequest, slug: str) -> HttpResponse:
    viewer = get_viewer_from(request, slug)
    found = viewer.result("significance")
    if found is None:
        return render(request, "boards/no_grid_yet.html", viewer.frame("significance"))
    return render(request, "boards/significance.html", _context(viewer, found, "significance"))


@require_safe
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


def _context(viewer: Viewer, found: StoredResult, kind: str) -> dict[str, Any]:
    files = {
        ending: reverse("export_result", args=[viewer.board.slug, kind, ending]) for ending in ("csv", "json", "tex")
    }
    bold, _, rest = found.content["sentence"].partition("; ")
    tables = [each | {"rows": each["rows"][:MOST_ROWS]} for each in found.content["tables"]]
    return viewer.frame(kind, found, json_url=files["json"]) | {
        "content": found.content,
        "bold": f"{bold};" if rest else bold,
        "rest": rest,
        "figure": found.content["figures"][0],
        "tables": tables,
        "files": files,
    }


def _names_of(viewer: Viewer, labels: Iterable[str]) -> dict[str, Identity]:
    runs = viewer.board.submissions.filter(run_id__in=list(labels)).select_related("team")
    return {each.run_id: viewer.namer.name(each) for each in runs}
