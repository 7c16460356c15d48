"""What can be taken along? A view of the board as CSV, JSON, LaTeX and PDF, by the same rules as the page."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBadRequest
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_safe

from toprung.report.share.sheet import draw_sheet
from toprung.result import Result
from toprung.web.core.access.viewer import get_viewer_from
from toprung.web.core.asked import same_for_everyone
from toprung.web.services.shown.board.export import export_view
from toprung.web.services.shown.board.page import open_page
from toprung.web.services.shown.board.sheet import sheet_of
from toprung.web.services.shown.exports import FORMATS
from toprung.web.site.board.pictures import send_drawing
from toprung.words.wording import list_names

PDF = "pdf"


@require_safe
@same_for_everyone
def export(request: HttpRequest, slug: str, ending: str) -> HttpResponse:
    """Refused where it asks for what the board does not have: a file does not say what was left out."""
    viewer = get_viewer_from(request, slug)
    found = viewer.result("board")
    if found is None or ending not in (*FORMATS, PDF):
        raise Http404("There is nothing to export.")
    page = open_page(viewer, found, request.GET)
    if page.view.unknown:
        asked = f"Found {list_names(list(page.view.unknown))}; expected what this board has: open it and choose again."
        return HttpResponseBadRequest(asked, content_type="text/plain; charset=utf-8")
    if ending == PDF:
        return send_drawing(request, draw_sheet(sheet_of(page)), f"{slug}.{PDF}")
    return write_file(export_view(page), f"{slug}.{ending}")


def write_file(result: Result, name: str) -> HttpResponse:
    """A result in the format that its name ends in; JSON is shown, the others are saved."""
    ending = name.rpartition(".")[2]
    content_type, write = FORMATS[ending]
    response = HttpResponse(write(result), content_type=content_type)
    disposition = content_disposition_header(as_attachment=ending != "json", filename=name)
    response.headers["Content-Disposition"] = disposition or "inline"
    return response
