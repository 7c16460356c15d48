"""Where does every run stand? The leaderboard, whole or as one page of it, and the view that others may embed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.utils.csp import CSP
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.csp import csp_override
from django.views.decorators.http import require_safe
from django_htmx.middleware import HtmxDetails

from toprung.report.page.bars import draw_axis, write_legend
from toprung.report.page.words import plain
from toprung.web.core.access.namer import Namer
from toprung.web.core.access.viewer import Viewer, get_viewer, get_viewer_from
from toprung.web.core.models.results import Standing, StoredResult
from toprung.web.core.store.label_versions import CHANGE
from toprung.web.core.store.rows import shares_against, to_axis, to_row
from toprung.web.services.results.words import say_level, say_rule
from toprung.web.services.shown.cells import RowWriter
from toprung.web.services.shown.listing import Filters, Listing, list_runs
from toprung.web.site.board.facts import RunCounts

EMBEDDED_ROWS = 10
NOT_SHOWN = "Under this board’s release policy these runs show no score, interval, rank or comparison."
ANYWHERE: dict[str, Any] = {
    **settings.SECURE_CSP,
    "frame-ancestors": ["*"],
    "script-src": [CSP.NONE],
    "form-action": [CSP.NONE],
}
"""What the embedded view may do: be framed by any page, and nothing that others may not."""


class HtmxRequest(HttpRequest):
    """What the middleware of htmx makes of a request."""

    htmx: HtmxDetails


@dataclass(frozen=True, kw_only=True)
class Body:
    """Rows that stand together, under a heading where they have one."""

    rows: SafeString
    name: str = ""
    words: str = ""


@require_safe
def show_leaderboard(request: HtmxRequest, slug: str) -> HttpResponse:
    viewer = get_viewer_from(request, slug)
    found = viewer.result("board")
    context = viewer.frame("leaderboard", found, json_url=reverse("export", args=[slug, "json"]))
    context |= {"runs": RunCounts.of(viewer), "rule": say_rule(viewer.board), "level": say_level(viewer.board)}
    context |= {"is_behind": viewer.board.results_done < viewer.board.results_due}
    if found is not None:
        content = found.content
        change = viewer.result(CHANGE) if viewer.version > 1 else None
        context |= {"change": change and change.content}
        filters = Filters.read(request.GET, references=content["references"], tags=content["tags"])
        listing = list_runs(viewer, filters)
        context |= _table_context(viewer, found, listing) | {"filters": filters, "content": content}
    is_part = request.htmx and not request.htmx.history_restore_request
    page = render(request, "boards/leaderboard_live.html" if is_part else "boards/leaderboard.html", context)
    patch_vary_headers(page, ["HX-Request"])
    return page


@require_safe
@xframe_options_exempt
@csp_override(ANYWHERE)
def embed_leaderboard(request: HttpRequest, slug: str) -> HttpResponse:
    """What everyone sees, for pages elsewhere: no account is asked for, so no cookie is read."""
    viewer = get_viewer(AnonymousUser(), slug)
    found = viewer.result("board")
    context: dict[str, Any] = {"board": viewer.board, "found": found}
    if found is not None:
        filters = Filters.read({}, references=found.content["references"], tags=[])
        listing = list_runs(viewer, filters)
        shown = listing.standings[:EMBEDDED_ROWS]
        writer = _writer(viewer, found, filters, has_links=False)
        context |= {
            "bodies": [Body(rows=_write_rows(shown, found, writer, viewer.namer))],
            "n_columns": len(writer.columns),
            "content": found.content,
            "axis": _draw_axis(found),
            "reference": writer.reference,
            "n_left_out": listing.n_listed - len(shown),
        }
    return render(request, "boards/embed.html", context)


def _table_context(viewer: Viewer, found: StoredResult, listing: Listing) -> dict[str, Any]:
    writer = _writer(viewer, found, listing.filters)
    bodies = [Body(rows=_write_rows(listing.standings, found, writer, viewer.namer))]
    if listing.not_shown:
        rows = "".join(writer.write_not_shown(each, viewer.namer.name(each)) for each in listing.not_shown)
        bodies.append(Body(name="Not shown", words=NOT_SHOWN, rows=mark_safe(rows)))  # noqa: S308 - the writer escapes
    return {
        "listing": listing,
        "bodies": bodies,
        "n_columns": len(writer.columns),
        "reference": writer.reference,
        "references": list(_name_references(found)),
        "axis": _draw_axis(found),
        "legend": mark_safe(_legend(writer)) if writer.has_ranks else "",  # noqa: S308 - our own words, and a label
    }


def _name_references(found: StoredResult) -> Iterator[tuple[str, str]]:
    """What runs can be shown against: its label, and why it is offered."""
    highest, *others = found.content["references"]
    yield highest, f"Highest score, {highest}"
    for label in others:
        yield label, f"{'Last proved gain' if label == found.content['holder'] else 'Baseline'}, {label}"


def _writer(viewer: Viewer, found: StoredResult, filters: Filters, *, has_links: bool = True) -> RowWriter:
    return RowWriter(
        slug=viewer.board.slug,
        reference=filters.against or found.content["references"][0],
        axis=to_axis(found.content["axis"]),
        decimals=found.content["decimals"],
        has_ranks=found.content["has_ranks"],
        has_links=has_links,
    )


def _write_rows(standings: Iterable[Standing], found: StoredResult, writer: RowWriter, namer: Namer) -> SafeString:
    written, highest = [], found.content["references"][0]
    for each in standings:
        identity = namer.name(each.submission)
        row = to_row(each, team=identity.team, tags=each.submission.tags)
        written.append(writer.write(row, identity, shares_against(each, writer.reference, highest)))
    return mark_safe("".join(written))  # noqa: S308 - the writer escapes


def _legend(writer: RowWriter) -> str:
    """What the colours mean; the other run is called by its label."""
    return write_legend().replace("the other run", plain(writer.reference))


def _draw_axis(found: StoredResult) -> SafeString:
    return mark_safe(draw_axis(to_axis(found.content["axis"])))  # noqa: S308 - numbers
