"""Who organises this board? Every page of organisers is fetched through here; for everyone else it is not there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.http import Http404

from toprung.web.accounts.acting import Person
from toprung.web.accounts.models import User
from toprung.web.boards.looking import Look, look_at
from toprung.web.boards.models import Board, StoredResult

PAGES = (
    ("validity", "Validity"),
    ("audit", "Audit log"),
    ("labels", "Labels"),
    ("policy", "Policy"),
    ("people", "People"),
    ("baselines", "Baselines"),
    ("import_runs", "Import"),
)


@dataclass(frozen=True, kw_only=True)
class Desk:
    """One organiser before their board."""

    look: Look
    user: User

    @property
    def board(self) -> Board:
        return self.look.board

    def frame(self, page: str, result: StoredResult | None = None, *, json_url: str = "") -> dict[str, Any]:
        """What ``organise/base.html`` shows around every page of organisers."""
        frame = self.look.frame("organise", result, json_url=json_url)
        return frame | {"page": page, "organise_pages": PAGES}


def organise_at(user: Person, slug: str) -> Desk:
    """404 for who does not organise the board."""
    look = look_at(user, slug)
    if not user.is_authenticated or not look.is_organiser:
        raise Http404("There is no such page.")
    return Desk(look=look, user=user)
