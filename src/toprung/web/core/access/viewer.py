"""Who looks at which board, at which version of its labels, and what of it may they see? Asked once for a page."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest

from toprung.analyses.catalogue import find_on_boards
from toprung.analysis import Analysis
from toprung.web.core.access.boards import get_board_for_viewer
from toprung.web.core.access.namer import Namer
from toprung.web.core.access.rights import Person
from toprung.web.core.access.texts import BROWSED, is_browsed
from toprung.web.core.models.boards import Board
from toprung.web.core.models.labels import LabelSet, LabelUse
from toprung.web.core.models.results import Audience, Standing, StoredResult
from toprung.web.core.models.runs import Submission
from toprung.web.core.store.behind import is_behind
from toprung.web.core.store.label_versions import find_shown_version
from toprung.web.core.store.provenance import Provenance

KEPT_ONCE = ("history", "validity")
"""Kinds of results that belong to no version of the labels."""
LONGEST_VERSION = 5


@dataclass(frozen=True, kw_only=True)
class Viewer:
    """One person before one board."""

    board: Board
    namer: Namer
    version: int
    """Of the official labels: the one that is shown now, or an earlier that was asked for."""

    @property
    def is_organiser(self) -> bool:
        return self.namer.sees_all

    @property
    def is_as_of(self) -> bool:
        """Whether what is seen was superseded: it stays as it was."""
        return self.version != self.board.shown_version

    @property
    def as_of(self) -> str:
        """What an address needs so that the next page is of the same version."""
        return f"?labels={self.version}" if self.is_as_of else ""

    @property
    def audience(self) -> Audience:
        """Organisers see everything; everyone else what the release policy shows."""
        return Audience.ORGANISERS if self.is_organiser else Audience.PUBLIC

    @cached_property
    def is_behind(self) -> bool:
        """Whether newer results than those that are shown are being computed."""
        return is_behind(self.board)

    def result(self, kind: str, key: str = "") -> StoredResult | None:
        """As the task stored it for this audience; None where it has not been computed."""
        version = 0 if kind in KEPT_ONCE else self.version
        return self.board.results.filter(labels_version=version, kind=kind, key=key, audience=self.audience).first()

    @property
    def analyses(self) -> list[Analysis]:
        """Those registered for boards that this audience may see."""
        return find_on_boards(is_public=not self.is_organiser)

    def analysis(self, key: str) -> StoredResult | None:
        """What such an analysis found; 404 where it is not for this audience."""
        if key not in {each.key for each in self.analyses}:
            raise Http404("There is no such analysis.")
        return self.result("analysis", key)

    def standings(self) -> QuerySet[Standing]:
        """The rows of the leaderboard for this audience."""
        return self.board.standings.filter(labels_version=self.version, audience=self.audience)

    def shows(self, submission: Submission) -> bool:
        """Whether any figure of the run may be shown, under the version that is looked at."""
        if self.is_organiser:
            return True
        if self.is_as_of:
            return self.standings().filter(submission=submission).exists()
        return submission.shown_score is not None

    @cached_property
    def holder(self) -> Submission | None:
        """Who holds the rung; of a version that was superseded, who held it in the end."""
        if not self.is_as_of:
            held = self.board.holder
            return held if held is None or self.shows(held) else None
        found = self.result("board")
        return None if found is None else self._run(found.content["challenged"])

    @cached_property
    def highest(self) -> Submission | None:
        """Who has the highest score of the runs that are shown: what others are shown against."""
        found = self.result("board")
        return None if found is None else self._run(found.content["references"][0])

    def _run(self, label: str) -> Submission | None:
        return self.board.submissions.select_related("team").filter(run_id=label).first()

    def labels(self) -> LabelSet | None:
        """The official labels of the version; None on a board that has none yet."""
        return self._labels

    @cached_property
    def _labels(self) -> LabelSet | None:
        official = (each for each in self._label_sets if each.use == LabelUse.OFFICIAL)
        return next((each for each in official if each.version == self.version), None)

    @cached_property
    def _label_sets(self) -> list[LabelSet]:
        """What a page asks of labels, all at once: the version that is looked at, and those that are public."""
        is_looked_at = Q(use=LabelUse.OFFICIAL, version=self.version)
        is_public = Q(use__in=BROWSED, is_current=True, is_hidden=False)
        return list(self.board.label_sets.filter(is_looked_at | is_public).order_by("pk"))

    def frame(self, tab: str, result: StoredResult | None = None, *, json_url: str = "") -> dict[str, Any]:
        """What ``boards/board_base.html`` shows around every page of a board."""
        labels = self.labels()
        return {
            "board": self.board,
            "tab": tab,
            "is_organiser": self.is_organiser,
            "labels": labels,
            "is_as_of": self.is_as_of,
            "as_of": self.as_of,
            "analyses": self.analyses,
            "has_public_queries": any(map(is_browsed, self._label_sets)),
            "provenance": Provenance.of(labels, result, json_url=json_url),
        }


def get_viewer(user: Person, slug: str, *, labels: str = "") -> Viewer:
    """What this person may see of the board; 404 where that is nothing.

    ``labels`` asks for a version of the official labels by its number; 404 unless it is or was shown.
    """
    board = get_board_for_viewer(user, slug)
    return Viewer(board=board, namer=Namer.of(board, user), version=_read_version(board, labels))


def get_viewer_from(request: HttpRequest, slug: str) -> Viewer:
    """The same of who asks, at the version that ``?labels=`` names."""
    return get_viewer(request.user, slug, labels=request.GET.get("labels", ""))


def _read_version(board: Board, asked: str) -> int:
    if not asked:
        return board.shown_version
    is_number = asked.isascii() and asked.isdecimal() and len(asked) <= LONGEST_VERSION
    if not is_number or find_shown_version(board, int(asked)) is None:
        raise Http404("There is no such version of the labels.")
    return int(asked)
