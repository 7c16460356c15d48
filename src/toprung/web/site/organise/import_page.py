"""What of the past can come onto a board? A published leaderboard here; run files from the command line."""

from __future__ import annotations

from http import HTTPStatus

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from toprung.data.run_card import card_fields
from toprung.errors import InputError
from toprung.web.services.boards import history
from toprung.web.services.runs.card_form import asked_names
from toprung.web.services.runs.receive import shown_name
from toprung.web.services.shown.organiser import organise_at
from toprung.web.site.account.requests import MemberRequest
from toprung.web.site.organise.files_form import path_of
from toprung.web.site.organise.forms import HistoryForm
from toprung.words.wording import say_count


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def import_history(request: MemberRequest, slug: str) -> HttpResponse:
    organiser_page = organise_at(request.user, slug)
    form = HistoryForm(request.POST, request.FILES) if request.method == "POST" else HistoryForm()
    if request.method == "POST" and form.is_valid():
        file = form.cleaned_data["file"]
        try:
            found = history.read_history(
                path_of(file), file_name=shown_name(file.name), score_column=form.cleaned_data["score_column"]
            )
        except InputError as error:
            form.add_error("file", str(error))
        else:
            history.import_history(organiser_page.board, found, by=request.user)
            entries = say_count(len(found.entries), "entry", "entries")
            messages.success(request, f"{entries} are on the page of history now, as scores alone.")
            return redirect("import_runs", slug=slug)
    status = HTTPStatus.OK if request.method == "GET" else HTTPStatus.UNPROCESSABLE_ENTITY
    context = organiser_page.frame("import_runs") | {
        "form": form,
        "history": organiser_page.viewer.result(history.KIND),
        "columns": ", ".join(_columns_of_cards()),
    }
    return render(request, "organise/import.html", context, status=status)


def _columns_of_cards() -> list[str]:
    """As metadata files call what a card says beside the name, in the order of the form."""
    columns = {each.name: each.columns[0] for each in card_fields()}
    return [columns[name] for name in asked_names() if name != "name"]


@login_required
@require_POST
def forget_history(request: MemberRequest, slug: str) -> HttpResponse:
    organiser_page = organise_at(request.user, slug)
    if history.forget_history(organiser_page.board, by=request.user):
        messages.success(request, "The entries are off the page of history; the audit log says so.")
    return redirect("import_runs", slug=slug)
