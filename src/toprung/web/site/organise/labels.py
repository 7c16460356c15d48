"""Which labels does the board have, and who opened them? Hidden ones need a reason, written down before they show."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import FileResponse, Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from toprung.web.core.access.boards import get_board_for_viewer
from toprung.web.core.models.boards import Board
from toprung.web.core.models.labels import LabelSet
from toprung.web.services.labels.access_log import describe, note_download, note_view, see_labels
from toprung.web.services.labels.add import has_dev_labels
from toprung.web.services.labels.file_names import ending_of
from toprung.web.services.shown.organiser import OrganiserPage, organise_at
from toprung.web.site.account.requests import MemberRequest
from toprung.web.site.organise.forms import OpenLabelsForm
from toprung.web.site.organise.versions import preparation_context

ACCESSES_SHOWN = 50


@never_cache
@login_required
@require_safe
def show_labels(request: MemberRequest, slug: str) -> HttpResponse:
    organiser_page = organise_at(request.user, slug)
    return render(request, "organise/labels/page.html", _frame(organiser_page) | {"form": OpenLabelsForm()})


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def open_labels(request: MemberRequest, slug: str, pk: int) -> HttpResponseBase:
    """Ask for the reason, write it down, then show or send; nothing is shown again without a reason again."""
    organiser_page = organise_at(request.user, slug)
    labels = get_object_or_404(organiser_page.board.label_sets.exclude(file=""), pk=pk)
    form = OpenLabelsForm(request.POST if request.method == "POST" else None)
    context = _frame(organiser_page) | {"form": form, "opened": labels, "described": describe(labels)}
    if request.method == "GET" or not form.is_valid():
        status = HTTPStatus.OK if request.method == "GET" else HTTPStatus.UNPROCESSABLE_ENTITY
        return render(request, "organise/labels/open.html", context, status=status)
    reason, queries = form.cleaned_data["reason"], form.cleaned_data["queries"]
    if form.cleaned_data["how"] == OpenLabelsForm.DOWNLOAD:
        note_download(labels, reason=reason, by=request.user)
        return send_labels(organiser_page.board, labels)
    access = note_view(labels, queries, reason=reason, by=request.user)
    return render(
        request, "organise/labels/seen.html", context | {"access": access, "seen": see_labels(labels, queries)}
    )


@require_safe
def download_public_labels(request: HttpRequest, slug: str, pk: int) -> HttpResponseBase:
    """Dev labels, and whatever else a board does not hide, for everyone who sees the board."""
    board = get_board_for_viewer(request.user, slug)
    labels = board.label_sets.filter(pk=pk, is_hidden=False).exclude(file="").first()
    if labels is None:
        raise Http404("There are no such labels.")
    return send_labels(board, labels)


def send_labels(board: Board, labels: LabelSet) -> FileResponse:
    """As they were given, packed or not."""
    name = f"{board.slug}-{labels.use}-v{labels.version}{ending_of(labels)}"
    return FileResponse(
        labels.file.open("rb"), as_attachment=True, filename=name, content_type="application/octet-stream"
    )


def _frame(organiser_page: OrganiserPage) -> dict[str, Any]:
    accesses = organiser_page.board.label_accesses.select_related("user", "label_set").order_by("-at", "-pk")
    return (
        organiser_page.frame("labels")
        | preparation_context(organiser_page)
        | {
            "sets": [(each, describe(each)) for each in organiser_page.board.label_sets.order_by("pk")],
            "accesses": accesses[:ACCESSES_SHOWN],
            "n_accesses": accesses.count(),
            "has_dev_labels": has_dev_labels(organiser_page.board),
        }
    )
