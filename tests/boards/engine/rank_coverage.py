"""Do the rank intervals of all runs hold at once?

Boards of which the true means are known. The ranks that are right for a run are all those its equals occupy; a board
counts only if the intervals of all its runs hold them.

``python -m tests.boards.engine.rank_coverage`` prints the figures.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from tests.boards.engine.samples import scores_of

from toprung.boards.engine.top_group import find_top_group
from toprung.stats.models.board_model import ms_marco_like

type Floats = NDArray[np.float64]
type Draw = Callable[[Sequence[float], int, np.random.Generator], Floats]

BOARDS = 500
MORE_BOARDS = 1_500
"""Where the intervals hold least often: equal runs on the sparse model, 215 queries and more."""
EQUAL = (0.0,) * 20
GROUPS = tuple(np.repeat([0.0, 0.05, 0.1, 0.15], 5))


def draw_normal(gains: Sequence[float], queries: int, rng: np.random.Generator) -> Floats:
    """Half of the variance is the query's."""
    return np.array(gains) + 0.3 * (rng.normal(size=(queries, 1)) + rng.normal(size=(queries, len(gains))))


def draw_skewed(gains: Sequence[float], queries: int, rng: np.random.Generator) -> Floats:
    """Each run's own part is log-normal, of skewness 4, less its mean; runs are skewed to either side."""
    own = rng.lognormal(0, 0.8, (queries, len(gains))) - np.exp(0.32)
    side = np.where(np.arange(len(gains)) % 2, 1.0, -1.0)
    return np.array(gains) + 0.3 * (side * own + rng.normal(size=(queries, 1)))


def draw_sparse(gains: Sequence[float], queries: int, rng: np.random.Generator) -> Floats:
    """RR as on MS MARCO; successive runs are kin."""
    model = ms_marco_like()
    return model.scores[model.draw([model.mean + gain for gain in gains], queries=queries, rng=rng)].T


SETTINGS: dict[str, tuple[Draw, tuple[float, ...], int]] = {
    f"{kind}, 20 runs, {what}, {queries:,} queries": (draw, gains, queries)
    for kind, draw, sizes in (
        ("normal", draw_normal, (50, 215)),
        ("skewed", draw_skewed, (50, 215)),
        ("sparse RR", draw_sparse, (50, 215, 1_000)),
    )
    for what, gains in (("all equal", EQUAL), ("four groups", GROUPS))
    for queries in sizes
}


@dataclass(frozen=True, kw_only=True)
class Coverage:
    """Shares of boards."""

    intervals: float
    top: float
    """On which all that are truly best are in the top group."""


def boards_of(name: str) -> int:
    draw, gains, queries = SETTINGS[name]
    return MORE_BOARDS if draw is draw_sparse and gains == EQUAL and queries >= 215 else BOARDS


def cover(name: str, *, boards: int) -> Coverage:
    draw, gains, queries = SETTINGS[name]
    each = np.array(gains)
    best, worst = 1 + (each > each[:, None]).sum(axis=1), len(each) - (each < each[:, None]).sum(axis=1)
    held, top_held = 0, 0
    for number in range(boards):
        table = scores_of(draw(gains, queries, np.random.default_rng([queries, number])), measure="nDCG@10")
        found = find_top_group(table, seed=number)
        rows = np.array([found.row(run) for run in table.runs])
        low, high = found.intervals.low[rows], found.intervals.high[rows]
        held += bool(((low <= best) & (high >= worst)).all())
        top_held += bool(found.is_member[rows][best == 1].all())
    return Coverage(intervals=held / boards, top=top_held / boards)


def main() -> None:
    for name in SETTINGS:
        found = cover(name, boards=boards_of(name))
        print(
            f"{name}, {boards_of(name):,} boards: all intervals {found.intervals:.3f}, top {found.top:.3f}", flush=True
        )


if __name__ == "__main__":
    main()
