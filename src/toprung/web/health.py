"""Is the board up? Asked by what watches over the server; the answer tells nothing else."""

from __future__ import annotations

from http import HTTPStatus

from django.db import DatabaseError, connection
from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe


@require_safe
@never_cache
def show_health(request: HttpRequest) -> HttpResponse:  # noqa: ARG001 - Django calls it so
    """Answer "ok" where the database does, else 503."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1 FROM django_migrations LIMIT 1")
    except DatabaseError:
        return HttpResponse("no database\n", content_type="text/plain", status=HTTPStatus.SERVICE_UNAVAILABLE)
    return HttpResponse("ok\n", content_type="text/plain")
