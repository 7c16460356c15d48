"""How does a person come into a team? By a link that an owner hands over or has mailed, and that works once."""

from __future__ import annotations

from http import HTTPStatus

from allauth.account.adapter import get_adapter
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from toprung.web.core.access.rate_limits import limit
from toprung.web.core.models.people import Invitation, Team
from toprung.web.services.people import teams
from toprung.web.site.account.forms import InviteForm
from toprung.web.site.account.requests import MemberRequest


@login_required
@never_cache
@limit("invite")
@require_http_methods(["GET", "POST"])
def invite(request: MemberRequest, slug: str) -> HttpResponse:
    """Make a link: mailed where an address is given, else shown this once."""
    team = teams.get_team_for_owner(request.user, slug)
    form = InviteForm(request.POST if request.method == "POST" else None)
    if settings.ENVIRONMENT.mail is None:
        del form.fields["email"]
    link = ""
    if request.method == "POST" and form.is_valid():
        email = form.cleaned_data.get("email", "")
        invitation, secret = Invitation.invite(team, by=request.user, email=email)
        path = reverse("join_team", args=[secret])
        if email:
            _mail(request, team, invitation, settings.ENVIRONMENT.public_url + path)
            messages.success(request, f"An invitation was mailed to {email}.")
            return redirect(team)
        link = request.build_absolute_uri(path)
    return render(request, "accounts/invite.html", {"team": team, "form": form, "link": link})


@login_required
@require_POST
def withdraw_invitation(request: MemberRequest, slug: str, pk: int) -> HttpResponse:
    team = teams.get_team_for_owner(request.user, slug)
    teams.open_invitations(team).filter(pk=pk).delete()
    messages.success(request, "The invitation was withdrawn; its link no longer works.")
    return redirect(team)


@never_cache
@require_http_methods(["GET", "POST"])
def join_team(request: HttpRequest, secret: str) -> HttpResponse:
    """Opening the link says what it is; the button, for those who are signed in, joins."""
    invitation = teams.find_invitation(secret)
    if invitation is None:
        return render(request, "accounts/invitation_gone.html", status=HTTPStatus.NOT_FOUND)
    if request.method == "POST" and request.user.is_authenticated:
        try:
            membership = teams.join_team(secret, user=request.user)
        except teams.TeamRefusedError as error:
            messages.error(request, str(error))
            return redirect("account")
        if membership is None:
            return render(request, "accounts/invitation_gone.html", status=HTTPStatus.NOT_FOUND)
        messages.success(request, f"You are in {membership.team}.")
        return redirect(membership.team)
    return render(request, "accounts/join_team.html", {"invitation": invitation, "team": invitation.team})


def _mail(request: MemberRequest, team: Team, invitation: Invitation, link: str) -> None:
    get_adapter().send_mail(
        "accounts/mail/invitation",
        invitation.email,
        {"team": team, "invited_by": request.user, "link": link, "expires_at": invitation.expires_at},
    )
