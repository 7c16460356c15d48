"""Who is what on this board? Roles given, changed and taken; login links and invitations handed out."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from toprung.web.core.access.rate_limits import limit
from toprung.web.core.models.boards import Role
from toprung.web.services.boards import roles as people
from toprung.web.services.boards import teams
from toprung.web.services.boards.roles import ConflictError, RoleRefusedError
from toprung.web.services.people.login_links import LinkRefusedError, give_login_link
from toprung.web.services.shown.organiser import OrganiserPage, organise_at
from toprung.web.site.account.requests import MemberRequest
from toprung.web.site.organise.forms import GiveRoleForm, RoleForm


@never_cache
@login_required
@limit("change_roles")
@require_http_methods(["GET", "POST"])
def show_people(request: MemberRequest, slug: str) -> HttpResponse:
    """The list, and the form that gives a role."""
    organiser_page = organise_at(request.user, slug)
    form = GiveRoleForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        role, reason = Role(form.cleaned_data["role"]), form.cleaned_data["reason"]
        email = form.cleaned_data["email"]
        try:
            given = people.give_role(organiser_page.board, email, role, by=request.user, reason=reason)
        except ConflictError as error:
            conflict = {"url": request.path, "email": email, "role": role.value, "says": str(error)}
            return _show(request, organiser_page, conflict=conflict)
        except RoleRefusedError as error:
            form.add_error("email", str(error))
        else:
            messages.success(request, f"{given.user} is {given.get_role_display()} now.")
            return redirect("people", slug=slug)
    return _show(request, organiser_page, form=form)


@login_required
@limit("change_roles")
@require_POST
def change_role(request: MemberRequest, slug: str, pk: int) -> HttpResponse:
    organiser_page = organise_at(request.user, slug)
    role, form = get_object_or_404(organiser_page.board.roles, pk=pk), RoleForm(request.POST)
    if not form.is_valid():
        messages.error(request, " ".join(str(error) for errors in form.errors.values() for error in errors))
        return redirect("people", slug=slug)
    to = Role(form.cleaned_data["role"])
    try:
        changed = people.change_role(role, to, by=request.user, reason=form.cleaned_data["reason"])
    except ConflictError as error:
        conflict = {"url": request.path, "role": to.value, "says": str(error)}
        return _show(request, organiser_page, conflict=conflict)
    except RoleRefusedError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, f"{changed.user} is {changed.get_role_display()} now.")
    return _back(request, organiser_page)


@login_required
@limit("change_roles")
@require_POST
def remove_role(request: MemberRequest, slug: str, pk: int) -> HttpResponse:
    organiser_page = organise_at(request.user, slug)
    role = get_object_or_404(organiser_page.board.roles.select_related("user"), pk=pk)
    try:
        people.remove_role(role, by=request.user)
    except RoleRefusedError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, f"{role.user} has no role here any more.")
    return _back(request, organiser_page)


@never_cache
@login_required
@limit("change_roles")
@require_POST
def give_link(request: MemberRequest, slug: str, pk: int) -> HttpResponse:
    """Shown once, on the page that answers: nothing keeps it."""
    organiser_page = organise_at(request.user, slug)
    role = get_object_or_404(organiser_page.board.roles.select_related("user"), pk=pk)
    try:
        link = give_login_link(role.user, by=request.user, board=organiser_page.board)
    except LinkRefusedError as error:
        messages.error(request, str(error))
        return redirect("people", slug=slug)
    return _show(request, organiser_page, link=_absolute(link), link_for=str(role.user), link_kind="login")


@login_required
@require_POST
def approve_team(request: MemberRequest, slug: str, team: str) -> HttpResponse:
    """With the people whom the page showed, and with no others."""
    organiser_page = organise_at(request.user, slug)
    asking = {each.team.slug: each.team for each in teams.teams_that_ask(organiser_page.board)}
    if team not in asking:
        raise Http404("There is no such team, or it does not ask.")
    shown = {int(number[:18]) for number in request.POST.getlist("person") if number.isdecimal()}
    approved = teams.approve_team(organiser_page.board, asking[team], shown, by=request.user)
    who = ", ".join(map(str, approved)) or "nobody"
    messages.success(request, f"{asking[team]} may submit by {who}.")
    return redirect("people", slug=slug)


@never_cache
@login_required
@require_POST
def invite_to_team(request: MemberRequest, slug: str, team: str) -> HttpResponse:
    """For the first person of a team that came with imported runs."""
    organiser_page = organise_at(request.user, slug)
    found = get_object_or_404(people.teams_without_members(organiser_page.board), slug=team)
    try:
        secret = people.invite_to_team(organiser_page.board, found, by=request.user)
    except RoleRefusedError as error:
        messages.error(request, str(error))
        return redirect("people", slug=slug)
    link = _absolute(reverse("join_team", args=[secret]))
    return _show(request, organiser_page, link=link, link_for=found.name, link_kind="invitation")


def _show(
    request: MemberRequest, organiser_page: OrganiserPage, *, form: GiveRoleForm | None = None, **more: Any
) -> HttpResponse:
    context = organiser_page.frame("people") | {
        "form": form or GiveRoleForm(),
        "roles": people.roles_of(organiser_page.board),
        "all_roles": Role.choices,
        "asking": teams.teams_that_ask(organiser_page.board),
        "teams": people.teams_without_members(organiser_page.board),
    }
    is_refused = "conflict" in more or (form is not None and bool(form.errors))
    status = HTTPStatus.UNPROCESSABLE_ENTITY if is_refused else HTTPStatus.OK
    return render(request, "organise/people/page.html", context | more, status=status)


def _back(request: MemberRequest, organiser_page: OrganiserPage) -> HttpResponse:
    """Who took their own role has no more business here."""
    still = organiser_page.board.roles.filter(user=request.user, role=Role.ORGANISER).exists()
    return redirect("people", slug=organiser_page.board.slug) if still else redirect("home")


def _absolute(path: str) -> str:
    return f"{settings.ENVIRONMENT.public_url}{path}"
