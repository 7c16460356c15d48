"""What is needed to take part? The task, four commands, files with sizes and digests, terms, and the rules."""

from __future__ import annotations

from http import HTTPStatus

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from toprung.web.core.access.boards import get_board_for_viewer
from toprung.web.core.access.data import get_data_file
from toprung.web.core.access.texts import public_label_sets
from toprung.web.core.access.viewer import get_viewer
from toprung.web.core.models.labels import LabelUse
from toprung.web.core.store.columns import query_ids_of
from toprung.web.services.data.commands import starter_commands
from toprung.web.services.data.offered import list_offered
from toprung.web.services.data.sending import StoredFile, send_stored_file
from toprung.web.services.data.terms import TermsError, accept_terms, current_terms, find_acceptance, must_accept
from toprung.web.services.results import words
from toprung.web.site.account.requests import MemberRequest
from toprung.web.site.board.markdown import render_markdown

SOME_QUERY = "QUERY"


@never_cache
@require_safe
def show_data(request: HttpRequest, slug: str) -> HttpResponse:
    viewer = get_viewer(request.user, slug)
    board = viewer.board
    public = public_label_sets(board)
    dev = next((each for each in public if each.use == LabelUse.DEV), None)
    terms, files = current_terms(board), list_offered(board, request.user)
    context = viewer.frame("data", viewer.result("board")) | {
        "commands": starter_commands(
            settings.ENVIRONMENT.public_url,
            slug,
            query_id=query_ids_of(public[0])[0] if public else SOME_QUERY,
            has_files=bool(files),
            has_dev=dev is not None,
            has_terms=terms is not None,
        ),
        "dev": dev,
        "files": files,
        "terms": terms,
        "written_terms": render_markdown(terms.text) if terms else "",
        "accepted": find_acceptance(board, request.user),
        "explained_submissions": words.explain_submissions(board),
    }
    return render(request, "data/data.html", context)


@login_required
@require_POST
def accept_data_terms(request: MemberRequest, slug: str) -> HttpResponse:
    """Of the version that the page showed."""
    board = get_board_for_viewer(request.user, slug)
    try:
        accept_terms(board, request.POST.get("digest", ""), by=request.user)
    except TermsError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, "You accepted the terms; the files are open to you.")
    return redirect("data", slug=slug)


@require_safe
def show_sums(request: HttpRequest, slug: str) -> HttpResponse:
    """As ``sha256sum --check`` reads it."""
    board = get_board_for_viewer(request.user, slug)
    lines = [f"{each.sha256}  {each.name}\n" for each in list_offered(board, request.user)]
    return HttpResponse("".join(lines), content_type="text/plain; charset=utf-8")


@never_cache
@require_safe
def download_data_file(request: HttpRequest, slug: str, name: str) -> HttpResponseBase:
    """An offered file, once its terms are accepted; hidden ones are opened by organisers, with a reason."""
    file = get_data_file(request.user, slug, name)
    if file.is_hidden or file.is_link:
        raise Http404("There is no such file.")
    if must_accept(file.board, request.user):
        messages.error(request, "These files have terms; read and accept them first.")
        response = redirect(f"{reverse('data', args=[slug])}#terms")
        return response if request.user.is_authenticated else _ask_to_sign_in(request, slug)
    return send_stored_file(request, StoredFile.of(file))


def _ask_to_sign_in(request: HttpRequest, slug: str) -> HttpResponse:
    """Terms are accepted by a person."""
    viewer = get_viewer(request.user, slug)
    return render(request, "data/sign_in.html", viewer.frame("data"), status=HTTPStatus.FORBIDDEN)
