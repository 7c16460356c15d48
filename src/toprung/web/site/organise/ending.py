"""How is a board closed for good, and what is left then? Final standings, a citation, a signed bundle."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from toprung.web.core.access.viewer import get_viewer
from toprung.web.core.models.boards import Board
from toprung.web.core.models.endings import FinalStandings
from toprung.web.services.ending.cite import cite_as_bibtex, cite_in_words, find_final
from toprung.web.services.ending.close import ClosingRefusedError, close_board
from toprung.web.services.ending.freeze import what_waits
from toprung.web.services.shown.organiser import organise_at
from toprung.web.site.account.requests import MemberRequest


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def end_board(request: MemberRequest, slug: str) -> HttpResponse:
    organiser_page = organise_at(request.user, slug)
    fault = ""
    if request.method == "POST":
        try:
            close_board(organiser_page.board, typed=request.POST.get("address", ""), by=request.user)
        except ClosingRefusedError as error:
            fault = str(error)
        else:
            messages.success(request, "The board is closed; its standings are final once everything is scored.")
            return redirect("end_board", slug=slug)
    board = organiser_page.board
    context = organiser_page.frame("end_board") | {
        "fault": fault,
        "final": find_final(board),
        "waits": list(what_waits(board)) if board.is_closed and not board.is_final else [],
        "n_unsettled": board.submissions.filter(settled_at=None).exclude(state="failed").count(),
    }
    status = HTTPStatus.UNPROCESSABLE_ENTITY if fault else HTTPStatus.OK
    return render(request, "organise/end_board.html", context, status=status)


@require_safe
def show_final(request: HttpRequest, slug: str) -> HttpResponse:
    """What the standings are, how to cite them, and where they can be downloaded."""
    viewer = get_viewer(request.user, slug)
    final = _require(viewer.board)
    context: dict[str, Any] = viewer.frame("final", viewer.result("board")) | {
        "final": final,
        "in_words": cite_in_words(final),
        "bibtex": cite_as_bibtex(final),
    }
    return render(request, "boards/ending/final.html", context)


@require_safe
def download_final(request: HttpRequest, slug: str) -> HttpResponse:
    """Byte for byte what the digest is of."""
    final = _require(get_viewer(request.user, slug).board)
    response = HttpResponse(final.document.encode(), content_type="application/json")
    response["Content-Disposition"] = f'attachment; filename="{slug}-final.json"'
    return response


@never_cache
@login_required
@require_safe
def download_final_bundle(request: MemberRequest, slug: str) -> FileResponse:
    """For organisers alone: it names teams that are anonymous still, and has exact scores."""
    final = _require(organise_at(request.user, slug).board)
    if not final.bundle:
        raise Http404("The bundle is not written yet.")
    return FileResponse(final.bundle.open("rb"), as_attachment=True, filename=f"{slug}.toprung")


def _require(board: Board) -> FinalStandings:
    final = find_final(board)
    if final is None:
        raise Http404("This board has no final standings yet.")
    return final
