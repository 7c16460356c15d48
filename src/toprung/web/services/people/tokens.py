"""How does a program act for a person? With a token: made by them, shown once, found again by its digest."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterable
from datetime import timedelta

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.http import Http404
from django.utils import timezone

from toprung.errors import InputError
from toprung.web.core.access.rights import TokenRights
from toprung.web.core.models.people import ApiToken, Scope, Team, User, digest_of

BEGINNING = "trt_"
SECRET_BYTES = 32
SHOWN_LETTERS = 4
FORM = re.compile(rf"{BEGINNING}[A-Za-z0-9_-]{{43}}")
DEFAULT_DAYS, MOST_DAYS = 90, 365
MOST_OPEN = 20
"""Tokens of a person that work at the same time."""
NOTED_EVERY = timedelta(minutes=1)
"""How often the last use is written: a program that asks all the time does not write all the time."""


class TokenRefusedError(InputError):
    """No token was made, and why."""


def make_token(
    user: User,
    *,
    name: str,
    scopes: Iterable[Scope],
    team: Team | None = None,
    days: int = DEFAULT_DAYS,
    ends_with_own_login: bool = False,
) -> tuple[ApiToken, str]:
    """The token, and its secret, which is told once."""
    if not 1 <= days <= MOST_DAYS:
        raise TokenRefusedError(f"Found {days} days; expected 1 to {MOST_DAYS}.")
    secret = BEGINNING + secrets.token_urlsafe(SECRET_BYTES)
    with transaction.atomic():
        held = User.objects.select_for_update(no_key=True).get(pk=user.pk)  # counts and adds one at a time
        if held.password != user.password:  # the session ended while this request was on its way
            raise TokenRefusedError("Found a password that was changed a moment ago; sign in again.")
        if open_tokens(user).count() >= MOST_OPEN:
            raise TokenRefusedError(f"Found {MOST_OPEN} tokens that work; expected fewer. Revoke one first.")
        token = ApiToken.objects.create(
            user=user,
            team=team,
            name=name,
            scopes=[scope.value for scope in Scope if scope in set(scopes)],
            prefix=secret[: len(BEGINNING) + SHOWN_LETTERS],
            digest=digest_of(secret),
            expires_at=timezone.now() + timedelta(days=days),
            ends_with_own_login=ends_with_own_login,
        )
    return token, secret


def open_tokens(user: User) -> QuerySet[ApiToken]:
    return _working().filter(user=user)


def find_token(secret: str) -> ApiToken | None:
    """The token while it works.

    It is looked up by its digest, so how long that takes tells nothing of any secret that is close.
    """
    if not FORM.fullmatch(secret):
        return None
    return _working().select_related("user", "team").filter(digest=digest_of(secret)).first()


def _working() -> QuerySet[ApiToken]:
    """Neither ended nor revoked, not of a closed account, nor of a team that the person left."""
    is_in_team = Q(team=None) | Q(team__membership__user_id=F("user_id"))
    return ApiToken.objects.filter(is_in_team, user__is_active=True, revoked_at=None, expires_at__gt=timezone.now())


def person_of(token: ApiToken) -> User:
    """The person, with those of their rights that the token gives."""
    user = token.user
    user.token_rights = TokenRights(scopes=frozenset(map(Scope, token.scopes)), team_id=token.team_id)
    return user


def note_use(token: ApiToken) -> None:
    now = timezone.now()
    if token.last_used_at is None or now - token.last_used_at >= NOTED_EVERY:
        ApiToken.objects.filter(pk=token.pk).update(last_used_at=now)


def get_token_for_owner(user: User, pk: int) -> ApiToken:
    token = user.api_tokens.filter(pk=pk).first()
    if token is None:
        raise Http404("There is no such token.")
    return token


def revoke_token(token: ApiToken) -> None:
    revoke_tokens(ApiToken.objects.filter(pk=token.pk))


def revoke_tokens(tokens: QuerySet[ApiToken]) -> None:
    """From now on they do not work; they stay in the list, so that their owner sees when each was used last."""
    tokens.filter(revoked_at=None).update(revoked_at=timezone.now())
