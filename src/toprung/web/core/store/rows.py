"""How do stored rows become rows of the library again? Here, and nowhere else; names are joined when they are shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from toprung.boards.row import BoardRow, OutcomeShares, Status
from toprung.report.page.bars import Axis, Interval
from toprung.web.core.models.results import Standing
from toprung.web.core.store.listed import ListedRun
from toprung.web.core.store.relations import BETTER_THAN

LENGTH_INTERVAL = "length_interval"
"""Of the mean search length."""
BESIDE = ("against", "difference", "differences", "others", LENGTH_INTERVAL, BETTER_THAN)
"""What is stored with a row and is no part of it."""


def to_row(standing: Standing | ListedRun, *, team: str, tags: Sequence[str]) -> BoardRow:
    """A row as it was stored, with the names that may be shown now."""
    fields = dict(standing.content)
    for beside in BESIDE:
        fields.pop(beside, None)
    days = {name: _to_day(fields[name]) for name in ("date", "proved_since")}
    made = {
        "outcomes": to_shares(fields["outcomes"]),
        "status": Status(fields["status"]),
        "team": team,
        "tags": tuple(tags),
    }
    return BoardRow(**fields | days | made)


def shares_against(standing: Standing | ListedRun, reference: str, highest: str) -> OutcomeShares | None:
    """The outcomes against the highest score or another reference; None of the reference itself."""
    content = standing.content
    return to_shares(content["outcomes"] if reference == highest else content["against"].get(reference))


def difference_against(standing: Standing | ListedRun, reference: str, highest: str) -> Interval | None:
    """Its score less that of the highest or another reference, where there are no ranks to count outcomes of."""
    content = standing.content
    found = content["difference"] if reference == highest else content["differences"].get(reference)
    return None if found is None else Interval(value=found[0], low=found[1], high=found[2])


def to_shares(content: Mapping[str, float] | None) -> OutcomeShares | None:
    return None if content is None else OutcomeShares(**content)


def to_axis(content: Mapping[str, Any]) -> Axis:
    return Axis(**(dict(content) | {"ticks": tuple(content["ticks"])}))


def _to_day(text: str | None) -> date | None:
    return None if text is None else date.fromisoformat(text)
