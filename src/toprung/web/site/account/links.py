"""How does a login link let someone in? Opening it shows a button; the button uses it up."""

from __future__ import annotations

from http import HTTPStatus

from allauth.account.utils import perform_login
from django.contrib import messages
from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from toprung.web.core.models.people import User
from toprung.web.services.mine.needs import find_landing
from toprung.web.services.people.login_links import record_login_by_link, use_login_link, user_of

SET_ONE = "You have no password yet: set one on your account page, so that you can sign in again."


@never_cache
@require_http_methods(["GET", "POST"])
def log_in_by_link(request: HttpRequest, token: str) -> HttpResponse:
    """The link stands in for the password only: a second factor is still asked for."""
    if request.method == "POST":
        link = use_login_link(token)
        if link is None:
            return _say_gone(request)
        user = link.user
        if request.user.is_authenticated:
            logout(request)
        record_login_by_link(request, link)
        response: HttpResponse = perform_login(request, user, email_verification="none", redirect_url=_landing(user))
        if not user.has_usable_password():
            messages.info(request, SET_ONE)
        return response
    person = user_of(token)
    if person is None:
        return _say_gone(request)
    return render(request, "accounts/login_link.html", {"person": person})


def _landing(user: User) -> str:
    """What waits for them; who has neither that nor a password sets one."""
    to = find_landing(user)
    return reverse("account") if to == reverse("home") and not user.has_usable_password() else to


def _say_gone(request: HttpRequest) -> HttpResponse:
    return render(request, "accounts/login_link_gone.html", status=HTTPStatus.NOT_FOUND)
