"""How does an organiser void a claim? In public, with a reason; the claim itself stays on record."""

from __future__ import annotations

from http import HTTPStatus

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from toprung.web.services.claims import void as voiding
from toprung.web.services.shown.organiser import organise_at
from toprung.web.site.account.requests import MemberRequest
from toprung.web.site.organise.forms import ReasonForm


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def void_claim(request: MemberRequest, slug: str, number: int) -> HttpResponse:
    organiser_page = organise_at(request.user, slug)
    claims = organiser_page.board.claims.select_related("submission__team", "holder", "board")
    claim = get_object_or_404(claims, number=number)
    form = ReasonForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            voiding.void_claim(claim, reason=form.cleaned_data["reason"], by=request.user)
        except voiding.VoidRefusedError as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, f"Claim {number} is void; its reason stands beside it for everyone.")
            return redirect("history", slug=slug)
    status = HTTPStatus.OK if request.method == "GET" else HTTPStatus.UNPROCESSABLE_ENTITY
    context = organiser_page.frame("history") | {
        "claim": claim,
        "form": form,
        "holds_the_rung": organiser_page.board.holder_id == claim.submission_id,
    }
    return render(request, "organise/void_claim.html", context, status=status)
