"""How does the API refuse? With a status, and a sentence: what was found, what was expected."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from django.core.exceptions import RequestDataTooBig
from django.http import Http404, HttpRequest, HttpResponse, UnreadablePostError
from ninja import NinjaAPI
from ninja.errors import HttpError, ValidationError

from toprung.web.services.runs.pieces import WrongPlaceError
from toprung.web.services.runs.receive import FileRefusedError

NOTHING_THERE = "Found nothing here that you may see; expected an address as in /api/v1/openapi.json."
CUT_SHORT = "Found a body that was cut short; expected all of it. Send it again."
MOST_NAMED = 3
BEGINNINGS = {"Value error, ": "", "Input should be ": "", "String should ": "text that should "}
"""How pydantic begins to say what is expected, and how we do."""
SECONDS_TO_WAIT = 60
"""Until a file may be sent again, where too many are on their way."""


class ApiError(Exception):
    """An answer that is no success."""

    def __init__(self, status: HTTPStatus, detail: str, *, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(detail)
        self.status, self.detail, self.headers = status, detail, dict(headers or {})


def unknown_caller(detail: str) -> ApiError:
    return ApiError(HTTPStatus.UNAUTHORIZED, detail, headers={"WWW-Authenticate": 'Bearer realm="Toprung"'})


def answer_errors(api: NinjaAPI) -> None:
    """Have every refusal answered in the same form."""

    def refuse(request: HttpRequest, status: int, detail: str, **more: Any) -> HttpResponse:
        return api.create_response(request, {"detail": detail, **more}, status=status)

    @api.exception_handler(ApiError)
    def on_api_error(request: HttpRequest, error: ApiError) -> HttpResponse:
        response = refuse(request, error.status, error.detail)
        for name, value in error.headers.items():
            response.headers[name] = value
        return response

    @api.exception_handler(Http404)
    def on_nothing(request: HttpRequest, error: Http404) -> HttpResponse:  # noqa: ARG001 - it may tell too much
        """One sentence for all that is not there and all that is not for this caller."""
        return refuse(request, HTTPStatus.NOT_FOUND, NOTHING_THERE)

    @api.exception_handler(HttpError)
    def on_http_error(request: HttpRequest, error: HttpError) -> HttpResponse:
        return refuse(request, error.status_code, "Found a body that cannot be read; expected a JSON object.")

    @api.exception_handler(ValidationError)
    def on_bad_value(request: HttpRequest, error: ValidationError) -> HttpResponse:
        said = [_say_fault(each) for each in error.errors[:MOST_NAMED]]
        return refuse(request, HTTPStatus.UNPROCESSABLE_ENTITY, " ".join(said))

    @api.exception_handler(RequestDataTooBig)
    def on_large_body(request: HttpRequest, error: RequestDataTooBig) -> HttpResponse:  # noqa: ARG001 - ninja calls it so
        return refuse(request, HTTPStatus.CONTENT_TOO_LARGE, "Found a body that is too large; expected a small one.")

    @api.exception_handler(UnreadablePostError)
    def on_cut_body(request: HttpRequest, error: UnreadablePostError) -> HttpResponse:  # noqa: ARG001 - ninja calls it so
        return refuse(request, HTTPStatus.BAD_REQUEST, CUT_SHORT)

    @api.exception_handler(WrongPlaceError)
    def on_wrong_place(request: HttpRequest, error: WrongPlaceError) -> HttpResponse:
        return refuse(request, error.status, str(error), received=error.received)

    @api.exception_handler(FileRefusedError)
    def on_refused_file(request: HttpRequest, error: FileRefusedError) -> HttpResponse:
        response = refuse(request, error.status, str(error))
        if error.status == HTTPStatus.TOO_MANY_REQUESTS:
            response.headers["Retry-After"] = str(SECONDS_TO_WAIT)
        return response


def _say_fault(fault: Mapping[str, Any]) -> str:
    """Of one value: where it stands, and what was expected there."""
    kind, *place = map(str, fault["loc"])
    named = [part for part in place if part != "asked"]
    where = f"{kind} {'.'.join(named)}".strip()
    if fault["type"] == "missing":
        return f"Found nothing at {where}; expected a value."
    if fault["type"] == "extra_forbidden":
        return f"Found something at {where}; expected nothing of that name."
    return f"Found something else at {where}; expected {_say_expected(str(fault['msg']))}."


def _say_expected(message: str) -> str:
    """In the words of pydantic, without how they begin.

    >>> _say_expected("Input should be a valid integer"), _say_expected("String should have at most 9 characters")
    ('a valid integer', 'text that should have at most 9 characters')
    """
    for beginning, words in BEGINNINGS.items():
        if message.startswith(beginning):
            return words + message.removeprefix(beginning)
    return f"another value: {message[:1].lower()}{message[1:]}"
