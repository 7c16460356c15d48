"""Who looks at which board, and what of it may they see? Asked once for a page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from toprung.web.boards.access import Person, get_board_for_viewer
from toprung.web.boards.models import Audience, Board, LabelSet, LabelUse, StoredResult
from toprung.web.boards.naming import Namer
from toprung.web.boards.provenance import Provenance


@dataclass(frozen=True, kw_only=True)
class Look:
    """One person before one board."""

    board: Board
    namer: Namer

    @property
    def is_organiser(self) -> bool:
        return self.namer.sees_all

    @property
    def audience(self) -> Audience:
        """Organisers see everything; everyone else what the release policy shows."""
        return Audience.ORGANISERS if self.is_organiser else Audience.PUBLIC

    def result(self, kind: str, key: str = "") -> StoredResult | None:
        """As the task stored it for this audience; None where it has not been computed."""
        return self.board.results.filter(kind=kind, key=key, audience=self.audience).first()

    def labels(self) -> LabelSet | None:
        """The labels the leaderboard is on now; None on a board that has none yet."""
        return self.board.label_sets.filter(use=LabelUse.OFFICIAL, is_current=True).first()

    def frame(self, tab: str, result: StoredResult | None = None, *, json_url: str = "") -> dict[str, Any]:
        """What ``boards/board_base.html`` shows around every page of a board."""
        labels = self.labels()
        return {
            "board": self.board,
            "tab": tab,
            "is_organiser": self.is_organiser,
            "labels": labels,
            "provenance": Provenance.of(labels, result, json_url=json_url),
        }


def look_at(user: Person, slug: str) -> Look:
    """What this person may see of the board; 404 where that is nothing."""
    board = get_board_for_viewer(user, slug)
    return Look(board=board, namer=Namer.of(board, user))
