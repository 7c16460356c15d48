"""How is a grid of all pairs shown? One row a run, one a test, and for programs one element a pair."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from toprung.analyses.significance.grid_tests import TESTS
from toprung.analyses.significance.words import NAMES_WIDTH
from toprung.result import Cell, Table
from toprung.stats.tests.corrections import SHORT_CORRECTIONS
from toprung.stats.tests.small_samples import USED_METHODS
from toprung.words.wording import fit_names, show_number, show_rank_range

if TYPE_CHECKING:
    from toprung.analyses.significance.find import SignificanceGrid


def runs_table(grid: SignificanceGrid) -> Table:
    """One row a run, the best mean first."""
    return Table.of(
        grid.rows,
        (
            Cell("run", lambda row: row.run),
            Cell(grid.measure, lambda row: show_number(row.mean, grid.score_decimals), is_number=True),
            Cell("rank", lambda row: show_rank_range(row.rank_low, row.rank_high), is_number=True),
            *([Cell("letters", lambda row: row.letters)] if grid.letters else []),
            Cell("better than", lambda row: str(row.better_than), is_number=True),
            Cell("worse than", lambda row: str(row.worse_than), is_number=True),
            Cell("cannot be told apart from", lambda row: fit_names(row.cannot_be_told_apart_from, NAMES_WIDTH)),
        ),
    )


def counts_table(grid: SignificanceGrid) -> Table:
    """For how many pairs each test is significant under each correction."""

    def counts_by(correction: str) -> Cell:
        shown = SHORT_CORRECTIONS[correction]
        return Cell(shown, lambda test: f"{grid.count_significant(test, correction):,}", is_number=True)

    return Table.of(grid.tests, (Cell("test", lambda test: TESTS[test].name), *map(counts_by, grid.corrections)))


def pair_columns(grid: SignificanceGrid) -> dict[str, Any]:
    """For each pair names, means, difference with its interval, who is better, and every p-value and direction.

    ``better`` is +1 where B is better, −1 where A is, and 0 where the two cannot be told apart.
    """
    from toprung.extras.frames import pl

    names = pl.Series(grid.runs, dtype=pl.String)
    first, second = grid.found.pairs.first, grid.found.pairs.second
    place = np.argsort(grid.order)
    low, high = grid.interval
    columns: dict[str, Any] = {
        "a": names.gather(first),
        "b": names.gather(second),
        "delta": grid.found.t.mean,
        "delta_low": low,
        "delta_high": high,
        "n": np.full(grid.n_pairs, grid.n_queries),
        "a_mean": grid.means[first],
        "b_mean": grid.means[second],
        "better": grid.relations[place[second], place[first]],
    }
    return columns | dict(_test_columns(grid))


def _test_columns(grid: SignificanceGrid) -> Iterator[tuple[str, Any]]:
    from toprung.extras.frames import pl

    for test in grid.tests:
        for correction in grid.corrections:
            yield f"{test}_p" if correction == "raw" else f"{test}_p_{correction}", grid.p[test, correction]
        yield f"{test}_direction", TESTS[test].of(grid.found).direction
    if "wsr" in grid.tests:
        yield "wsr_method", pl.Series(USED_METHODS).gather(grid.found.signed_rank.method.astype(np.uint32))
    if "t" in grid.tests:
        yield "t_is_constant", grid.found.t.is_constant
