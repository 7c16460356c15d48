"""Who asks? The person whose token it is, with the rights that it gives, or anybody; never who is signed in by cookie.

What a token may do: `read` to look, `submit` to send and change, `organise` to see what organisers see, `judge` to
answer pairs. Without a token one sees what everyone sees. A token that does not work is refused also for what everyone
sees: whoever sends one is to learn that it does not work.
"""

from __future__ import annotations

from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest
from ninja.security import HttpBearer

from toprung.web.api.errors import ApiError, unknown_caller
from toprung.web.api.limits import count
from toprung.web.core.access.rights import Person
from toprung.web.core.models.people import ApiToken, Scope, User
from toprung.web.services.people.tokens import find_token, note_use, person_of

JSON, BYTES = "application/json", "application/octet-stream"
TOKENS_PAGE = "Make one at /account/tokens/."


@dataclass(frozen=True, kw_only=True)
class Caller:
    """Who asks, and with what."""

    person: Person
    token: ApiToken | None

    @property
    def user(self) -> User:
        """Of a route that needs a token."""
        if not isinstance(self.person, User):
            raise unknown_caller(f"Found no token; expected one. {TOKENS_PAGE}")
        return self.person


class ApiRequest(HttpRequest):
    """What a route gets."""

    auth: Caller


class Bearer(HttpBearer):
    """`Authorization: Bearer trt_…`: a token of a person, made on the page of their account."""

    def __init__(self, *scopes: Scope, is_needed: bool, takes: str = "") -> None:
        """``takes``: the type of the body that is expected, where there is one."""
        super().__init__()
        self.scopes, self.is_needed, self.takes = scopes, is_needed, takes

    def __call__(self, request: HttpRequest) -> Caller:
        caller = self._find_caller(request)
        self._check_scopes(caller)
        self._check_body(request)
        return caller

    def authenticate(self, request: HttpRequest, token: str) -> Caller:
        found = find_token(token)
        if found is None:
            count(request, "api_refused")
            raise unknown_caller(
                f"Found a token that does not work: unknown, ended, revoked, or of a team that was left. {TOKENS_PAGE}"
            )
        count(request, "api", key=f"token {found.pk}")
        note_use(found)
        return Caller(person=person_of(found), token=found)

    def _find_caller(self, request: HttpRequest) -> Caller:
        header = request.headers.get("Authorization")
        if header is not None:
            kind, _, token = header.strip().partition(" ")
            if kind.lower() != self.openapi_scheme:
                raise unknown_caller("Found another kind of authorization; expected 'Bearer' and a token.")
            return self.authenticate(request, token.strip())
        count(request, "api_anonymously")
        if self.is_needed:
            raise unknown_caller(f"Found no token; expected one in the header Authorization. {TOKENS_PAGE}")
        return Caller(person=AnonymousUser(), token=None)

    def _check_scopes(self, caller: Caller) -> None:
        if caller.token is None:
            return
        missing = [scope.value for scope in self.scopes if scope not in caller.token.scopes]
        if missing:
            raise ApiError(
                HTTPStatus.FORBIDDEN,
                f"Found a token without the scope {' and '.join(missing)}; expected one with it. {TOKENS_PAGE}",
            )

    def _check_body(self, request: HttpRequest) -> None:
        if not self.takes:
            return
        if request.headers.get("Content-Encoding", "identity").lower() != "identity":
            raise ApiError(
                HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
                "Found a body with a content encoding; expected it as it is. A run file itself may be packed.",
            )
        if request.content_type != self.takes:
            raise ApiError(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, f"Found another type of content; expected {self.takes}.")


def looking() -> dict[str, Any]:
    """For routes that everyone may ask."""
    return {"auth": Bearer(Scope.READ, is_needed=False), "openapi_extra": {"security": [{}]}}


def reading_own() -> dict[str, Any]:
    """For routes that show what is one's own."""
    return {"auth": Bearer(Scope.READ, is_needed=True)}


def changing(takes: str = "") -> dict[str, Any]:
    return {"auth": Bearer(Scope.SUBMIT, is_needed=True, takes=takes)}


def organising() -> dict[str, Any]:
    return {"auth": Bearer(Scope.READ, Scope.ORGANISE, is_needed=True)}


def judging(takes: str = "") -> dict[str, Any]:
    """For routes of who was invited to judge."""
    return {"auth": Bearer(Scope.JUDGE, is_needed=True, takes=takes)}
