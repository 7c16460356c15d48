"""Is a label wrong? A form beside a public query, and the page where organisers answer."""

from __future__ import annotations

from http import HTTPStatus

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import F
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from toprung.errors import InputError
from toprung.web.core.access.reasons import LONGEST, SHORTEST
from toprung.web.core.access.texts import public_queries
from toprung.web.core.access.viewer import get_viewer
from toprung.web.core.store import texts
from toprung.web.services.query.report import answer_report, report_label
from toprung.web.services.shown.organiser import organise_at
from toprung.web.site.account.requests import MemberRequest
from toprung.web.site.organise.board_form import TEXT

REPORTS_SHOWN = 200


class ReportForm(forms.Form):
    """What looks wrong, and why."""

    why = forms.CharField(
        label="What looks wrong, and why?",
        max_length=LONGEST,
        widget=forms.Textarea(attrs={"rows": 3, "minlength": SHORTEST}),
        error_messages=TEXT,
    )


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def report_query(request: MemberRequest, slug: str) -> HttpResponse:
    """Of one public query; there is no such page for any other."""
    viewer = get_viewer(request.user, slug)
    query_id = request.GET.get("query", "")
    if not public_queries(viewer.board, [query_id]):
        raise Http404("There is no such public query.")
    form = ReportForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            report_label(viewer.board, query_id, form.cleaned_data["why"], by=request.user)
        except InputError as error:
            form.add_error("why", str(error))
        else:
            messages.success(request, "Your report waits for the organisers; their answer will stand on this page.")
            return redirect("queries", slug=slug)
    question = texts.queries(viewer.board, [query_id], only_offered=True).get(query_id, "")
    context = viewer.frame("queries") | {"form": form, "query_id": query_id, "question": question}
    status = HTTPStatus.OK if request.method == "GET" else HTTPStatus.UNPROCESSABLE_ENTITY
    return render(request, "queries/report.html", context, status=status)


@never_cache
@login_required
@require_safe
def list_reports(request: MemberRequest, slug: str) -> HttpResponse:
    organiser_page = organise_at(request.user, slug)
    in_turn = (F("answered_at").desc(nulls_first=True), "at", "pk")
    reports = organiser_page.board.reported_labels.select_related("user").order_by(*in_turn)
    shown = list(reports[:REPORTS_SHOWN])
    said = texts.queries(organiser_page.board, [each.query_id for each in shown])
    context = organiser_page.frame("reported_labels") | {
        "reports": [(each, said.get(each.query_id, "")) for each in shown],
        "n_waiting": reports.filter(answered_at=None).count(),
    }
    return render(request, "queries/reports.html", context)


@login_required
@require_POST
def answer(request: MemberRequest, slug: str, pk: int) -> HttpResponse:
    organiser_page = organise_at(request.user, slug)
    report = get_object_or_404(organiser_page.board.reported_labels, pk=pk)
    try:
        answer_report(report, request.POST.get("answer", ""), by=request.user)
    except InputError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, "Its sender reads your answer on the page Queries.")
    return redirect("reported_labels", slug=slug)
