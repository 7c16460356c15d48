"""Who asks, and is it a page that follows something? A request with what htmx says of it."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django_htmx.http import HttpResponseClientRefresh
from django_htmx.middleware import HtmxDetails

from toprung.web.site.account.requests import MemberRequest


class LiveRequest(MemberRequest):
    """What a view behind ``live_login_required`` gets: it answers with a part of a page too."""

    htmx: HtmxDetails


def live_login_required(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """As ``login_required``; a page that follows something loads anew, or the login would appear in a part of it."""
    for_members = login_required(view)

    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.headers.get("HX-Request") and not request.user.is_authenticated:
            return HttpResponseClientRefresh()
        return for_members(request, *args, **kwargs)

    return answer
