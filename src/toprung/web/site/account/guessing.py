"""Who is guessing at a password? Counted so that a stranger is slowed and the owner is not kept out.

A browser in which somebody signed in to an account is known to it by a cookie that lets nobody in: its failures are
counted by themselves, so that whatever others try, the owner can sign in there. Of other browsers failures are counted
for each network address, and for the account as a whole, so that many addresses do not help.
"""

from __future__ import annotations

import hashlib
import secrets

from allauth.core.internal import ratelimit
from allauth.core.internal.httpkit import get_client_ip
from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponse

ACTION = "login_failed_anywhere"
KEPT_FOR = 365 * 24 * 3600
"""Seconds that a browser stays known."""
NONCE_BYTES = 12


def bucket_of(request: HttpRequest, address: str) -> str:
    """Under which name failures to sign in to this account are counted, as this request would be one."""
    known = _known_as(request, address)
    return f"browser:{known}" if known else f"from:{get_client_ip(request)}:{address.lower()}"


def remember_browser(response: HttpResponse, address: str) -> None:
    """From now on this browser is known to the account."""
    response.set_cookie(
        _cookie_of(address),
        signing.dumps(secrets.token_urlsafe(NONCE_BYTES), salt=_salt_of(address)),
        max_age=KEPT_FOR,
        path=settings.SESSION_COOKIE_PATH,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


class FailuresAnywhere:
    """One attempt, counted for the account as a failure until it is known not to be one."""

    def __init__(self, request: HttpRequest, address: str) -> None:
        self._counted = None
        self.is_room_left = True
        if _known_as(request, address) is None:
            self._counted = ratelimit.consume(request, app="allauth.account", action=ACTION, key=address.lower())
            self.is_room_left = bool(self._counted)

    def take_back(self) -> None:
        if self._counted:
            self._counted.rollback()


def _known_as(request: HttpRequest, address: str) -> str | None:
    """What the browser is counted as, if somebody signed in to this account there."""
    try:
        known: str = signing.loads(
            request.COOKIES.get(_cookie_of(address), ""), salt=_salt_of(address), max_age=KEPT_FOR
        )
    except signing.BadSignature:
        return None
    return known


def _cookie_of(address: str) -> str:
    """A name for each account, so that a browser may be known to several; it does not tell the address."""
    return f"known-{hashlib.sha256(_salt_of(address).encode()).hexdigest()[:16]}"


def _salt_of(address: str) -> str:
    return f"toprung.known_browser:{address.lower()}"
