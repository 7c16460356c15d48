"""How do the rows of a board reach the database? All of an audience at once, in the place of those before.

Nearly every run more changes nearly every row: its place, or the ranks that it may have. So all are written, as the
database takes thousands of rows soonest.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db import connection

from toprung.web.core.models.boards import Board
from toprung.web.core.models.results import Audience
from toprung.web.core.store.sorting import figures_to_sort

INSERT = """
    INSERT INTO web_standing (board_id, audience, labels_version, submission_id, place, top_group, sorts,
    content)
    VALUES (%s, %s, %s, %s, %s, %s, %s, %s)
"""


@dataclass(frozen=True, kw_only=True)
class StandingContent:
    """What one row says."""

    submission_pk: int
    place: int
    top_group: bool
    content: dict[str, Any]


def replace_standings(board: Board, audience: Audience, labels_version: int, rows: Iterable[StandingContent]) -> None:
    """In a transaction of whoever calls, so that a page sees the old board or the new one."""
    board.standings.filter(audience=audience, labels_version=labels_version).delete()
    which = (board.pk, audience.value, labels_version)
    with connection.cursor() as cursor:
        cursor.executemany(INSERT, [(*which, *_values(row)) for row in rows])


def _values(row: StandingContent) -> tuple[int, int, bool, str, str]:
    sorts, content = json.dumps(figures_to_sort(row.content)), json.dumps(row.content)
    return row.submission_pk, row.place, row.top_group, sorts, content
