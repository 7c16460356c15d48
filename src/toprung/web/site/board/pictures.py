"""How does a chart come as a file? Its page says who may see it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from django.http import Http404, HttpResponse
from django.utils.http import content_disposition_header

from toprung.report.charts.figure import Figure
from toprung.web.services.shown.charts import PICTURES, write_picture, write_stored

type Stored = Mapping[str, Any]
"""A chart that a task drew."""


def with_files(figures: Iterable[Stored], address_of: Callable[[str, str], str]) -> list[dict[str, Any]]:
    """Stored charts, with where each is as a file; ``address_of`` takes the kind of a chart and an ending."""
    return [{**each, "files": {ending: address_of(each["kind"], ending) for ending in PICTURES}} for each in figures]


def send_stored(figures: Iterable[Stored], kind: str, name: str, *, below: str) -> HttpResponse:
    """That of this kind, with a line below it; 404 where there is none."""
    found = next((each for each in figures if each["kind"] == kind), None)
    if found is None:
        raise Http404("There is no such chart.")
    return send_painted(write_stored(found["svg"], below, ending_of(name)), name)


def send_picture(figure: Figure, name: str) -> HttpResponse:
    return send_painted(write_picture(figure, ending_of(name)), name)


def send_painted(content: bytes, name: str) -> HttpResponse:
    """Saved under a name that ends in what it is."""
    response = HttpResponse(content, content_type=PICTURES[ending_of(name)])
    response.headers["Content-Disposition"] = content_disposition_header(True, name) or "attachment"
    return response


def ending_of(name: str) -> str:
    return name.rpartition(".")[2]
