"""Who asks? A request of someone who is signed in, and where they go next."""

from __future__ import annotations

from django.http import HttpRequest

from toprung.web.core.models.people import User
from toprung.web.site.account.adapters import is_own_address


class MemberRequest(HttpRequest):
    """What a view behind ``login_required`` gets."""

    user: User


def next_address(request: HttpRequest) -> str:
    """Where the person wanted to go, if that is on this board; else nothing.

    Whole addresses alone: a single word would be taken for the name of a view, of which there may be none.
    """
    url = request.POST.get("next") or request.GET.get("next", "")
    return url if "/" in url and is_own_address(request, url) else ""
