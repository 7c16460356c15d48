"""How often may something be done? Counted in the cache for all processes; the limits stand in the settings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from allauth.decorators import rate_limit
from django.http import HttpResponse

type View = Callable[..., HttpResponse]


def limit(action: str) -> Callable[[View], View]:
    """Answer 429 to whoever posts more often than ``ACCOUNT_RATE_LIMITS[action]`` allows."""
    decorate: Any = rate_limit(action=action)

    def limited(view: View) -> View:
        wrapped: View = decorate(view)
        return wrapped

    return limited
