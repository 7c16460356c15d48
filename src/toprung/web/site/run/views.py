"""What is known of a run? Its page: standing, scores, claims, the check of its file, what its team says of it."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from toprung.web.core.access.runs import get_run_for_viewer
from toprung.web.core.access.viewer import get_viewer
from toprung.web.core.store.provenance import Provenance
from toprung.web.site.run.page import gather


@require_safe
def show_run(request: HttpRequest, slug: str, label: str) -> HttpResponse:
    submission = get_run_for_viewer(request.user, slug, label)
    viewer = get_viewer(request.user, slug)
    page = gather(submission, viewer, request.user)
    context = {
        "board": viewer.board,
        "run": submission,
        "page": page,
        "is_organiser": viewer.is_organiser,
        "labels": viewer.labels(),
        "provenance": Provenance.of(viewer.labels(), page.result),
    }
    return render(request, "submissions/run.html", context)
