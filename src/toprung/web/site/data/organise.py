"""What does an organiser give? Files, links and terms; and who read what is hidden."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from toprung.errors import InputError
from toprung.web.core.models.data import DataFile
from toprung.web.core.store.upload_cap import is_too_large
from toprung.web.services.data.give import (
    DataRefusedError,
    FileSaid,
    end_of,
    give_file,
    give_link,
    name_after,
    remove_file,
)
from toprung.web.services.data.offered import say_file
from toprung.web.services.data.opening import note_hidden_download
from toprung.web.services.data.sending import StoredFile, send_stored_file
from toprung.web.services.data.terms import current_terms, list_acceptances, set_terms
from toprung.web.services.runs.receive import FileRefusedError, check_room, shown_name, too_large
from toprung.web.services.shown.organiser import OrganiserPage, organise_at
from toprung.web.site.account.requests import MemberRequest
from toprung.web.site.data.forms import DataFileForm, DataTermsForm
from toprung.web.site.organise.files_form import path_of
from toprung.web.site.organise.forms import ReasonForm
from toprung.words.wording import show_size

ACCESSES_SHOWN, ACCEPTANCES_SHOWN = 50, 200


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def organise_data(request: MemberRequest, slug: str) -> HttpResponse:
    """All files and the terms; a POST gives one file or link."""
    organiser_page = organise_at(request.user, slug)
    form = DataFileForm(request.POST or None, request.FILES or None)
    if request.method == "POST":
        given = _give(request, organiser_page, form)
        if given is not None:
            messages.success(request, f"{given.name} is on the board. {' '.join(given.remarks)}".rstrip())
            return redirect("organise_data", slug=slug)
    status = HTTPStatus.OK if request.method == "GET" else HTTPStatus.UNPROCESSABLE_ENTITY
    return render(request, "data/organise.html", _frame(organiser_page) | {"form": form}, status=status)


def _give(request: MemberRequest, organiser_page: OrganiserPage, form: DataFileForm) -> DataFile | None:
    """None where it was refused: the form says why."""
    if is_too_large(request):
        form.add_error(None, f"{too_large()} Or give a link.")
        return None
    if not form.is_valid():
        return None
    data, board = form.cleaned_data, organiser_page.board
    called = data["name"] or name_after(shown_name(data["file"].name) if data["file"] else end_of(data["link"]))
    said = FileSaid(kind=data["kind"], name=called, note=data["note"], is_hidden=data["is_hidden"])
    try:
        check_room()
        if data["file"]:
            return give_file(board, said, path_of(data["file"]), by=request.user)
        return give_link(board, said, data["link"], data["digest"], size=data["size"], by=request.user)
    except (DataRefusedError, FileRefusedError) as error:
        form.add_error(None, str(error))
    return None


@login_required
@require_POST
def change_terms(request: MemberRequest, slug: str) -> HttpResponse:
    organiser_page = organise_at(request.user, slug)
    form = DataTermsForm(request.POST)
    if form.is_valid():
        try:
            set_terms(organiser_page.board, form.cleaned_data["text"], by=request.user)
        except InputError as error:
            form.add_error("text", str(error))
        else:
            messages.success(request, "The terms are as you wrote them; they are asked for before a download.")
            return redirect("organise_data", slug=slug)
    context = _frame(organiser_page) | {"form": DataFileForm(), "terms_form": form}
    return render(request, "data/organise.html", context, status=HTTPStatus.UNPROCESSABLE_ENTITY)


@login_required
@require_POST
def remove_data_file(request: MemberRequest, slug: str, pk: int) -> HttpResponse:
    organiser_page = organise_at(request.user, slug)
    file = get_object_or_404(organiser_page.board.data_files, pk=pk)
    remove_file(file, by=request.user)
    messages.success(request, f"{file.name} is off the board; the audit log says so.")
    return redirect("organise_data", slug=slug)


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def open_data_file(request: MemberRequest, slug: str, pk: int) -> HttpResponseBase:
    """A hidden file, once the reason is on record."""
    organiser_page = organise_at(request.user, slug)
    file = get_object_or_404(organiser_page.board.data_files.filter(is_hidden=True), pk=pk)
    form = ReasonForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        note_hidden_download(file, reason=form.cleaned_data["reason"], by=request.user)
        return send_stored_file(request, StoredFile.of(file))
    status = HTTPStatus.OK if request.method == "GET" else HTTPStatus.UNPROCESSABLE_ENTITY
    context = organiser_page.frame("organise_data") | {"form": form, "file": file}
    return render(request, "data/open_file.html", context, status=status)


def _frame(organiser_page: OrganiserPage) -> dict[str, Any]:
    board = organiser_page.board
    terms = current_terms(board)
    accesses = board.text_accesses.select_related("user").order_by("-at", "-pk")
    return organiser_page.frame("organise_data") | {
        "files": [
            (each, each.note or say_file(each), "" if each.size is None else show_size(each.size))
            for each in board.data_files.order_by("pk")
        ],
        "terms": terms,
        "n_accepted": 0 if terms is None else terms.acceptances.count(),
        "acceptances": list_acceptances(board)[:ACCEPTANCES_SHOWN],
        "terms_form": DataTermsForm(initial={"text": terms.text if terms else ""}),
        "accesses": accesses[:ACCESSES_SHOWN],
    }
