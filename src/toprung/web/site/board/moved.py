"""Where did a page go? Addresses that were given out lead on for good, with what was asked for."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.urls import reverse
from django.views.decorators.http import require_safe

from toprung.web.core.access.boards import get_board_for_viewer


@require_safe
def lead_on(request: HttpRequest, slug: str, *, to: str, ending: str = "", place: str = "") -> HttpResponse:
    """To the page ``to``, or to its file with this ending, at this place of it; 404 for who may not see the board."""
    get_board_for_viewer(request.user, slug)
    address = reverse(to, args=[slug, ending] if ending else [slug])
    asked = request.META.get("QUERY_STRING", "")
    return HttpResponsePermanentRedirect(f"{address}{'?' if asked else ''}{asked}{'#' if place else ''}{place}")
