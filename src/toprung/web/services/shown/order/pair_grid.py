"""Which of the first runs differ from which? A square of pairs, read from the rows of the board."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from toprung.boards.engine.words import NOT_TOLD_APART
from toprung.web.core.access.namer import Identity
from toprung.web.core.access.viewer import Viewer
from toprung.web.core.store.relations import relation_of
from toprung.web.services.shown.board.listing import ORDER

MOST_IN_SQUARE = 14
SIGNS = {1: "▲", -1: "▼", 0: "·"}
CLASSES = {1: "up", -1: "dn", 0: "eq"}


@dataclass(frozen=True, kw_only=True)
class GridCell:
    """One pair, from the side of the run of the row."""

    run: str
    """That of the column; empty where row and column are one run."""
    sign: str = ""
    colour: str = ""
    words: str = ""


@dataclass(frozen=True, kw_only=True)
class PairRow:
    """A run against all others."""

    run: str
    identity: Identity
    cells: Sequence[GridCell]


def find_pair_rows(viewer: Viewer) -> list[PairRow]:
    """Of the first runs by score, as far as they are shown."""
    standings = viewer.standings().filter(submission__withdrawn_at=None).select_related("submission__team")
    rows = list(standings.order_by(*ORDER)[:MOST_IN_SQUARE])
    names = {each.pk: viewer.namer.name(each.submission) for each in rows}
    return [
        PairRow(
            run=row.submission.run_id,
            identity=names[row.pk],
            cells=[
                GridCell(run="")
                if row.pk == other.pk
                else _to_cell(other.submission.run_id, names[row.pk], names[other.pk], relation_of(other, row))
                for other in rows
            ],
        )
        for row in rows
    ]


def _to_cell(run: str, this: Identity, other: Identity, relation: int) -> GridCell:
    said = {
        1: f"{this.name} does better than {other.name}",
        -1: f"{this.name} does worse than {other.name}",
        0: f"{this.name} and {other.name} {NOT_TOLD_APART}",
    }
    return GridCell(run=run, sign=SIGNS[relation], colour=CLASSES[relation], words=said[relation])
