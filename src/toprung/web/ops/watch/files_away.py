"""What is answered where the store of the files does not answer? That nothing was stored, and to come back."""

from __future__ import annotations

import logging
from http import HTTPStatus

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render

from toprung.web.core.store.files import FilesAwayError
from toprung.web.ops.watch.requests import Answer

logger = logging.getLogger(__name__)
SECONDS = "60"
SENTENCE = "Found the store of the files away; expected it to answer. Nothing was stored half; try again in a while."


class SayFilesAreAway:
    """Middleware."""

    def __init__(self, get_response: Answer) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if not isinstance(exception, FilesAwayError):
            return None
        logger.error("The store of the files is away: %s", exception)
        status = HTTPStatus.SERVICE_UNAVAILABLE
        if request.path.startswith("/api/"):
            answer: HttpResponse = JsonResponse({"detail": SENTENCE}, status=status)
        else:
            answer = render(request, "503.html", {"title": "Files are away", "sentence": SENTENCE}, status=status)
        answer.headers["Retry-After"] = SECONDS
        return answer
