"""How does an organiser change the labels? A new version is published, followed while it is prepared, or given up."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from toprung.web.core.models.labels import LabelSet
from toprung.web.core.store.plan import BoardRefusedError
from toprung.web.services.labels.access_log import describe
from toprung.web.services.labels.add import add_dev_labels, has_dev_labels, plan_dev_labels
from toprung.web.services.labels.prepare import Preparation, preparation_of, versions_in_preparation
from toprung.web.services.labels.publish import VersionRefusedError, give_up, plan_version, publish, try_again
from toprung.web.services.runs.receive import shown_name
from toprung.web.services.shown.organiser import OrganiserPage, organise_at
from toprung.web.site.account.requests import MemberRequest
from toprung.web.site.organise.files_form import path_of
from toprung.web.site.organise.forms import PublishLabelsForm


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def publish_labels(request: MemberRequest, slug: str) -> HttpResponse:
    """The next version of a set: checked as the labels of a new board are, then prepared in the background.

    A board without dev labels gets its first ones here too.
    """
    organiser_page = organise_at(request.user, slug)
    board = organiser_page.board
    current, may_add = board.label_sets.filter(is_current=True).order_by("pk"), not has_dev_labels(board)
    chosen = None if may_add and "dev" in request.GET else current.first()
    form = PublishLabelsForm(
        current, request.POST or None, request.FILES or None, may_add=may_add, initial={"set": chosen}
    )
    if request.method == "POST" and form.is_valid():
        labels = _publish(organiser_page, form)
        if labels is not None:
            when = "is current" if labels.is_current else "is being prepared; the board shows the one before until then"
            messages.success(request, f"{describe(labels).capitalize()} {when}.")
            return redirect("labels", slug=slug)
    status = HTTPStatus.OK if request.method == "GET" else HTTPStatus.UNPROCESSABLE_ENTITY
    return render(
        request, "organise/labels/publish.html", organiser_page.frame("labels") | {"form": form}, status=status
    )


def _publish(organiser_page: OrganiserPage, form: PublishLabelsForm) -> LabelSet | None:
    """None where it was refused: the form says why."""
    board, by, data = organiser_page.board, organiser_page.user, form.cleaned_data
    path, name = path_of(data["file"]), shown_name(data["file"].name)
    try:
        if data["set"] is None:
            return add_dev_labels(board, plan_dev_labels(path, name), changes=data["changes"], by=by)
        plan = plan_version(data["set"], path, name)
        return publish(board, data["set"], plan, changes=data["changes"], source=data["source"], by=by)
    except BoardRefusedError as error:
        for fault in error.faults:
            form.add_error(fault.key if fault.key in form.fields else "file", fault.says)
    return None


@never_cache
@login_required
@require_safe
def show_preparation(request: MemberRequest, slug: str) -> HttpResponse:
    """How far the versions are that are being prepared: a part of the page of labels, which follows it."""
    organiser_page = organise_at(request.user, slug)
    return render(
        request,
        "organise/labels/preparation.html",
        {"board": organiser_page.board} | preparation_context(organiser_page),
    )


@login_required
@require_POST
def give_up_labels(request: MemberRequest, slug: str, pk: int) -> HttpResponse:
    organiser_page, labels = _prepared(request, slug, pk)
    try:
        give_up(labels, by=organiser_page.user)
    except VersionRefusedError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, f"{describe(labels).capitalize()} is given up; the one before stays.")
    return redirect("labels", slug=slug)


@login_required
@require_POST
def try_labels_again(request: MemberRequest, slug: str, pk: int) -> HttpResponse:
    organiser_page, labels = _prepared(request, slug, pk)
    try:
        try_again(labels, by=organiser_page.user)
    except VersionRefusedError as error:
        messages.error(request, str(error))
    return redirect("labels", slug=slug)


def preparation_context(organiser_page: OrganiserPage) -> dict[str, Any]:
    prepared: list[tuple[Preparation, str]] = [
        (preparation_of(each), describe(each)) for each in versions_in_preparation(organiser_page.board)
    ]
    return {"prepared": prepared, "is_moving": any(not each.failure for each, _ in prepared)}


def _prepared(request: MemberRequest, slug: str, pk: int) -> tuple[OrganiserPage, LabelSet]:
    organiser_page = organise_at(request.user, slug)
    return organiser_page, get_object_or_404(organiser_page.board.label_sets, pk=pk)
