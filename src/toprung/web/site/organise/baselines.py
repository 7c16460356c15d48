"""Which runs were there from the start? The organisers' own: checked like any other, not charged, and no claim."""

from __future__ import annotations

from http import HTTPStatus

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from toprung.data.run_card import RunCard
from toprung.web.core.models.boards import Board
from toprung.web.core.models.runs import Upload, UploadState
from toprung.web.services.runs.forget import put_aside
from toprung.web.services.runs.receive import FileRefusedError, receive_file
from toprung.web.services.runs.submit import SubmissionRefusedError, add_baseline
from toprung.web.services.shown.organiser import OrganiserPage, organise_at
from toprung.web.site.account.requests import MemberRequest
from toprung.web.site.organise.forms import BaselineForm


def waiting_files(board: Board) -> QuerySet[Upload]:
    """Files of organisers that are no baseline yet."""
    files = board.uploads.filter(team=None, submission=None).exclude(state=UploadState.FORGOTTEN)
    return files.order_by("-sent_at", "-pk")


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def show_baselines(request: MemberRequest, slug: str) -> HttpResponse:
    """What there is; a file that is posted is stored and checked, and named when that is done."""
    organiser_page = organise_at(request.user, slug)
    if request.method == "POST":
        try:
            receive_file(request, board=organiser_page.board, team=None, by=request.user)
        except FileRefusedError as error:
            return _show(request, organiser_page, fault=str(error), status=error.status)
        return redirect("baselines", slug=slug)
    return _show(request, organiser_page)


@login_required
@require_POST
def accept_baseline(request: MemberRequest, slug: str, pk: int) -> HttpResponse:
    organiser_page = organise_at(request.user, slug)
    upload = get_object_or_404(waiting_files(organiser_page.board), pk=pk)
    form = BaselineForm(request.POST)
    if not form.is_valid():
        return _show(request, organiser_page, form=form, of=upload, status=HTTPStatus.UNPROCESSABLE_ENTITY)
    try:
        baseline = add_baseline(upload, RunCard(**form.cleaned_data), by=request.user)
    except SubmissionRefusedError as error:
        form.add_error(None, str(error))
        return _show(request, organiser_page, form=form, of=upload, status=HTTPStatus.UNPROCESSABLE_ENTITY)
    messages.success(request, f"{baseline.run_id} {baseline.name} is being scored.")
    return redirect("baselines", slug=slug)


@login_required
@require_POST
def forget_file(request: MemberRequest, slug: str, pk: int) -> HttpResponse:
    organiser_page = organise_at(request.user, slug)
    files = waiting_files(organiser_page.board)
    checked = files.exclude(state__in=(UploadState.WAITING, UploadState.CHECKING))
    if not put_aside(get_object_or_404(files, pk=pk), checked):
        fault = "Found a file that is being checked; expected one whose check is over. Wait for that, then forget it."
        return _show(request, organiser_page, fault=fault, status=HTTPStatus.CONFLICT)
    return redirect("baselines", slug=slug)


def _show(
    request: MemberRequest,
    organiser_page: OrganiserPage,
    *,
    fault: str = "",
    form: BaselineForm | None = None,
    of: Upload | None = None,
    status: int = HTTPStatus.OK,
) -> HttpResponse:
    files = [(each, form if of == each and form else BaselineForm()) for each in waiting_files(organiser_page.board)]
    context = organiser_page.frame("baselines") | {
        "baselines": organiser_page.board.submissions.filter(is_baseline=True).order_by("number"),
        "files": files,
        "is_checking": any(each.is_being_checked for each, _ in files),
        "fault": fault,
        "is_past": organiser_page.board.holder is not None and not organiser_page.board.holder.is_baseline,
    }
    template = "organise/baselines/files.html" if request.headers.get("HX-Request") else "organise/baselines/page.html"
    return render(request, template, context, status=status)
