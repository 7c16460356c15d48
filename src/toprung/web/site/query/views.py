"""Where do two runs win and lose? Public queries alone, with their texts; nothing of hidden ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from http import HTTPStatus
from typing import Any
from urllib.parse import urlencode

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.http import require_safe

from toprung.errors import InputError
from toprung.report.csv_rows import write_rows
from toprung.web.core.access.texts import browsed_sets
from toprung.web.core.access.viewer import Viewer, get_viewer
from toprung.web.core.models.labels import LabelSet
from toprung.web.core.models.public_columns import PublicColumn
from toprung.web.core.models.runs import RunState, Submission
from toprung.web.core.queue import enqueue_once, refresh
from toprung.web.core.store.run_pairs import RunPair
from toprung.web.services.query.find import find_public_pair, runs_there
from toprung.web.services.query.kinds import ATTRIBUTES
from toprung.web.services.query.lines import COLOURS, PublicPair, QueryLine
from toprung.web.services.query.orders import LARGEST, ORDERS, put_in_order
from toprung.web.services.query.said import Slice, say_pair, to_slices
from toprung.web.services.shown.compare.pairs import (
    NoSuchPairError,
    TooFewRunsError,
    find_pair,
    list_to_choose,
    to_options,
)
from toprung.web.site.board.evidence import draw_difference

A_PAGE = 10
LONGEST_SEARCH = 100
COLUMNS = ("query_id", "question", "b", "a", "outcome", "score_b", "score_a", "first_b", "first_a")
CHIPS = {
    "only_this": "only B",
    "better": "B higher",
    "same": "same",
    "neither": "neither",
    "worse": "A higher",
    "only_top": "only A",
}


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What of the queries is to be shown, as the address says it."""

    show: str
    search: str
    by: str
    kind: str
    """Of the attribute ``by``; empty for all."""
    order: str

    @classmethod
    def of(cls, given: Mapping[str, str]) -> Asked:
        show, by, order = given.get("show", ""), given.get("by", "kind"), given.get("order", "")
        return cls(
            show=show if show in CHIPS else "",
            search=given.get("q", "").strip()[:LONGEST_SEARCH],
            by=by if by in ATTRIBUTES else "kind",
            kind=given.get("kind", "")[:LONGEST_SEARCH],
            order=order if order in ORDERS else LARGEST,
        )

    def keeps(self, line: QueryLine) -> bool:
        is_found = self.search.lower() in f"{line.question} {line.query_id}".lower()
        is_kind = not self.kind or (bool(line.question) and ATTRIBUTES[self.by](line.question) == self.kind)
        return is_found and is_kind and self.show in ("", line.outcome)


@require_safe
def show_queries(request: HttpRequest, slug: str) -> HttpResponse:
    viewer = get_viewer(request.user, slug)
    labels = _chosen_set(viewer, request.GET.get("set", ""))
    choices = _choices(viewer, labels)
    context = viewer.frame("queries") | {
        "set": labels,
        "sets": browsed_sets(viewer.board),
        "choices": to_options(viewer, choices),
        "own_reports": _own_reports(request, viewer),
    }
    try:
        pair = find_pair(viewer, choices, request.GET.get("b", ""), request.GET.get("a", ""))
    except InputError as error:
        is_missing = isinstance(error, NoSuchPairError) and bool(request.GET.get("b") or request.GET.get("a"))
        status = HTTPStatus.NOT_FOUND if is_missing else HTTPStatus.OK
        context |= {
            "problem": str(error),
            "is_being_read": _is_being_read(viewer, labels),
            "is_too_early": isinstance(error, TooFewRunsError),
        }
        return render(request, "queries/queries.html", context, status=status)
    found = find_public_pair(viewer, labels, pair)
    context |= {"b_id": pair.challenger.run_id, "a_id": pair.holder.run_id}
    if found is None:
        context["problem"] = "One of the two runs has none of these queries in its file, or was not read yet."
        return render(request, "queries/queries.html", context)
    context |= _pair_context(request, found, pair)
    return render(request, "queries/queries.html", context)


@require_safe
def export_queries(request: HttpRequest, slug: str) -> HttpResponse:
    """The queries of a pair that are in view on the page, and in its order."""
    viewer = get_viewer(request.user, slug)
    labels = _chosen_set(viewer, request.GET.get("set", ""))
    try:
        pair = find_pair(viewer, _choices(viewer, labels), request.GET.get("b", ""), request.GET.get("a", ""))
    except InputError:
        raise Http404("There is no such pair.") from None
    found = find_public_pair(viewer, labels, pair)
    if found is None:
        raise Http404("There is no such pair on these queries.")
    response = HttpResponse(_write(found, Asked.of(request.GET)), content_type="text/csv; charset=utf-8")
    name = f"{slug}-queries-{pair.challenger.run_id}-{pair.holder.run_id}.csv"
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def _write(found: PublicPair, asked: Asked) -> str:
    rows: list[tuple[object, ...]] = [COLUMNS]
    for row in put_in_order(found.find().rows, asked.order):
        line, place = found.line(row.query_id), found.places[row.query_id]
        if not asked.keeps(line):
            continue
        firsts = ("".join(answers.tops[place][:1]) for answers in (found.of_b, found.of_a))
        rows.append((line.query_id, line.question, line.b, line.a, line.words, row.score_b, row.score_a, *firsts))
    return write_rows(rows)


def _chosen_set(viewer: Viewer, asked: str) -> LabelSet:
    sets = browsed_sets(viewer.board)
    chosen = next((each for each in sets if each.use == asked), None) if asked else next(iter(sets), None)
    if chosen is None:
        raise Http404("This board has no such public queries.")
    return chosen


def _choices(viewer: Viewer, labels: LabelSet) -> list[Submission]:
    there = runs_there(labels)
    return [each for each in list_to_choose(viewer) if each.pk in there]


def _is_being_read(viewer: Viewer, labels: LabelSet) -> bool:
    """Whether there are runs and none was read yet, such as after new dev labels: then a task is asked to."""
    has_runs = viewer.board.submissions.filter(state=RunState.DONE).exists()
    if not has_runs or PublicColumn.objects.filter(label_set=labels).exists():
        return False
    enqueue_once(refresh, viewer.board.pk)
    return True


def _own_reports(request: HttpRequest, viewer: Viewer) -> Any:
    if not request.user.is_authenticated:
        return ()
    return viewer.board.reported_labels.filter(user=request.user).order_by("-at")


def _pair_context(request: HttpRequest, found: PublicPair, pair: RunPair) -> dict[str, Any]:
    asked = Asked.of(request.GET)
    result = found.find(asked.by)
    lines = [found.line(row.query_id) for row in put_in_order(result.rows, asked.order)]
    kept = [line for line in lines if asked.keeps(line)]
    page = Paginator(kept, A_PAGE).get_page(request.GET.get("page"))
    address = _Address(path=reverse("queries", args=[found.board.slug]), found=found, pair=pair, asked=asked)
    bold, rest = say_pair(found, result, lines)
    return {
        "b": found.b,
        "a": found.a,
        "bold": bold,
        "rest": rest,
        "slices": list(_show_slices(found, to_slices(found, result), address)),
        "has_texts": bool(found.questions),
        "measure": found.board.official_measure,
        "chips": list(_chips(lines, address)),
        "asked": asked,
        "orders": ORDERS.items(),
        "lines": found.with_passages(list(page.object_list)),
        "page": page,
        "next_url": address.at(page=str(page.next_page_number())) if page.has_next() else "",
        "previous_url": address.at(page=str(page.previous_page_number())) if page.has_previous() else "",
        "by_urls": [(name, address.at(by=name, kind="")) for name in ATTRIBUTES if name != asked.by],
        "all_kinds_url": address.at(kind=""),
        "everything_url": address.at(show="", q="", kind=""),
        "swap_url": address.swapped(),
        "csv_url": address.of_file(),
    }


def _show_slices(found: PublicPair, slices: Sequence[Slice], address: _Address) -> Iterator[dict[str, Any]]:
    """On one scale, each with the address of its queries."""
    ends = [abs(end) for each in slices if each.interval for end in each.drawn]
    furthest = max(ends, default=0.0)
    for each in slices:
        is_on = each.kind == address.asked.kind
        url = address.at(kind="" if is_on else each.kind)
        yield asdict(each) | {"svg": _draw(each, found, furthest), "url": url, "is_on": is_on}


def _draw(each: Slice, found: PublicPair, furthest: float) -> SafeString:
    row = {
        "difference": each.difference,
        "interval": each.interval,
        "drawn": each.drawn if each.interval else (None, None, None),
        "more_is_better": True,
    }
    return mark_safe(draw_difference(row, found.b, found.a, furthest=furthest))  # noqa: S308 - drawn from numbers


@dataclass(frozen=True, kw_only=True)
class _Address:
    """Where the page is in another state."""

    path: str
    found: PublicPair
    pair: RunPair
    asked: Asked

    def of_pair(self) -> dict[str, str]:
        return {"b": self.pair.challenger.run_id, "a": self.pair.holder.run_id, "set": self.found.labels.use}

    def at(self, **changed: str) -> str:
        return f"{self.path}?{self._write_state(**changed)}"

    def of_file(self) -> str:
        """Of the queries in view, in the order of the page."""
        return f"{reverse('queries_csv', args=[self.found.board.slug])}?{self._write_state()}"

    def _write_state(self, **changed: str) -> str:
        asked = self.asked
        order = "" if asked.order == LARGEST else asked.order
        state = {"show": asked.show, "q": asked.search, "by": asked.by, "kind": asked.kind, "order": order} | changed
        return urlencode(self.of_pair() | {key: value for key, value in state.items() if value})

    def swapped(self) -> str:
        of_pair = self.of_pair()
        return f"{self.path}?{urlencode(of_pair | {'b': of_pair['a'], 'a': of_pair['b']})}"


def _chips(lines: Sequence[QueryLine], address: _Address) -> Iterator[dict[str, Any]]:
    """How many queries come out which way, each a link; outcomes that cannot be are left out."""
    yield {"words": f"All {len(lines):,}", "url": address.at(show=""), "is_on": not address.asked.show, "colour": ""}
    for outcome, words in CHIPS.items():
        count = sum(line.outcome == outcome for line in lines)
        if count or address.found.has_ranks:
            yield {
                "words": f"{words} {count:,}",
                "url": address.at(show=outcome),
                "is_on": address.asked.show == outcome,
                "colour": COLOURS[outcome],
            }
