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
    """The next version of a set: checked as the labels of a new board are, then prepared in the background."""
    organiser_page = organise_at(request.user, slug)
    current = organiser_page.board.label_sets.filter(is_current=True).order_by("pk")
    form = PublishLabelsForm(current, request.POST or None, request.FILES or None)
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
    data, file = form.cleaned_data, form.cleaned_data["file"]
    plan = plan_version(data["set"], path_of(file), shown_name(file.name))
    try:
        return publish(
            organiser_page.board,
            data["set"],
            plan,
            changes=data["changes"],
            source=data["source"],
            by=organiser_page.user,
        )
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
