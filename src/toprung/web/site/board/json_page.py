"""What does a page show, as data?"""

from __future__ import annotations

from django.http import HttpResponse, JsonResponse

from toprung.web.core.access.viewer import Viewer
from toprung.web.core.models.results import StoredResult
from toprung.web.services.results.content import without_drawings
from toprung.web.services.shown.exports import provenance_of


def to_json_page(viewer: Viewer, found: StoredResult, **more: object) -> HttpResponse:
    """The figures in words, and no drawing."""
    content = without_drawings(found.content) | {"provenance": provenance_of(viewer, found)} | more
    return JsonResponse(content, json_dumps_params={"indent": 2, "ensure_ascii": False})
