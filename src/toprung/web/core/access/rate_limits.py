"""How often may something be done? Counted in the cache for all processes; the limits stand in the settings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from allauth.core.internal.ratelimit import consume  # the public one does not count reading
from allauth.decorators import rate_limit
from django.http import HttpRequest, HttpResponse

type View = Callable[..., HttpResponse]
SETTINGS = "allauth.account"
"""Whose limits those of all pages and of the API stand among."""


def limit(action: str) -> Callable[[View], View]:
    """Answer 429 to whoever posts more often than ``ACCOUNT_RATE_LIMITS[action]`` allows."""
    decorate: Any = rate_limit(action=action)

    def limited(view: View) -> View:
        wrapped: View = decorate(view)
        return wrapped

    return limited


def is_within(request: HttpRequest, action: str, *, key: str | None = None, user: Any = None) -> bool:
    """Count this request, whether it reads or posts; False where there were too many."""
    return bool(consume(request, app=SETTINGS, action=action, key=key, user=user, limit_get=True))
