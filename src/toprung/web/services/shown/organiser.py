"""Who organises this board? Every page of organisers is fetched through here; for everyone else it is not there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.http import Http404

from toprung.web.core.access.rights import Person
from toprung.web.core.access.viewer import Viewer, get_viewer
from toprung.web.core.models.boards import Board
from toprung.web.core.models.people import User
from toprung.web.core.models.results import StoredResult
from toprung.web.core.work.state import WorkState

PAGES = (
    ("organise", "To do"),
    ("labels", "Labels"),
    ("organise_data", "Data"),
    ("campaigns", "Judging"),
    ("reported_labels", "Reports"),
    ("policy", "Policy"),
    ("people", "People"),
    ("announcements", "Announce"),
    ("baselines", "Baselines"),
    ("validity", "Validity"),
    ("import_runs", "Import"),
    ("audit", "Audit log"),
    ("end_board", "Closing"),
)


@dataclass(frozen=True, kw_only=True)
class OrganiserPage:
    """One organiser before their board."""

    viewer: Viewer
    user: User

    @property
    def board(self) -> Board:
        return self.viewer.board

    def frame(self, page: str, result: StoredResult | None = None, *, json_url: str = "") -> dict[str, Any]:
        """What ``organise/base.html`` shows around every page of organisers."""
        frame = self.viewer.frame("organise", result, json_url=json_url)
        return frame | {"page": page, "organise_pages": PAGES, "work_trouble": WorkState.find().for_organisers}


def organise_at(user: Person, slug: str) -> OrganiserPage:
    """404 for who does not organise the board."""
    viewer = get_viewer(user, slug)
    if not user.is_authenticated or not viewer.is_organiser:
        raise Http404("There is no such page.")
    return OrganiserPage(viewer=viewer, user=user)
