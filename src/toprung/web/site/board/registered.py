"""What did an analysis find that is registered for boards? Read from what tasks stored."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from toprung.analyses.catalogue import find_analysis
from toprung.web.core.access.viewer import get_viewer_from
from toprung.web.core.asked import same_for_everyone


@require_safe
@same_for_everyone
def show_analysis(request: HttpRequest, slug: str, key: str) -> HttpResponse:
    viewer = get_viewer_from(request, slug)
    found = viewer.analysis(key)
    if found is None:
        return render(request, "boards/nothing_yet.html", viewer.frame(key))
    context = {"content": found.content, "analysis": find_analysis(key)}
    return render(request, "boards/analysis.html", viewer.frame(key, found) | context)
