"""May this be asked at all? No text has the character zero in it, and PostgreSQL refuses it: said here for all."""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus

from django.core.exceptions import BadRequest
from django.db import DataError
from django.http import HttpRequest, HttpResponse, JsonResponse

ZERO = "\x00"
IN_QUERY = "%00"
WHY = "Found the character zero; expected text."
API = "/api/"


class RefuseZeros:
    """Status 400 for an address, or a field that reached the database, with the character zero in it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if ZERO in request.path_info or IN_QUERY in request.META.get("QUERY_STRING", ""):
            return _refuse(request)
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """Of the many faults that data can have, this is the one that psycopg finds before it asks the server."""
        return _refuse(request) if isinstance(error, DataError) and "NUL" in str(error) else None


def _refuse(request: HttpRequest) -> HttpResponse:
    if request.path_info.startswith(API):
        return JsonResponse({"detail": WHY}, status=HTTPStatus.BAD_REQUEST)
    raise BadRequest(WHY)
