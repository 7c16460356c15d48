"""What is in a team, who is in it, and how does one found, own or leave it?"""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from toprung.web.core.access.rate_limits import limit
from toprung.web.core.access.rights import Person
from toprung.web.core.models.people import Team
from toprung.web.core.models.runs import Submission
from toprung.web.services.mine.find_runs import find_own_runs, tell_runs
from toprung.web.services.mine.own_runs import OwnRun
from toprung.web.services.people import leaving, teams
from toprung.web.site.account.forms import LeaveTeamForm, TeamForm
from toprung.web.site.account.requests import MemberRequest, next_address
from toprung.web.site.account.team_words import say_team


@login_required
@limit("create_team")
@require_http_methods(["GET", "POST"])
def create_team(request: MemberRequest) -> HttpResponse:
    form = TeamForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            team = teams.create_team(form.cleaned_data["name"], by=request.user)
        except teams.TeamRefusedError as error:
            form.add_error("name", str(error))
        else:
            messages.success(request, f"{team} was founded, and you own it.")
            return redirect(next_address(request) or team.get_absolute_url())
    return render(request, "accounts/create_team.html", {"form": form, "next": next_address(request)})


@require_safe
def show_team(request: HttpRequest, slug: str) -> HttpResponse:
    """For everyone what is public; for members everything of their own."""
    team = teams.get_team_for_viewer(request.user, slug)
    members = list(team.membership_set.select_related("user"))
    own = next((member for member in members if member.user_id == request.user.pk), None)
    runs = list(teams.runs_for_viewer(team, request.user))
    told = _tell(request.user, team, runs, is_own=own is not None)
    return render(
        request,
        "accounts/team.html",
        {
            "team": team,
            "members": members,
            "own": own,
            "runs": told,
            "sentence": say_team(team, runs, sum(each.may_be_best for each in told)),
            "invitations": teams.open_invitations(team) if own and own.is_owner else [],
        },
    )


def _tell(user: Person, team: Team, runs: list[Submission], *, is_own: bool) -> list[OwnRun]:
    """For members with what went wrong; for others what is on boards."""
    if is_own:
        return [each for each in find_own_runs(user) if each.team == team.name]
    return tell_runs(user, runs)


@login_required
@require_http_methods(["GET", "POST"])
def leave_team(request: MemberRequest, slug: str) -> HttpResponse:
    """The last owner says who owns the team next, or closes it."""
    membership = teams.get_membership(request.user, slug)
    others = leaving.others_to_own(membership)
    form = LeaveTeamForm(request.POST if request.method == "POST" else None, others=others) if others else None
    if request.method == "POST" and (form is None or form.is_valid()):
        try:
            leaving.leave_team(
                membership, heir=form.heir if form else None, closes=form is not None and form.heir is None
            )
        except teams.TeamRefusedError as error:
            messages.error(request, str(error))
            return redirect("leave_team", slug=slug)
        messages.success(request, f"You left {membership.team}.")
        return redirect("account")
    is_alone = membership.team.membership_set.count() == 1
    return render(request, "accounts/leave_team.html", {"team": membership.team, "form": form, "is_alone": is_alone})


@login_required
@require_http_methods(["GET", "POST"])
def remove_member(request: MemberRequest, slug: str, pk: int) -> HttpResponse:
    member = teams.get_member_for_owner(request.user, slug, pk)
    if request.method == "POST":
        leaving.remove_member(member)
        messages.success(request, f"{member.user} was removed from {member.team}.")
        return redirect(member.team)
    return render(request, "accounts/remove_member.html", {"team": member.team, "member": member})


@login_required
@require_POST
def make_owner(request: MemberRequest, slug: str, pk: int) -> HttpResponse:
    member = teams.get_member_for_owner(request.user, slug, pk)
    teams.make_owner(member)
    messages.success(request, f"{member.user} owns {member.team} too, and may invite and remove.")
    return redirect(member.team)
