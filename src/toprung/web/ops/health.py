"""Is the board up, and can it do its work? Asked by what watches over the server; the answer tells nothing else."""

from __future__ import annotations

from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe


@require_safe
@never_cache
def show_health(request: HttpRequest) -> HttpResponse:  # noqa: ARG001 - Django calls it so
    """Answer "ok" where the web server answers at all: to start it again would mend nothing else."""
    return HttpResponse("ok\n", content_type="text/plain")


@require_safe
@never_cache
def show_readiness(request: HttpRequest) -> HttpResponse:  # noqa: ARG001 - Django calls it so
    """Say of each part whether it is ready; 503 where one is not."""
    from toprung.web.ops.watch.readiness import READY, find_state

    state = find_state()
    is_ready = all(each == READY for each in state.values())
    lines = "".join(f"{part}: {says}\n" for part, says in state.items())
    status = HTTPStatus.OK if is_ready else HTTPStatus.SERVICE_UNAVAILABLE
    return HttpResponse(lines, content_type="text/plain", status=status)
