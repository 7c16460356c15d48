"""How is a run withdrawn? By its team, after a page that says what goes and what stays."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from toprung.web.core.access.boards import get_submission_for_team
from toprung.web.services.claims.withdraw import WithdrawalRefusedError, withdraw
from toprung.web.site.account.requests import MemberRequest


@login_required
@never_cache
@require_http_methods(["GET", "POST"])
def withdraw_run(request: MemberRequest, slug: str, label: str) -> HttpResponse:
    submission = get_submission_for_team(request.user, slug, label)
    if request.method == "POST":
        try:
            withdraw(submission, by=request.user)
        except WithdrawalRefusedError as refused:
            messages.error(request, str(refused))
        else:
            messages.success(request, f"{submission.run_id} was withdrawn.")
        return redirect("run", slug=slug, label=label)
    context = {
        "board": submission.board,
        "run": submission,
        "holds_rung": submission.board.holder_id == submission.pk,
        "has_claim": submission.shown_score is not None
        and submission.board.claims.filter(submission=submission).exists(),
    }
    return render(request, "submissions/withdraw.html", context)
