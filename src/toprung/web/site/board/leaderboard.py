"""Where does every run stand? The leaderboard, whole or as one page of it, and the view that others may embed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.utils.csp import CSP
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.csp import csp_override
from django.views.decorators.http import require_safe
from django_htmx.middleware import HtmxDetails

from toprung.report.page.bars import write_legend
from toprung.web.core.access.viewer import Viewer, get_viewer, get_viewer_from
from toprung.web.core.asked import same_for_everyone
from toprung.web.core.store.copies import find_copy
from toprung.web.core.store.label_versions import CHANGE, shown_versions
from toprung.web.core.store.listed import ListedRun
from toprung.web.services.judging.campaigns.upkeep_words import find_ranges, find_upkeep
from toprung.web.services.results.label_doubt import DOUBT
from toprung.web.services.results.words import say_taking_part
from toprung.web.services.shown.board.cells import RowWriter, ShownRun
from toprung.web.services.shown.board.columns import ColumnKind
from toprung.web.services.shown.board.counts import RunCounts
from toprung.web.services.shown.board.listing import Listing, list_runs
from toprung.web.services.shown.board.page import BoardPage, open_page
from toprung.web.services.shown.board.view import BEST, MINE
from toprung.web.services.shown.naming import names_in, with_names
from toprung.web.site.board.facts import list_facts
from toprung.web.site.board.heads import list_heads
from toprung.words.wording import say_count, show_level, show_number

EMBEDDED_ROWS, MOST_EMBEDDED = 10, 50
EMBEDDED_COLUMNS = "rank,score,arrival"
CHANGING = "standings"
"""Where rows are swapped by a script when they are searched, ordered or paged; all else on the page stays."""
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
    kind: str = ""
    name: str = ""
    words: str = ""
    folds: bool = False
    """Whether the way to more runs stands below it."""


@require_safe
@same_for_everyone
def show_leaderboard(request: HtmxRequest, slug: str) -> HttpResponse:
    viewer = get_viewer_from(request, slug)
    found, counts = viewer.result("board"), RunCounts.of(viewer)
    page = None if found is None else open_page(viewer, found, request.GET)
    address = viewer.as_of if page is None else page.view.address
    if is_long_form(request.GET) and not request.htmx:
        return redirect(f"{request.path}{address}")
    context = viewer.frame("leaderboard", found, json_url=f"{reverse('export', args=[slug, 'json'])}{address}")
    context |= {
        "facts": list(list_facts(viewer, counts, None if found is None else found.content)),
        "is_behind": viewer.is_behind,
        "embed_code": _embed_code(request, slug),
    }
    if page is not None:
        context |= _page_context(page, counts, is_copy=find_copy(request) is not None)
    is_swapped = request.htmx and not request.htmx.history_restore_request
    is_part = is_swapped and request.htmx.target == CHANGING
    answer = render(request, "boards/leaderboard/changing.html" if is_part else "boards/leaderboard/page.html", context)
    if is_swapped:
        answer.headers["HX-Push-Url"] = f"{request.path}{address}"
    patch_vary_headers(answer, ["HX-Request", "HX-Target"])
    return answer


def is_long_form(asked: QueryDict) -> bool:
    """Whether a form sent it, with empty fields and columns one by one: there is a shorter address for that."""
    return len(asked.getlist("cols")) > 1 or any(value == "" for value in asked.values())


@require_safe
@xframe_options_exempt
@csp_override(ANYWHERE)
@same_for_everyone
def embed_leaderboard(request: HttpRequest, slug: str) -> HttpResponse:
    """What everyone sees, for pages elsewhere: no account is asked for, so no cookie is read."""
    viewer = get_viewer(AnonymousUser(), slug)
    found = viewer.result("board")
    context: dict[str, Any] = {"board": viewer.board, "found": found, "labels": viewer.labels()}
    if found is not None:
        page = open_page(viewer, found, {"cols": EMBEDDED_COLUMNS})
        listing = list_runs(viewer, page.view, RunCounts.of(viewer))
        shown = [*listing.standings, *listing.baselines][: _read_rows(request.GET.get("rows", ""))]
        writer = page.writer(has_links=False)
        context |= {
            "verdict": page.verdict,
            "bodies": [Body(rows=_write_rows(shown, writer, viewer))],
            "heads": list_heads(page, can_sort=False),
            "content": found.content,
            "n_left_out": listing.n_listed + len(listing.baselines) - len(shown),
        }
    return render(request, "boards/embed.html", context)


def _read_rows(asked: str) -> int:
    is_number = asked.isascii() and asked.isdecimal() and len(asked) < 4
    return min(max(1, int(asked)), MOST_EMBEDDED) if is_number else EMBEDDED_ROWS


def _embed_code(request: HttpRequest, slug: str) -> str:
    address = request.build_absolute_uri(f"{reverse('embed', args=[slug])}?rows={EMBEDDED_ROWS}")
    return f'<iframe src="{address}" title="Leaderboard" width="100%" height="620"></iframe>'


def _say_would(viewer: Viewer, sentence: str) -> str:
    return with_names(sentence, names_in(viewer, sentence))


def _page_context(page: BoardPage, counts: RunCounts, *, is_copy: bool) -> dict[str, Any]:
    viewer, content = page.viewer, page.content
    listing, upkeep = list_runs(viewer, page.view, counts), find_upkeep(viewer)
    writer = page.writer(ranges=_find_ranges(viewer, listing) if upkeep is not None and upkeep.n_open else {})
    has_bars = _has_bars(page, listing)
    gain = content["next_gain"]
    change = viewer.result(CHANGE) if viewer.version > 1 else None
    doubt = viewer.result(DOUBT) if viewer.version > 1 else None
    return {
        "content": content,
        "change": change and change.content,
        "would": change and _say_would(viewer, change.content["would"]["sentence"]),
        "gain": gain and gain["gain"] and show_number(gain["gain"], content["decimals"]),
        "next_level": gain and show_level(gain["level"]),
        "take_part": say_taking_part(viewer.board),
        "past_url": reverse("history", args=[viewer.board.slug]),
        "columns": page.choices.columns,
        "view": page.view,
        "verdict": page.verdict,
        "said_to_all": "" if viewer.is_organiser or viewer.is_as_of else page.verdict.text.sentence,
        "listing": listing,
        "bodies": list(_make_bodies(page, listing, writer)),
        "heads": list_heads(page, can_sort=not is_copy),
        "n_cells": writer.n_cells,
        "has_more_columns": len(page.columns) > len(page.choices.usual_columns),
        "references": list(page.name_references()),
        "chosen": [column.key for column in page.columns],
        "versions": list(shown_versions(viewer.board)) if viewer.board.shown_version > 1 else [],
        "sorted_by": _say_sorted(page),
        "narrowed": _say_narrowed(listing) if page.view.is_narrowed else "",
        "legend": mark_safe(_legend(writer)) if has_bars else "",  # noqa: S308 - our own words, and an escaped name
        "has_own": bool(viewer.namer.team_ids),
        "upkeep": upkeep,
        "doubt": doubt and doubt.content["sentence"],
        "has_ranges": bool(writer.ranges),
    }


def _find_ranges(viewer: Viewer, listing: Listing) -> dict[int, tuple[float, float]]:
    """What runs in view may come to, the lower end first."""
    shown = (each.submission_id for each in (*listing.standings, *listing.baselines))
    return {key: found.ends for key, found in find_ranges(viewer, shown).items()}


def _make_bodies(page: BoardPage, listing: Listing, writer: RowWriter) -> Iterator[Body]:
    """Those that may be best, the rest, baselines, and runs without figures; apart only in the order by score."""
    viewer, content = page.viewer, page.content
    best = _top_rows(page, listing)
    rest = listing.standings[len(best) :]
    if best:
        said = _say_group(len(content["top_group"]))
        yield Body(kind="topgroup", name="May be best now", words=said, rows=_write_rows(best, writer, viewer))
        yield Body(kind="rest", **_head_of_rest(page, listing), rows=_write_rows(rest, writer, viewer), folds=True)
    else:
        yield Body(rows=_write_rows(rest, writer, viewer), folds=True)
    if listing.baselines:
        yield Body(kind="baselines", rows=_write_rows(listing.baselines, writer, viewer))
    if listing.not_shown:
        rows = "".join(writer.write_not_shown(each, viewer.namer) for each in listing.not_shown)
        yield Body(name="Not shown", words=NOT_SHOWN, rows=mark_safe(rows))  # noqa: S308 - the writer escapes


def _top_rows(page: BoardPage, listing: Listing) -> list[ListedRun]:
    """The members of the top group where they are neighbours and stand first; else their rows alone are shaded."""
    view = page.view
    if not (view.is_by_score and page.content["are_neighbours"]) or view.is_narrowed or view.page > 1:
        return []
    return [each for each in listing.standings if each.top_group]


def _say_group(n_best: int) -> str:
    whose = "whose rank interval contains 1."
    return f"The run {whose}" if n_best == 1 else f"The {n_best:,} runs {whose}"


def _head_of_rest(page: BoardPage, listing: Listing) -> dict[str, str]:
    n_rest, n_baselines = listing.n_with_score - len(page.content["top_group"]), len(listing.baselines)
    runs = [say_count(n_rest, "run")] if n_rest > 0 else []
    baselines = [say_count(n_baselines, "baseline")] if n_baselines else []
    if not runs and not baselines:
        return {}
    return {"name": "The rest, by score", "words": ", ".join([*runs, *baselines])}


def _say_sorted(page: BoardPage) -> str:
    """In another order than by score: what it is, and what the shade still means."""
    view = page.view
    if view.is_by_score:
        return ""
    column = next(each for each in page.choices.columns if each.key == view.sort_key)
    turned = "" if view.is_high_first == column.starts_high else ", the other way round"
    return f"Sorted by {column.said or column.name}{turned}; shaded: may be best by {page.content['measure']}."


def _say_narrowed(listing: Listing) -> str:
    """Which of the runs are in view."""
    view = listing.view
    if listing.is_empty:
        return "No run matches."
    n_baselines = len(listing.baselines)
    baselines = f" and {say_count(n_baselines, 'baseline')}" if n_baselines else ""
    search = f" with “{view.search}” in name or team" if view.search else ""
    tag = f" tagged “{view.tag}”" if view.tag else ""
    own = " of your teams" if view.runs == MINE else ""
    best = ", the best of each team; anonymous runs count for themselves" if view.runs == BEST else ""
    return f"{say_count(listing.n_listed, 'run')}{baselines}{search}{tag}{own}{best}."


def _write_rows(standings: Iterable[ListedRun], writer: RowWriter, viewer: Viewer) -> SafeString:
    rows = "".join(writer.write(ShownRun.of(each, viewer.namer)) for each in standings)
    return mark_safe(rows)  # noqa: S308 - the writer escapes


def _has_bars(page: BoardPage, listing: Listing) -> bool:
    """Whether any is drawn: the run that others are shown against has none."""
    if not any(column.kind is ColumnKind.OUTCOMES for column in page.columns):
        return False
    return any(each.run_id != page.reference for each in (*listing.standings, *listing.baselines))


def _legend(writer: RowWriter) -> str:
    """What the colours mean; the other run is called by its name."""
    return write_legend(writer.reference_name).replace('class="legend"', 'class="legend runslegend"')
