"""Which boards are there, and what does each say? Cards for the front page: a handful of questions, however many."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from django.db.models import Count, F, Max, Q

from toprung.web.core.access.boards import boards_for_viewer
from toprung.web.core.access.rights import Person
from toprung.web.core.asked import has_come, today
from toprung.web.core.models.boards import Board
from toprung.web.core.models.labels import LabelSet, LabelUse
from toprung.web.core.models.results import Audience, Standing
from toprung.web.core.models.runs import RunState
from toprung.web.services.shown.board.listed_verdicts import say_boards
from toprung.web.services.shown.board.verdict import BoardVerdict

MOST_DRAWN = 5
LONGEST_SEARCH = 100


@dataclass(frozen=True, kw_only=True)
class Spark:
    """The score interval of one run, on the scale of its card: from 2% to 98% of the width."""

    low: float
    width: float
    y: int
    may_be_best: bool


@dataclass(frozen=True, kw_only=True)
class BoardCard:
    """A board in the list, as everyone sees it."""

    board: Board
    verdict: BoardVerdict
    n_queries: int
    n_runs: int
    n_teams: int
    """Of runs that appear by name: an anonymous run counts for no team."""
    n_baselines: int
    last_run: datetime | None
    sparks: list[Spark] = field(default_factory=list)

    @property
    def is_over(self) -> bool:
        return self.board.closes_at is not None and has_come(self.board.closes_at)


def list_board_cards(user: Person, search: str = "") -> list[BoardCard]:
    """Those that the person may see, the newest first; ``search`` in title, task, measure and named teams."""
    listed = Q(submissions__state=RunState.DONE, submissions__withdrawn_at=None)
    runs = listed & Q(submissions__is_baseline=False)
    boards = list(
        boards_for_viewer(user)
        .filter(pk__in=_found(user, search))
        .annotate(
            n_runs=Count("submissions", filter=runs, distinct=True),
            n_teams=Count("submissions__team", filter=runs & _is_named("submissions__"), distinct=True),
            n_baselines=Count("submissions", filter=listed & Q(submissions__is_baseline=True), distinct=True),
            last_run=Max("submissions__submitted_at", filter=runs),
        )
        .order_by("-opens_at", "title")
    )
    verdicts, sparks, n_queries = say_boards(boards), draw_sparks(boards), _count_queries(boards)
    return [
        BoardCard(
            board=each,
            verdict=verdicts[each.pk],
            n_queries=n_queries.get(each.pk, 0),
            n_runs=each.n_runs,
            n_teams=each.n_teams,
            n_baselines=each.n_baselines,
            last_run=each.last_run,
            sparks=sparks.get(each.pk, []),
        )
        for each in boards
    ]


def _found(user: Person, search: str) -> list[int]:
    boards = boards_for_viewer(user)
    if search:
        said = Q(title__icontains=search) | Q(task__icontains=search) | Q(official_measure__icontains=search)
        teams = Q(submissions__team__name__icontains=search, submissions__state=RunState.DONE)
        boards = boards.filter(said | (teams & _is_named("submissions__")))
    return list(boards.values_list("pk", flat=True))


def _is_named(prefix: str) -> Q:
    """Whoever looks: a count or a search must not tell whose an anonymous run is."""
    until = f"{prefix}anonymous_until"
    return Q(**{until: None}) | Q(**{f"{until}__lte": today()})


def _count_queries(boards: Sequence[Board]) -> dict[int, int]:
    labels = LabelSet.objects.filter(board__in=boards, use=LabelUse.OFFICIAL, version=F("board__shown_version"))
    return dict(labels.values_list("board_id", "n_queries"))


def draw_sparks(boards: Sequence[Board]) -> dict[int, list[Spark]]:
    """Of each board by its key, the first runs as everyone sees them."""
    rows = Standing.objects.filter(board__in=boards, audience=Audience.PUBLIC, place__lte=MOST_DRAWN)
    rows = rows.filter(labels_version=F("board__shown_version"), submission__withdrawn_at=None)
    by_board: dict[int, list[Standing]] = {}
    for row in rows.order_by("place", "submission__number"):
        by_board.setdefault(row.board_id, []).append(row)
    return {pk: _draw(first[:MOST_DRAWN]) for pk, first in by_board.items()}


def _draw(rows: Sequence[Standing]) -> list[Spark]:
    ends = [(row.content["score_low"], row.content["score_high"]) for row in rows]
    if any(end is None for pair in ends for end in pair):
        return []
    least, most = min(low for low, _ in ends), max(high for _, high in ends)
    scale = 96 / (most - least) if most > least else 0.0
    return [
        Spark(
            low=round(2 + scale * (low - least), 1),
            width=round(scale * (high - low), 1) if scale else 96.0,
            y=3 + 6 * number,
            may_be_best=row.top_group,
        )
        for number, (row, (low, high)) in enumerate(zip(rows, ends, strict=True))
    ]
