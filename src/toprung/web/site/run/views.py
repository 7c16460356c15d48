"""What is known of a run? Its page: standing, scores, claims, the check of its file, what its team says of it."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from toprung.web.core.access.runs import get_run_for_viewer
from toprung.web.core.access.viewer import get_viewer
from toprung.web.core.asked import same_for_everyone
from toprung.web.core.store.provenance import Provenance
from toprung.web.services.judging.campaigns.upkeep_words import say_challenge
from toprung.web.services.results.label_doubt import DOUBT, say_doubt_of
from toprung.web.site.board.pictures import send_picture
from toprung.web.site.run.page import gather, scores_drawn


@require_safe
@same_for_everyone
def show_run(request: HttpRequest, slug: str, label: str) -> HttpResponse:
    submission = get_run_for_viewer(request.user, slug, label)
    viewer = get_viewer(request.user, slug)
    page = gather(submission, viewer, request.user)
    doubt = viewer.result(DOUBT)
    context = {
        "board": viewer.board,
        "run": submission,
        "page": page,
        "is_organiser": viewer.is_organiser,
        "labels": viewer.labels(),
        "provenance": Provenance.of(viewer.labels(), page.result),
        "challenge": say_challenge(submission, viewer) if viewer.shows(submission) else "",
        "doubt": "" if doubt is None else say_doubt_of(submission.run_id, doubt.content),
    }
    return render(request, "submissions/run.html", context)


@require_safe
@same_for_everyone
def export_picture(request: HttpRequest, slug: str, label: str, ending: str) -> HttpResponse:
    """Its scores under each version of the labels, drawn; 404 where there is nothing to draw."""
    submission = get_run_for_viewer(request.user, slug, label)
    found = scores_drawn(submission, get_viewer(request.user, slug))
    if found is None:
        raise Http404("There is no such chart.")
    return send_picture(request, found, f"{slug}-{label}-versions.{ending}")
