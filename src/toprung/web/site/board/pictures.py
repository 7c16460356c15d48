"""How does a chart come as a file? Its page says who may see it; how many are painted for one person is limited."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from allauth.core.ratelimit import respond_429
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.http import content_disposition_header

from toprung.report.charts.figure import Figure
from toprung.web.services.shown import rates
from toprung.web.services.shown.charts import draw_file, draw_stored_file
from toprung.web.services.shown.pictures import PICTURES, find_painted, paint

type Stored = Mapping[str, Any]
"""A chart that a task drew."""
WAIT = "60"
"""Seconds until more is painted for who had too much."""


def with_files(figures: Iterable[Stored], address_of: Callable[[str, str], str]) -> list[dict[str, Any]]:
    """Stored charts, with where each is as a file; ``address_of`` takes the kind of a chart and an ending."""
    return [{**each, "files": {ending: address_of(each["kind"], ending) for ending in PICTURES}} for each in figures]


def send_stored(request: HttpRequest, figures: Iterable[Stored], kind: str, name: str, *, below: str) -> HttpResponse:
    """That of this kind, with a line below it; 404 where there is none."""
    found = next((each for each in figures if each["kind"] == kind), None)
    if found is None:
        raise Http404("There is no such chart.")
    return send_drawing(request, draw_stored_file(found["svg"], below), name)


def send_picture(request: HttpRequest, figure: Figure, name: str) -> HttpResponse:
    return send_drawing(request, draw_file(figure, ending_of(name)), name)


def send_drawing(request: HttpRequest, svg: str, name: str) -> HttpResponse:
    """Saved under a name that ends in what it is; 429 for who had too many painted."""
    ending = ending_of(name)
    content = find_painted(svg, ending)
    if content is None and not rates.may_have_painted(request):
        refused: HttpResponse = respond_429(request)
        refused.headers["Retry-After"] = WAIT
        return refused
    response = HttpResponse(content or paint(svg, ending), content_type=PICTURES[ending])
    response.headers["Content-Disposition"] = content_disposition_header(True, name) or "attachment"
    return response


def ending_of(name: str) -> str:
    return name.rpartition(".")[2]
