"""What are the rules of a board, and how does all of it work? In plain words."""

from __future__ import annotations

from functools import partial

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from toprung.web.core.access.viewer import get_viewer
from toprung.web.core.asked import ask, same_for_everyone
from toprung.web.core.config.signing_key import find_fingerprint
from toprung.web.core.models.labels import LabelSet, LabelUse
from toprung.web.core.store.provenance import shorten
from toprung.web.services.results import words
from toprung.web.site.board.markdown import render_markdown


@require_safe
@same_for_everyone
def show_about(request: HttpRequest, slug: str) -> HttpResponse:
    """The rules, fixed before the first claim, and the labels in all their versions."""
    viewer = get_viewer(request.user, slug)
    board = viewer.board
    public = board.label_sets.exclude(use=LabelUse.PRIVATE).exclude(current_since=None)
    context = viewer.frame("about", viewer.result("board")) | {
        "description": render_markdown(board.description),
        "announcements": [(each, render_markdown(each.text)) for each in board.announcements.filter(withdrawn_at=None)],
        "rule": words.say_rule(board),
        "level": words.say_level(board),
        "explained_rule": words.explain_rule(board),
        "explained_levels": words.explain_levels(board),
        "explained_release": words.explain_release(board),
        "explained_submissions": words.explain_submissions(board),
        "label_sets": [(each, shorten(each.digest)) for each in sorted(public, key=_official_first)],
        "came_from": board.imported[-1] if board.imported else None,
        "key": ask(partial(find_fingerprint, settings.ENVIRONMENT)),
        "n_private": board.label_sets.filter(use=LabelUse.PRIVATE, is_current=True).count(),
    }
    return render(request, "boards/about.html", context)


def _official_first(labels: LabelSet) -> tuple[int, str, int]:
    return list(LabelUse).index(LabelUse(labels.use)), labels.name, -labels.version


@require_safe
@same_for_everyone
def show_methods(request: HttpRequest) -> HttpResponse:
    return render(request, "boards/methods.html")
