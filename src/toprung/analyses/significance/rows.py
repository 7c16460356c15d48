"""What is a run to all others of a grid? One row for each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from toprung.analyses.significance.find import SignificanceGrid


@dataclass(frozen=True, kw_only=True)
class GridRow:
    """One run against all others."""

    run: str
    mean: float
    rank_low: int
    rank_high: int
    top_group: bool
    """Whether it may be best: no run is better."""
    letters: str | None
    better_than: int
    worse_than: int
    cannot_be_told_apart_from: tuple[str, ...]


def make_rows(grid: SignificanceGrid) -> tuple[GridRow, ...]:
    """The best mean first."""
    top, every, letters = grid.top, grid.compared, grid.letters.letters if grid.letters else (None,) * len(grid.runs)
    return tuple(
        GridRow(
            run=run,
            mean=float(grid.means[grid.order[place]]),
            rank_low=int(top.intervals.low[place]),
            rank_high=int(top.intervals.high[place]),
            top_group=bool(top.is_member[place]),
            letters=letters[place],
            better_than=len(every.better_than(run)),
            worse_than=len(every.worse_than(run)),
            cannot_be_told_apart_from=every.not_told_apart_from(run),
        )
        for place, run in enumerate(top.runs)
    )
