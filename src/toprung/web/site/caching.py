"""What may a browser or a proxy keep? Nothing that was made for someone who is signed in.

Such a page may show what others may not see, and it must be gone from the machine when they sign out.
"""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponseBase

from toprung.web.core.access.kept_copies import keep_nowhere

type Answer = Callable[[HttpRequest], HttpResponseBase]


def keep_no_private_pages(get_response: Answer) -> Answer:
    """Middleware, behind the one that says who asks."""

    def answer(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        # A view that did not ask who it is made a page for everyone, and the cookie is not read for it either.
        if request.session.accessed and request.user.is_authenticated:
            keep_nowhere(response)
        return response

    return answer
