"""What does a person see of their account, and how do they change or delete it?"""

from __future__ import annotations

import time

from allauth.account.authentication import get_authentication_records
from allauth.mfa.utils import is_mfa_enabled
from allauth.socialaccount.adapter import get_adapter as get_social_adapter
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from toprung.web.core.access.rate_limits import limit
from toprung.web.services.people.leaving import delete_account as delete_account_of
from toprung.web.services.people.leaving import duties_of
from toprung.web.services.people.notices import find_notices
from toprung.web.site.account.forms import DeleteAccountForm, NameForm
from toprung.web.site.account.requests import MemberRequest
from toprung.words.wording import say_count

LATELY = 10 * 60
"""Seconds since the login that stand in for a password where there is none."""


@login_required
@never_cache
@require_http_methods(["GET", "POST"])
def show_account(request: MemberRequest) -> HttpResponse:
    """The account page; posting changes the name."""
    form = NameForm(request.POST if request.method == "POST" else None, initial={"name": request.user.name})
    if request.method == "POST" and form.is_valid():
        request.user.name = form.cleaned_data["name"]
        request.user.save(update_fields=["name"])
        messages.success(request, "Your name was changed.")
        return redirect("account")
    memberships = list(request.user.membership_set.select_related("team").order_by("team__name"))
    roles = list(request.user.board_roles.select_related("board").order_by("board__title"))
    return render(
        request,
        "accounts/account.html",
        {
            "form": form,
            "memberships": memberships,
            "roles": roles,
            "on_boards": say_count(len(roles), "board"),
            "in_teams": say_count(len(memberships), "team") if memberships else "no team yet",
            "has_second_factor": is_mfa_enabled(request.user),
            "notices": find_notices(request.user),
            "providers": get_social_adapter().list_providers(request),
        },
    )


@login_required
@never_cache
@sensitive_post_parameters("password")
@limit("delete_account")
@require_http_methods(["GET", "POST"])
def delete_account(request: MemberRequest) -> HttpResponse:
    """Say what goes and what stays, ask for the password or a recent login, then forget the person."""
    form = DeleteAccountForm(request.POST if request.method == "POST" else None, user=request.user)
    duties = duties_of(request.user)
    must_sign_in = not request.user.has_usable_password() and not _signed_in_lately(request)
    if request.method == "POST" and not must_sign_in and form.is_valid():
        duties = delete_account_of(request.user)
        if not duties:
            logout(request)
            messages.success(request, "Your account was deleted. What you submitted stays on record.")
            return redirect("home")
    context = {
        "form": form,
        "duties": duties,
        "must_sign_in": must_sign_in,
        "runs": request.user.submissions.count(),
        "closing": _teams_that_close(request),
    }
    return render(request, "accounts/delete_account.html", context)


def _teams_that_close(request: MemberRequest) -> list[str]:
    """Teams with nobody else in them."""
    return [team.name for team in request.user.teams.all() if team.membership_set.count() == 1]


def _signed_in_lately(request: MemberRequest) -> bool:
    return any(time.time() - entry["at"] < LATELY for entry in get_authentication_records(request, request.user))
