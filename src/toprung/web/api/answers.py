"""What does every answer under /api have in common? It is JSON, also where nothing was found, and it is not kept."""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus

from django.http import HttpRequest, HttpResponseBase, JsonResponse
from django.utils.cache import patch_vary_headers

from toprung.web.api.errors import NOTHING_THERE
from toprung.web.core.access.kept_copies import keep_nowhere

type Answer = Callable[[HttpRequest], HttpResponseBase]
PREFIX = "/api/"
DETAILS = {
    HTTPStatus.NOT_FOUND: NOTHING_THERE,
    HTTPStatus.METHOD_NOT_ALLOWED: "Found another method; expected one of those in the header Allow.",
    HTTPStatus.INTERNAL_SERVER_ERROR: "Found a fault of the server; expected none. It is in its log.",
}


def answer_in_json(get_response: Answer) -> Answer:
    """Middleware, next to the routes."""

    def answer(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        if not request.path.startswith(PREFIX):
            return response
        if response.status_code >= HTTPStatus.BAD_REQUEST and not _is_json(response):
            response = _say(response)
        patch_vary_headers(response, ["Authorization"])
        if "Authorization" in request.headers:
            keep_nowhere(response)
        return response

    return answer


def _is_json(response: HttpResponseBase) -> bool:
    return response.headers.get("Content-Type", "").startswith("application/json")


def _say(response: HttpResponseBase) -> JsonResponse:
    status = HTTPStatus(response.status_code)
    detail = DETAILS.get(status, "Found a request that is not answered; expected another.")
    said = JsonResponse({"detail": detail}, status=status)
    if "Allow" in response.headers:
        said.headers["Allow"] = response.headers["Allow"]
    return said
