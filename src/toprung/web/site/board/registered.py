"""What did an analysis find that is registered for boards? Read from what tasks stored."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from toprung.analyses.catalogue import find_analysis
from toprung.web.core.access.viewer import get_viewer_from
from toprung.web.core.asked import same_for_everyone
from toprung.web.services.shown.naming import say_called
from toprung.web.site.board.pictures import send_stored, with_files


@require_safe
@same_for_everyone
def show_analysis(request: HttpRequest, slug: str, key: str) -> HttpResponse:
    viewer = get_viewer_from(request, slug)
    found = viewer.analysis(key)
    if found is None:
        return render(request, "boards/nothing_yet.html", viewer.frame(key))
    figures = with_files(
        found.content["figures"],
        lambda kind, ending: reverse("analysis_picture", args=[slug, key, kind, ending]) + viewer.as_of,
    )
    context = {"content": found.content, "analysis": find_analysis(key), "figures": figures}
    return render(request, "boards/analysis.html", viewer.frame(key, found) | context)


@require_safe
@same_for_everyone
def export_picture(request: HttpRequest, slug: str, key: str, kind: str, ending: str) -> HttpResponse:
    """A chart of this page."""
    viewer = get_viewer_from(request, slug)
    found = viewer.analysis(key)
    figures = [] if found is None else found.content["figures"]
    return send_stored(request, figures, kind, f"{slug}-{kind}.{ending}", below=say_called(viewer, figures))
