"""How busy is the server? Requests over all its processes, and the state of its work, for who shows a token."""

from __future__ import annotations

import hmac
import os
from http import HTTPStatus

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

FOLDER_VARIABLE = "PROMETHEUS_MULTIPROC_DIR"
"""Where the processes of one server count together; prometheus-client reads it when it is imported."""
SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")

_requests = Counter("toprung_requests", "Requests, by page, method and status.", ["view", "method", "status"])
_durations = Histogram(
    "toprung_request_duration_seconds", "How long requests took, by page.", ["view"], buckets=SECONDS
)


def count_request(view: str, method: str, status: int, seconds: float) -> None:
    """Names of pages and methods are few: what anyone may send makes no new one."""
    _requests.labels(view=view, method=method if method in METHODS else "other", status=str(status)).inc()
    _durations.labels(view=view).observe(seconds)


@require_safe
@never_cache
def show_metrics(request: HttpRequest) -> HttpResponse:
    """In the form that Prometheus reads. Where no token is set there is no such page."""
    expected = settings.ENVIRONMENT.metrics_token
    if not expected:
        raise Http404("There are no metrics here.")
    kind, _, shown = request.headers.get("Authorization", "").partition(" ")
    is_known = hmac.compare_digest(shown.strip().encode(), expected.encode())
    if kind.lower() != "bearer" or not is_known:
        answer = HttpResponse("Expected the token of the metrics.\n", content_type="text/plain")
        answer.status_code = HTTPStatus.UNAUTHORIZED
        answer.headers["WWW-Authenticate"] = "Bearer"
        return answer
    return HttpResponse(_write(), content_type=CONTENT_TYPE_LATEST)


def _write() -> bytes:
    from toprung.web.ops.watch.state import StateCollector

    state = CollectorRegistry()
    state.register(StateCollector())
    requests = REGISTRY
    if os.environ.get(FOLDER_VARIABLE):
        requests = CollectorRegistry()
        MultiProcessCollector(requests)
    return generate_latest(requests) + generate_latest(state)
