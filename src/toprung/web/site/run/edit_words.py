"""How were the words of a run changed? Each edit as rows of before and after, for people to read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from toprung.data.run_card import card_fields
from toprung.web.core.models.runs import MetadataEdit, Submission

NOTHING = "nothing"


@dataclass(frozen=True, kw_only=True)
class Change:
    """One field, before and after."""

    field: str
    before: str
    after: str


@dataclass(frozen=True, kw_only=True)
class EditRow:
    """One edit; who made it is for the team and for organisers."""

    at: datetime
    who: str
    changes: list[Change]


def edit_rows(submission: Submission, *, shows_who: bool) -> Iterator[EditRow]:
    for edit in submission.edits.select_related("user").order_by("-at", "-pk"):
        yield EditRow(at=edit.at, who=str(edit.user) if shows_who else "", changes=list(_changes(edit)))


def _changes(edit: MetadataEdit) -> Iterator[Change]:
    labels = {each.name: each.label for each in card_fields()}
    for name, after in edit.after.items():
        yield Change(field=labels[name], before=_show(edit.before[name]), after=_show(after))


def _show(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(value) or NOTHING
    return NOTHING if value is None or value == "" else str(value)
