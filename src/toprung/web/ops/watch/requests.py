"""What is noted of a request? When, which page, how it ended and how long it took; never who asked for what by name."""

from __future__ import annotations

import hashlib
import hmac
import logging
import re
import time
import uuid
from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from toprung.web.ops.logs import FACTS, REQUEST_ID
from toprung.web.ops.watch.metrics import count_request

type Answer = Callable[[HttpRequest], HttpResponseBase]

logger = logging.getLogger("toprung.requests")
WATCHED_PATHS = ("/healthz", "/readyz", "/metrics")
"""Asked by machines that know this one by an address of their own; they get the same answer by any name."""
PROXY_ID = re.compile(r"[A-Za-z0-9-]{8,64}")
STATIC, UNKNOWN = "static", "unknown"


def note_requests(get_response: Answer) -> Answer:
    """Middleware, in front of all others: what they refuse is noted too."""

    def answer(request: HttpRequest) -> HttpResponseBase:
        if request.path in WATCHED_PATHS:
            request.META["HTTP_HOST"] = "localhost"
        began = time.perf_counter()
        request_id = _id_of(request)
        token = REQUEST_ID.set(request_id)
        try:
            response = get_response(request)
            seconds = time.perf_counter() - began
            response.headers["X-Request-Id"] = request_id
            count_request(_view_of(request), request.method or "", response.status_code, seconds)
            _log(request, response.status_code, seconds)
        finally:
            REQUEST_ID.reset(token)
        return response

    return answer


def _id_of(request: HttpRequest) -> str:
    """As the proxy in front named it, else a new one."""
    said = request.headers.get("X-Request-Id", "")
    if settings.ENVIRONMENT.is_behind_tls and PROXY_ID.fullmatch(said):
        return said
    return uuid.uuid4().hex


def _view_of(request: HttpRequest) -> str:
    """The name of the page, which is the same for all boards, runs and teams."""
    if request.resolver_match is not None:
        return request.resolver_match.view_name or UNKNOWN
    return STATIC if request.path.startswith(settings.STATIC_URL) else UNKNOWN


def _log(request: HttpRequest, status: int, seconds: float) -> None:
    """Faults of ours are noted by Django too, with their traceback."""
    if logger.isEnabledFor(logging.INFO):
        facts = {
            "method": request.method,
            "path": request.path,
            "view": _view_of(request),
            "status": status,
            "duration_ms": round(1000 * seconds, 1),
            "user": _user_of(request),
        }
        logger.info("%s %s %d", request.method, request.path, status, extra={FACTS: facts})


def _user_of(request: HttpRequest) -> str | None:
    """A name for a person that only this server can make, where the page looked who asks; it tells nobody's address."""
    user = getattr(request, "_cached_user", None)  # what Django has looked up already
    if user is None or not user.is_authenticated:
        return None
    return hmac.new(settings.SECRET_KEY.encode(), f"log:{user.pk}".encode(), hashlib.sha256).hexdigest()[:12]
