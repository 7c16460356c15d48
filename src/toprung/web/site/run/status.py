"""How far is a run? Followed live from the queue to what came of it, or to the reason why it failed."""

from __future__ import annotations

from http import HTTPStatus

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from toprung.web.core.access.runs import get_run_for_insider
from toprung.web.core.access.viewer import get_viewer
from toprung.web.core.work.state import WorkState
from toprung.web.site.run.page import say_outcome
from toprung.web.site.run.progress import Progress
from toprung.web.site.run.requests import LiveRequest, live_login_required


@live_login_required
@never_cache
@require_safe
def show_status(request: LiveRequest, slug: str, label: str) -> HttpResponse:
    """For its team and for organisers; a page that follows it gets only what it has not seen."""
    submission = get_run_for_insider(request.user, slug, label)
    progress = Progress.of(submission)
    work = WorkState.find() if progress.is_moving else None
    seen = f"{progress.key}{'-silent' if work is not None and work.is_silent else ''}"
    is_over = not (progress.is_moving or progress.has_failed)
    context = {
        "board": submission.board,
        "run": submission,
        "progress": progress,
        "outcome": say_outcome(submission, get_viewer(request.user, slug)) if is_over else None,
        "work": work,
        "seen": seen,
    }
    if not request.htmx:
        return render(request, "submissions/status.html", context)
    if request.GET.get("seen") == seen:
        return HttpResponse(status=HTTPStatus.NO_CONTENT)
    return render(request, "submissions/progress.html", context)
