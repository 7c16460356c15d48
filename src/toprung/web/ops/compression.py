"""Which answers are sent packed? Pages, drawings and tables that are made here; static files are packed beforehand.

A page holds secrets (the token against forged forms) beside what the address may repeat (a search). Django masks the
token anew in every page, and the middleware adds a name of random length to each packed answer: see docs/security.md.
"""

from __future__ import annotations

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware

from toprung.web.core.access.kept_copies import is_sent_as_it_is

PACKED = ("text/", "image/svg+xml", "application/json", "application/atom+xml")
"""By the beginning of their type. Runs, label files and pictures are packed already, or sent in pieces."""


class CompressPages(GZipMiddleware):
    """As Django's, for what is worth it; an answer in pieces, or not to be changed, is passed on as it comes."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        is_worth_it = response.headers.get("Content-Type", "").startswith(PACKED)
        if response.streaming or is_sent_as_it_is(response) or not is_worth_it:
            return response
        return super().process_response(request, response)
