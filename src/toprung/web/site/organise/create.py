"""How does an organiser make a board in the browser? Labels first, then step by step; or from a ``board.toml``."""

from __future__ import annotations

from http import HTTPStatus
from pathlib import Path

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from toprung.web.core.access.drafts import drafts_of, get_draft_for_maker, require_maker
from toprung.web.core.models.drafts import BoardDraft
from toprung.web.core.store.plan import BoardRefusedError
from toprung.web.core.store.upload_cap import is_too_large
from toprung.web.services.boards import draft_plan, drafts
from toprung.web.services.boards.toml import FILE_NAME, LARGEST_FILE, read_board, uploaded_files
from toprung.web.services.boards.toml_out import write_board
from toprung.web.site.account.requests import MemberRequest
from toprung.web.site.organise.files_form import BoardFilesForm, LabelsForm, path_of
from toprung.web.site.organise.steps import frame, save_labels, show_labels_choices

FROM_FILE = "from_file"
MEGABYTE = 1 << 20


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def create_board(request: MemberRequest) -> HttpResponse:
    """The first step before there is a draft: it is made when the labels could be read."""
    require_maker(request.user)
    form, files = LabelsForm(), BoardFilesForm()
    too_large = is_too_large(request)
    if request.method == "POST" and not too_large:
        if FROM_FILE in request.POST:
            files = BoardFilesForm(request.POST, request.FILES)
            draft = _start_from_file(request, files)
            if draft is not None:
                return redirect("draft_step", pk=draft.pk, step="check")
        else:
            form = LabelsForm(request.POST, request.FILES)
            answer = _start(request, form)
            if answer is not None:
                return answer
    context = frame(None, "labels") | {
        "form": form,
        "files": files,
        "choices": show_labels_choices(form),
        "drafts": drafts_of(request.user),
        "too_large": settings.ENVIRONMENT.max_upload_bytes // MEGABYTE if too_large else 0,
    }
    status = HTTPStatus.OK if request.method == "GET" else HTTPStatus.UNPROCESSABLE_ENTITY
    return render(request, "organise/create/labels.html", context, status=status)


def _start(request: MemberRequest, form: LabelsForm) -> HttpResponse | None:
    """A draft with these labels, and with what else was filled in; None where the labels cannot be used."""
    form.is_valid()
    if "official_file" not in form.errors and not form.cleaned_data.get("official_file"):
        form.add_error("official_file", "Found no file; expected one.")
    if any(name.endswith("_file") for name in form.errors):
        return None
    try:
        draft = drafts.start_with_labels(form.labels(), by=request.user)
    except BoardRefusedError as error:
        form.show_faults(error.faults)
        return None
    return save_labels(request, draft, form)


def _start_from_file(request: MemberRequest, form: BoardFilesForm) -> BoardDraft | None:
    if not form.is_valid():
        return None
    label_files: dict[str, Path] = {file.name or "": path_of(file) for file in form.cleaned_data["label_files"]}
    content = form.cleaned_data["board_file"].read(LARGEST_FILE + 1)
    try:
        found = read_board(content, find_file=uploaded_files(label_files))
        return drafts.start_from_file(found.plan, found.labels, by=request.user)
    except BoardRefusedError as error:
        for fault in error.faults:
            form.add_error(None, str(fault))
        return None


@never_cache
@login_required
@require_POST
def drop_draft(request: MemberRequest, pk: int) -> HttpResponse:
    draft = get_draft_for_maker(request.user, pk)
    drafts.drop(draft)
    messages.success(request, f"Dropped the draft of {draft}; nothing is left of it.")
    return redirect("create_board")


@never_cache
@login_required
@require_safe
def download_toml(request: MemberRequest, pk: int) -> HttpResponse:
    """The draft as a file: the same board again, anywhere."""
    draft = get_draft_for_maker(request.user, pk)
    text = write_board(draft_plan.propose(draft), draft_plan.named_labels(draft))
    response = HttpResponse(text, content_type="application/toml; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{FILE_NAME}"'
    return response
