"""Which runs stand on this page of the leaderboard? Searched, filtered, ordered and paged by the database."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import BigIntegerField, Case, Exists, F, OuterRef, Q, QuerySet, TextField, When, Window
from django.db.models.functions import Cast, RowNumber

from toprung.web.core.access.viewer import Viewer
from toprung.web.core.models.results import Audience, Standing
from toprung.web.core.models.runs import RunState, Submission

PAGE_SIZE = 50
LONGEST_SEARCH = 100
ORDER = ("place", "pk")
"""By score; runs of one place in the order of the board."""


@dataclass(frozen=True, kw_only=True)
class Filters:
    """What was asked for; anything else than the choices counts as not asked."""

    search: str
    tag: str
    is_best_of_team: bool
    against: str
    """The label of the run that outcomes are shown against; empty for the highest score."""
    page: int

    @classmethod
    def read(cls, asked: Mapping[str, Any], *, references: list[str], tags: list[str]) -> Filters:
        tag, against, page = (str(asked.get(name, "")) for name in ("tag", "against", "page"))
        return cls(
            search=str(asked.get("q", "")).strip()[:LONGEST_SEARCH],
            tag=tag if tag in tags else "",
            is_best_of_team=asked.get("per") == "best",
            against=against if against in references[1:] else "",
            page=max(1, int(page)) if page.isdecimal() and len(page) < 7 else 1,
        )

    @property
    def is_narrowed(self) -> bool:
        return bool(self.search or self.tag or self.is_best_of_team)


@dataclass(frozen=True, kw_only=True)
class Listing:
    """One page of the leaderboard."""

    filters: Filters
    standings: list[Standing]
    not_shown: list[Submission]
    """Runs that do not move their teams' public scores: named, without any figure."""
    n_listed: int
    """On all pages together."""
    page: int

    @property
    def n_pages(self) -> int:
        return max(1, math.ceil(self.n_listed / PAGE_SIZE))

    @property
    def previous(self) -> int:
        return self.page - 1

    @property
    def following(self) -> int:
        return self.page + 1

    @property
    def first(self) -> int:
        return (self.page - 1) * PAGE_SIZE + 1

    @property
    def last(self) -> int:
        return self.first + len(self.standings) + len(self.not_shown) - 1


def list_runs(viewer: Viewer, filters: Filters) -> Listing:
    """The rows of one page, after those of the pages before; a page that is not there is the last."""
    standings, not_shown = find_standings(viewer, filters), find_not_shown(viewer, filters)
    n_standings, n_not_shown = standings.count(), not_shown.count()
    n_listed = n_standings + n_not_shown
    page = min(filters.page, max(1, math.ceil(n_listed / PAGE_SIZE)))
    start, end = (page - 1) * PAGE_SIZE, page * PAGE_SIZE
    listed = list(standings[start:end]) if start < n_standings else []
    left = slice(max(0, start - n_standings), max(0, end - n_standings))
    return Listing(
        filters=filters,
        standings=listed,
        not_shown=list(not_shown[left]) if left.stop else [],
        n_listed=n_listed,
        page=page,
    )


def find_standings(viewer: Viewer, filters: Filters) -> QuerySet[Standing]:
    """The rows of the board that were asked for, in order."""
    rows = viewer.standings().filter(submission__withdrawn_at=None)
    rows = rows.filter(_matches(viewer, filters, "submission__"))
    if filters.tag:
        rows = rows.alias(tag_text=Cast("submission__tags", TextField())).filter(_has_tag(filters.tag))
    if filters.is_best_of_team:
        rows = _best_of_each_team(rows, viewer)
    return rows.select_related("submission__team").order_by(*ORDER)


def find_not_shown(viewer: Viewer, filters: Filters) -> QuerySet[Submission]:
    """Runs that the release policy shows no score of, to all but organisers."""
    if viewer.audience is Audience.ORGANISERS or filters.is_best_of_team:
        return Submission.objects.none()
    runs = viewer.board.submissions.filter(_is_not_shown(viewer), state=RunState.DONE, withdrawn_at=None)
    runs = runs.filter(_matches(viewer, filters, ""))
    if filters.tag:
        runs = runs.alias(tag_text=Cast("tags", TextField())).filter(_has_tag(filters.tag))
    return runs.select_related("team").order_by("number")


def _is_not_shown(viewer: Viewer) -> Q:
    """Now, or under labels that were superseded: then the runs of that time that had no row."""
    if not viewer.is_as_of:
        return Q(shown_score=None)
    labels, shown = viewer.labels(), viewer.standings().filter(submission=OuterRef("pk"))
    return ~Q(Exists(shown)) & Q(settled_at__lt=None if labels is None else labels.superseded_at)


def _matches(viewer: Viewer, filters: Filters, prefix: str) -> Q:
    """By label everyone can be found; by name and team only who appears by them."""
    if not filters.search:
        return Q()
    name = Q(**{f"{prefix}name__icontains": filters.search})
    team = Q(**{f"{prefix}team__name__icontains": filters.search})
    return Q(**{f"{prefix}run_id__icontains": filters.search}) | (viewer.namer.named(prefix) & (name | team))


def _has_tag(tag: str) -> Q:
    """Tags are stored as JSON, which databases write with or without escapes."""
    return Q(tag_text__contains=json.dumps(tag)) | Q(tag_text__contains=json.dumps(tag, ensure_ascii=False))


def _best_of_each_team(rows: QuerySet[Standing], viewer: Viewer) -> QuerySet[Standing]:
    """Who is anonymous stands alone: to count it with its team would tell whose it is. So do baselines."""
    team = Case(
        When(Q(submission__team=None) | ~viewer.namer.named("submission__"), then=-F("submission_id")),
        default=F("submission__team_id"),
        output_field=BigIntegerField(),
    )
    numbered = Window(RowNumber(), partition_by=[team], order_by=ORDER)
    return rows.annotate(in_team=numbered).filter(in_team=1)
