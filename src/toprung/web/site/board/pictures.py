"""How does a chart come as a file? Its page says who may see it."""

from __future__ import annotations

from django.http import HttpResponse
from django.utils.http import content_disposition_header

from toprung.report.charts.figure import Figure
from toprung.web.services.shown.charts import PICTURES, write_picture


def send_picture(figure: Figure, name: str) -> HttpResponse:
    return send_painted(write_picture(figure, ending_of(name)), name)


def send_painted(content: bytes, name: str) -> HttpResponse:
    """Saved under a name that ends in what it is."""
    response = HttpResponse(content, content_type=PICTURES[ending_of(name)])
    response.headers["Content-Disposition"] = content_disposition_header(True, name) or "attachment"
    return response


def ending_of(name: str) -> str:
    return name.rpartition(".")[2]
