"""How does a person let a program act for them? By a token: made here, shown once, revoked here."""

from __future__ import annotations

from http import HTTPStatus

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from toprung.web.core.access.rate_limits import limit
from toprung.web.services.people import tokens
from toprung.web.services.people.login_links import came_by_organiser
from toprung.web.site.account.recent_login import recent_login_required
from toprung.web.site.account.requests import MemberRequest
from toprung.web.site.account.token_form import TokenForm


@login_required
@never_cache
@require_http_methods(["GET", "POST"])
@recent_login_required
@limit("create_token")
def show_tokens(request: MemberRequest) -> HttpResponse:
    """The person's tokens; posting makes one, whose secret is on this answer and nowhere else."""
    form = TokenForm(request.POST if request.method == "POST" else None, user=request.user)
    made, secret = None, ""
    ends_with_own_login = request.user.waits_for_owner and came_by_organiser(request)
    if request.method == "POST" and form.is_valid():
        try:
            made, secret = tokens.make_token(
                request.user,
                name=form.cleaned_data["name"],
                scopes=form.scopes_chosen,
                team=form.team_chosen,
                days=form.cleaned_data["days"],
                ends_with_own_login=ends_with_own_login,
            )
        except tokens.TokenRefusedError as refused:
            form.add_error(None, str(refused))
    context = {
        "form": form,
        "made": made,
        "secret": secret,
        "ends_with_own_login": ends_with_own_login,
        "tokens": list(request.user.api_tokens.select_related("team")),
        "working": set(tokens.open_tokens(request.user).values_list("pk", flat=True)),
    }
    status = HTTPStatus.UNPROCESSABLE_ENTITY if form.errors else HTTPStatus.OK
    return render(request, "accounts/tokens.html", context, status=status)


@login_required
@require_POST
def revoke_token(request: MemberRequest, pk: int) -> HttpResponse:
    """At once, and without a password: whoever fears for a token is not kept waiting."""
    token = tokens.get_token_for_owner(request.user, pk)
    tokens.revoke_token(token)
    messages.success(request, f"{token.name} was revoked; nothing can be done with it any more.")
    return redirect("tokens")
