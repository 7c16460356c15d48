"""Where does allauth do as this board needs? Redirects stay here, mail names the public address, names are checked."""

from __future__ import annotations

import logging
import smtplib
from http import HTTPStatus
from typing import Any, ClassVar
from urllib.parse import quote

from allauth.account.adapter import DefaultAccountAdapter
from allauth.core import context as allauth_context
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme

from toprung.errors import InputError
from toprung.web.core.addresses import address_of
from toprung.web.core.names import LONGEST, check_person_name
from toprung.web.services.mine.needs import find_landing
from toprung.web.services.people.login_links import came_by_organiser
from toprung.web.services.people.tokens import open_tokens, revoke_tokens
from toprung.web.services.people.trusting import NOT_CONFIRMED, note_owner
from toprung.web.site.account.guessing import FailuresAnywhere, bucket_of, remember_browser

logger = logging.getLogger(__name__)
OWNER_CAME = (
    "This account is yours now. What was set up in it before has ended: sessions, password, tokens and second step. "
    "Set a new password."
)


def is_own_address(request: HttpRequest, url: str) -> bool:
    """Whether a redirect there stays on this board, as the person reached it."""
    return url_has_allowed_host_and_scheme(url, allowed_hosts={request.get_host()}, require_https=request.is_secure())


def _address_in(credentials: dict[str, Any]) -> str:
    return str(credentials.get("email", ""))


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]  # allauth has no types
    """Accounts with address and password."""

    error_messages: ClassVar = DefaultAccountAdapter.error_messages | {
        "email_password_mismatch": "Found no account with this address and password; expected both as you set them.",
        "email_taken": "Found an address that has an account; expected another one. Is it yours? Then sign in.",
        "enter_current_password": "Found another password; expected the one you sign in with.",
        "incorrect_password": "Found another password; expected the one you sign in with.",
        "too_many_login_attempts": "Too many failed attempts; try again in a few minutes.",
        "rate_limited": "Too many attempts; try again in a few minutes.",
        "duplicate_email": "Found the address you have already; expected a new one.",
    }

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        return bucket_of(request, _address_in(credentials))

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Failures are counted where they come from and, but for browsers that are known, for the account."""
        super().pre_authenticate(request, **credentials)
        self._anywhere = FailuresAnywhere(request, _address_in(credentials))
        if not self._anywhere.is_room_left:
            raise self.validation_error("too_many_login_attempts")

    def authenticate(self, request: HttpRequest, **credentials: Any) -> Any:
        user = super().authenticate(request, **credentials)
        if user:
            self._anywhere.take_back()
        return user

    def post_login(self, request: HttpRequest, user: Any, **options: Any) -> HttpResponse:
        """Tokens end that were made after an organiser's link, once somebody comes without one."""
        if user.waits_for_owner and not came_by_organiser(request):
            revoke_tokens(open_tokens(user).filter(ends_with_own_login=True))
        response: HttpResponse = super().post_login(request, user, **options)
        remember_browser(response, user.email)
        return response

    def confirm_email(self, request: HttpRequest, email_address: Any) -> bool:
        """Who confirms the address of an account that organisers made is its owner."""
        user = email_address.user
        is_here = request.user == user  # looked at first: the sessions of the account end with its password
        is_confirmed: bool = super().confirm_email(request, email_address)
        if is_confirmed and email_address.email.lower() == user.email.lower() and note_owner(user):
            messages.info(request, OWNER_CAME)
            if is_here:
                update_session_auth_hash(request, user)
        return is_confirmed

    def is_safe_url(self, url: str) -> bool:
        """Only this host: not the others that the server answers to, such as localhost."""
        return is_own_address(allauth_context.request, url)

    def get_login_redirect_url(self, request: HttpRequest) -> str:
        """Where there is something to do."""
        return find_landing(request.user) if request.user.is_authenticated else reverse("home")

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:  # noqa: ARG002 - allauth calls it so
        return reverse("account")

    def get_reset_password_from_key_url(self, key: str) -> str:
        path = reverse("account_reset_password_from_key", kwargs={"uidb36": "UID", "key": "KEY"})
        return settings.ENVIRONMENT.public_url + path.replace("UID-KEY", quote(key))

    def get_email_confirmation_url(self, request: HttpRequest, emailconfirmation: Any) -> str:  # noqa: ARG002 - as above
        return address_of("account_confirm_email", emailconfirmation.key)

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """As allauth does, with the public address; a mail server that is down is said, whoever the mail was for."""
        try:
            super().send_mail(template_prefix, email, {"public_url": settings.ENVIRONMENT.public_url} | context)
        except (smtplib.SMTPException, OSError) as error:
            logger.warning("The mail server took no mail: %s", type(error).__name__)  # no address, no content
            page = render(allauth_context.request, "account/mail_failed.html", status=HTTPStatus.SERVICE_UNAVAILABLE)
            raise ImmediateHttpResponse(page) from None


class MFAAdapter(DefaultMFAAdapter):  # type: ignore[misc]  # allauth has no types
    """The second step."""

    error_messages: ClassVar = DefaultMFAAdapter.error_messages | {
        "incorrect_code": "Found another code; expected the one your app shows now, or an unused recovery code.",
        "unverified_email": "Found an address that is not confirmed; confirm it first.",
        "add_email_blocked": "Found a second step that is on; turn it off to change the address.",
    }


class SocialAccountAdapter(DefaultSocialAccountAdapter):  # type: ignore[misc]  # allauth has no types
    """Accounts with another service."""

    error_messages: ClassVar = DefaultSocialAccountAdapter.error_messages | {
        "email_taken": "Found an address that has an account; sign in there, and connect %s on your account page.",
        "no_password": "Found no password; set one first, else you could not sign in any more.",
        "disconnect_last": "Found no other way to sign in; set a password first.",
    }

    def pre_social_login(self, request: HttpRequest, sociallogin: Any) -> None:  # noqa: ARG002 - as above
        """Whoever came by an organiser's link must not leave another way in before the owner comes."""
        if request.user.is_authenticated and request.user.waits_for_owner:
            messages.error(request, NOT_CONFIRMED)
            raise ImmediateHttpResponse(redirect("socialaccount_connections"))

    def populate_user(self, request: HttpRequest, sociallogin: Any, data: dict[str, Any]) -> Any:
        """The name as the service tells it, if it can stand here; else the form asks."""
        user = super().populate_user(request, sociallogin, data)
        told = data.get("name") or " ".join(filter(None, (data.get("first_name"), data.get("last_name"))))
        try:
            user.name = check_person_name(str(told)[:LONGEST])
        except InputError:
            user.name = ""
        return user

    def get_signup_form_initial_data(self, sociallogin: Any) -> dict[str, Any]:
        initial: dict[str, Any] = super().get_signup_form_initial_data(sociallogin)
        return initial | {"name": sociallogin.user.name}

    def is_auto_signup_allowed(self, request: HttpRequest, sociallogin: Any) -> bool:
        """Who has no name yet is asked for one."""
        return bool(sociallogin.user.name) and super().is_auto_signup_allowed(request, sociallogin)

    def get_connect_redirect_url(self, request: HttpRequest, socialaccount: Any) -> str:  # noqa: ARG002 - as above
        return reverse("account")
