"""What can be taken along? The board as CSV, JSON and LaTeX, by the same rules as the page."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_safe

from toprung.result import Result
from toprung.web.core.access.viewer import get_viewer_from
from toprung.web.services.shown.exports import FORMATS, export_board


@require_safe
def export(request: HttpRequest, slug: str, ending: str) -> HttpResponse:
    viewer = get_viewer_from(request, slug)
    found = viewer.result("board")
    if found is None or ending not in FORMATS:
        raise Http404("There is nothing to export.")
    return write_file(export_board(viewer, found), f"{slug}.{ending}")


def write_file(result: Result, name: str) -> HttpResponse:
    """A result in the format that its name ends in; JSON is shown, the others are saved."""
    ending = name.rpartition(".")[2]
    content_type, write = FORMATS[ending]
    response = HttpResponse(write(result), content_type=content_type)
    disposition = content_disposition_header(as_attachment=ending != "json", filename=name)
    response.headers["Content-Disposition"] = disposition or "inline"
    return response
