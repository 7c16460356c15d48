"""How does an organiser make a board in the browser? From a form, or from a ``board.toml`` with its label files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from toprung.web.core.models.boards import Board
from toprung.web.core.models.people import User
from toprung.web.core.store.plan import BoardPlan, BoardRefusedError, SettingFault, find_faults
from toprung.web.core.store.upload_cap import is_too_large
from toprung.web.services.boards import create as creating
from toprung.web.services.boards.defaults import complete
from toprung.web.services.boards.toml import LARGEST_FILE, read_board, uploaded_files
from toprung.web.services.labels.read import LabelPlan
from toprung.web.site.account.requests import MemberRequest
from toprung.web.site.organise.board_form import BoardFilesForm, CreateBoardForm, path_of
from toprung.web.site.organise.gains import say_gains, show_gains

FROM_FILE = "from_file"
MEGABYTE = 1 << 20


@login_required
@require_http_methods(["GET", "POST"])
def create_board(request: MemberRequest) -> HttpResponse:
    if not request.user.may_create_boards:
        raise Http404("There is no such page.")
    form, files = CreateBoardForm(), BoardFilesForm()
    too_large = is_too_large(request)
    if request.method == "POST" and not too_large:
        is_from_file = FROM_FILE in request.POST
        if is_from_file:
            files = BoardFilesForm(request.POST, request.FILES)
        else:
            form = CreateBoardForm(request.POST, request.FILES)
        made = _create_from_file(request, files) if is_from_file else _create(request, form)
        if made is not None:
            messages.success(request, made.says)
            return redirect("policy", slug=made.board.slug)
    context = {
        "form": form,
        "files": files,
        "keys": (),
        "gains": show_gains(),
        "too_large": settings.ENVIRONMENT.max_upload_bytes // MEGABYTE if too_large else 0,
    }
    status = HTTPStatus.OK if request.method == "GET" else HTTPStatus.UNPROCESSABLE_ENTITY
    return render(request, "boards/create_board.html", context, status=status)


@dataclass(frozen=True, kw_only=True)
class Made:
    """A new board, and what was chosen for it."""

    board: Board
    why: str

    @property
    def says(self) -> str:
        chosen = f" Chosen from the labels: {self.why}." if self.why else ""
        return " ".join(filter(None, [f"{self.board} was made, and you organise it.{chosen}", say_gains(self.board)]))


def _make(plan: BoardPlan, labels: Sequence[LabelPlan], by: User) -> Made:
    why = complete(plan, labels).why
    return Made(board=creating.create_board(plan, labels, by=by), why=why)


def _create(request: MemberRequest, form: CreateBoardForm) -> Made | None:
    """Every fault at once: those of types, of settings and of labels."""
    if not form.is_valid():
        form.show_faults(_faults_of_the_rest(form))
        return None
    try:
        return _make(BoardPlan(**form.settings()), form.labels(), request.user)
    except BoardRefusedError as error:
        form.show_faults(error.faults)
        return None


def _faults_of_the_rest(form: CreateBoardForm) -> tuple[SettingFault, ...]:
    """Of fields that could be read where others could not; those have the value of a plan that says nothing."""
    known = form.settings()
    plan = BoardPlan(**({"slug": "board", "title": "Title", "task": "Task"} | known))
    return tuple(fault for fault in find_faults(complete(plan, ()).plan) if fault.key in known)


def _create_from_file(request: MemberRequest, form: BoardFilesForm) -> Made | None:
    if not form.is_valid():
        return None
    label_files: dict[str, Path] = {file.name or "": path_of(file) for file in form.cleaned_data["label_files"]}
    content = form.cleaned_data["board_file"].read(LARGEST_FILE + 1)
    try:
        found = read_board(content, find_file=uploaded_files(label_files))
        return _make(found.plan, found.labels, request.user)
    except BoardRefusedError as error:
        for fault in error.faults:
            form.add_error(None, str(fault))
        return None
