"""How often may a program ask? Counted by token, or by address where there is none; limits stand in the settings."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from allauth.core.internal.ratelimit import get_rates
from django.http import HttpRequest

from toprung.web.api.errors import ApiError
from toprung.web.core.access.rate_limits import SETTINGS, is_within


def count(request: HttpRequest, action: str, *, key: str | None = None, user: Any = None) -> None:
    """Count this request; 429 with the time to wait where there were too many."""
    if not is_within(request, action, key=key, user=user):
        rates = get_rates(app=SETTINGS, action=action)
        wait = max(int(rate.duration) for rate in rates)
        detail = f"Found more requests than are answered; expected at most {rates[0].amount:,} in {wait:,} seconds."
        raise ApiError(HTTPStatus.TOO_MANY_REQUESTS, detail, headers={"Retry-After": str(wait)})
