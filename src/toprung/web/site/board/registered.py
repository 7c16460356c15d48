"""What did an analysis find that is registered for boards? Read from what tasks stored."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from toprung.analyses.catalogue import find_analysis
from toprung.web.core.access.viewer import get_viewer_from


@require_safe
def show_analysis(request: HttpRequest, slug: str, key: str) -> HttpResponse:
    viewer = get_viewer_from(request, slug)
    found = viewer.analysis(key)
    if found is None:
        return render(request, "boards/nothing_yet.html", viewer.frame(key))
    context = {"content": found.content, "analysis": find_analysis(key)}
    return render(request, "boards/analysis.html", viewer.frame(key, found) | context)
