"""How is the card of a run edited? By its team; what it said before stays on its page."""

from __future__ import annotations

from http import HTTPStatus

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from toprung.web.core.access.boards import get_submission_for_team
from toprung.web.services.runs.card_form import CardForm, initial_of
from toprung.web.services.runs.edit import edit_card
from toprung.web.services.runs.submit import SubmissionRefusedError
from toprung.web.site.account.requests import MemberRequest


@login_required
@never_cache
@require_http_methods(["GET", "POST"])
def edit_run(request: MemberRequest, slug: str, label: str) -> HttpResponse:
    submission = get_submission_for_team(request.user, slug, label)
    card = submission.card
    posted = request.POST if request.method == "POST" else None
    form = CardForm(posted, board=submission.board, of=submission, initial=initial_of(card))
    if posted is not None and form.is_valid():
        try:
            edit = edit_card(submission, form.card(card), by=request.user)
        except SubmissionRefusedError as refused:
            form.add_error(None, str(refused))
        else:
            messages.success(
                request, "Nothing was changed." if edit is None else "The change is on the page of the run."
            )
            return redirect("run", slug=slug, label=label)
    status = HTTPStatus.UNPROCESSABLE_ENTITY if form.errors else HTTPStatus.OK
    context = {"board": submission.board, "run": submission, "form": form}
    return render(request, "submissions/edit.html", context, status=status)
