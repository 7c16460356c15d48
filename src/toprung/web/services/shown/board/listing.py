"""Which runs stand on this page of the leaderboard? Searched, filtered, ordered and paged by the database."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass

from django.db.models import (
    BigIntegerField,
    Case,
    Exists,
    F,
    FloatField,
    OuterRef,
    Q,
    QuerySet,
    TextField,
    When,
    Window,
)
from django.db.models.expressions import BaseExpression, Combinable, OrderBy
from django.db.models.fields.json import KeyTextTransform, KeyTransform
from django.db.models.functions import Cast, Lower, RowNumber

from toprung.web.core.access.viewer import Viewer
from toprung.web.core.models.results import Audience, Standing
from toprung.web.core.models.runs import RunState, Submission
from toprung.web.core.store.listed import ListedRun, fetch_listed
from toprung.web.core.store.sorting import AGAINST, against_key
from toprung.web.services.shown.board.columns import MS
from toprung.web.services.shown.board.counts import RunCounts
from toprung.web.services.shown.board.view import BEST, MINE, BoardView

PAGE_SIZE = 50
MOST_BASELINES = 10
"""That stand below the runs of every page."""
ORDER = ("place", "pk")
"""By score; runs of one place in the order of the board."""
REPORTED = {"cost": "cost", MS: "latency"}
"""By column, what a team says of its run."""
EVERYTHING = BoardView()


@dataclass(frozen=True, kw_only=True)
class Listing:
    """One page of the leaderboard."""

    view: BoardView
    standings: list[ListedRun]
    baselines: list[ListedRun]
    """In the order by score they stand below the runs, on every page, unless they may be best."""
    not_shown: list[Submission]
    """Runs that do not move their teams' public scores: named, without any figure."""
    n_listed: int
    """On all pages together, without those baselines."""
    n_with_score: int
    """The same, of those whose figures are shown."""
    page: int

    @property
    def n_pages(self) -> int:
        return count_pages(self.n_listed)

    @property
    def first(self) -> int:
        return (self.page - 1) * PAGE_SIZE + 1

    @property
    def last(self) -> int:
        return self.first + len(self.standings) + len(self.not_shown) - 1

    @property
    def n_more(self) -> int:
        """What the next page adds."""
        return min(PAGE_SIZE, self.n_listed - self.last)

    @property
    def next_address(self) -> str:
        return self.view.turned(self.page + 1).address

    @property
    def previous_address(self) -> str:
        return self.view.turned(self.page - 1).address or "?"

    @property
    def is_empty(self) -> bool:
        return not (self.standings or self.baselines or self.not_shown)


def count_pages(n_listed: int) -> int:
    return max(1, math.ceil(n_listed / PAGE_SIZE))


def list_runs(viewer: Viewer, view: BoardView, counts: RunCounts) -> Listing:
    """The rows of one page, after those of the pages before; a page that is not there is the last."""
    standings, baselines = find_standings(viewer, view), list[ListedRun]()
    if view.is_by_score:
        baselines = fetch_listed(standings.filter(_stands_below())[:MOST_BASELINES])
        standings = standings.exclude(_stands_below())
    has_more = counts.n_not_shown > 0 or viewer.is_as_of
    not_shown = find_not_shown(viewer, view) if has_more else Submission.objects.none()
    n_standings, n_not_shown = standings.count(), not_shown.count()
    n_listed = n_standings + n_not_shown
    page = min(view.page, count_pages(n_listed))
    start, end = (page - 1) * PAGE_SIZE, page * PAGE_SIZE
    left = slice(max(0, start - n_standings), max(0, end - n_standings))
    return Listing(
        view=view,
        standings=fetch_listed(standings[start:end]) if start < n_standings else [],
        baselines=baselines,
        not_shown=list(not_shown[left]) if left.stop and n_not_shown else [],
        n_listed=n_listed,
        n_with_score=n_standings,
        page=page,
    )


def list_all(viewer: Viewer, view: BoardView) -> list[ListedRun]:
    """The rows of all pages, in the order of the view."""
    standings = find_standings(viewer, view)
    if not view.is_by_score:
        return fetch_listed(standings)
    below = _stands_below()
    return [*fetch_listed(standings.exclude(below)), *fetch_listed(standings.filter(below))]


def _stands_below() -> Q:
    """A baseline that cannot be best stands below the runs, whatever it scores."""
    return Q(submission__is_baseline=True, top_group=False)


def find_standings(viewer: Viewer, view: BoardView) -> QuerySet[Standing]:
    """The rows of the board that were asked for, in order."""
    # That the runs are of this board the database does not know: it would search those of all boards.
    rows = viewer.standings().filter(submission__board=viewer.board, submission__withdrawn_at=None)
    rows = rows.filter(_matches(viewer, view, "submission__"))
    if view.tag:
        rows = rows.alias(tag_text=Cast("submission__tags", TextField())).filter(_has_tag(view.tag))
    if view.runs == BEST:
        rows = _best_of_each_team(rows, viewer)
    return rows.select_related("submission__team").order_by(*order_of(view, viewer))


def order_of(view: BoardView, viewer: Viewer) -> list[str | OrderBy]:
    """What a run does not have comes last in either direction; runs that are alike stand by score."""
    if view.is_by_score:
        return [*ORDER]
    by = _figure_of(view, viewer)
    turned = by.desc(nulls_last=True) if view.is_high_first else by.asc(nulls_last=True)
    return [turned, *ORDER]


def _figure_of(view: BoardView, viewer: Viewer) -> BaseExpression | F:
    """What a column is ordered by: names as this person sees them, figures as they are shown."""
    key = view.sort_key
    if key == "run":
        return _shown_name(viewer)
    if key == "date":
        return F("submission__submitted_at")
    if key in REPORTED:
        return Cast(KeyTextTransform(REPORTED[key], "submission__said"), FloatField())
    return KeyTransform(against_key(view.against) if key == AGAINST else key, "sorts")


def _shown_name(viewer: Viewer) -> BaseExpression:
    if viewer.namer.sees_all:
        return Lower("submission__name")
    by_label: Combinable = Lower("submission__run_id")
    return Case(When(viewer.namer.named("submission__"), then=Lower("submission__name")), default=by_label)


def find_not_shown(viewer: Viewer, view: BoardView) -> QuerySet[Submission]:
    """Runs that the release policy shows no score of, to all but organisers."""
    if viewer.audience is Audience.ORGANISERS or view.runs == BEST:
        return Submission.objects.none()
    runs = viewer.board.submissions.filter(_is_not_shown(viewer), state=RunState.DONE, withdrawn_at=None)
    runs = runs.filter(_matches(viewer, view, ""))
    if view.tag:
        runs = runs.alias(tag_text=Cast("tags", TextField())).filter(_has_tag(view.tag))
    return runs.select_related("team").order_by("number")


def _is_not_shown(viewer: Viewer) -> Q:
    """Now, or under labels that were superseded: then the runs of that time that had no row."""
    if not viewer.is_as_of:
        return Q(shown_score=None)
    labels, shown = viewer.labels(), viewer.standings().filter(submission=OuterRef("pk"))
    return ~Q(Exists(shown)) & Q(settled_at__lt=None if labels is None else labels.superseded_at)


def _matches(viewer: Viewer, view: BoardView, prefix: str) -> Q:
    """By label everyone can be found; by name and team only who appears by them."""
    own = Q(**{f"{prefix}team__in": viewer.namer.team_ids}) if view.runs == MINE else Q()
    if not view.search:
        return own
    name = Q(**{f"{prefix}name__icontains": view.search})
    team = Q(**{f"{prefix}team__name__icontains": view.search})
    found = Q(**{f"{prefix}run_id__icontains": view.search}) | (viewer.namer.named(prefix) & (name | team))
    return own & found


def _has_tag(tag: str) -> Q:
    """Tags are stored as JSON, which databases write with or without escapes."""
    return Q(tag_text__contains=json.dumps(tag)) | Q(tag_text__contains=json.dumps(tag, ensure_ascii=False))


def _best_of_each_team(rows: QuerySet[Standing], viewer: Viewer) -> QuerySet[Standing]:
    """Who is anonymous stands alone: to count it with its team would tell whose it is. So do baselines.

    Their keys are asked for once: a page asks three times for its rows, and each time all would be numbered.
    """
    team = Case(
        When(Q(submission__team=None) | ~viewer.namer.named("submission__"), then=-F("submission_id")),
        default=F("submission__team_id"),
        output_field=BigIntegerField(),
    )
    numbered = Window(RowNumber(), partition_by=[team], order_by=ORDER)
    return rows.filter(pk__in=list(rows.annotate(in_team=numbered).filter(in_team=1).values_list("pk", flat=True)))
