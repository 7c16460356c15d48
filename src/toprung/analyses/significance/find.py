"""Which of many runs differ beyond chance? Every pair, by every test and correction, and who cannot be told apart.

In a pair B is the later column, the newer run, and A the earlier one; a difference is B less A. Everything is kept as
arrays with one element per pair: a thousand runs make half a million pairs.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from toprung.analyses.inputs import check_scores
from toprung.analyses.significance.grid_tests import TESTS
from toprung.analyses.significance.words import NAMES_WIDTH, explain_grid, say_grid, say_notes, say_scale
from toprung.data.matrices import ScoreTable
from toprung.errors import InputError
from toprung.result import Arrays, Cell, Explanation, Fact, Result, Table
from toprung.scoring.catalogue import higher_is_better, scale_of
from toprung.stats.finding import Scale
from toprung.stats.inputs import Bools, Floats, Ints, check_share
from toprung.stats.intervals.bootstrap import column_means
from toprung.stats.pairs.pairwise import PAIRS_PER_BLOCK, iter_pair_tests
from toprung.stats.pairs.results import PairTests, join_blocks
from toprung.stats.ranks.letters import LetterDisplay, letter_display
from toprung.stats.ranks.places import best_first
from toprung.stats.tests.corrections import CORRECTION_NAMES, SHORT_CORRECTIONS, find_correction
from toprung.stats.tests.small_samples import USED_METHODS
from toprung.words.wording import fit_names, show_number

if TYPE_CHECKING:
    pass

# Beyond so many runs nobody reads letters, and their number can grow without bound.
MOST_LETTERED_RUNS = 60


def significance(
    table: ScoreTable,
    *,
    tests: Sequence[str] = tuple(TESTS),
    corrections: Sequence[str] = tuple(CORRECTION_NAMES),
    alpha: float = 0.05,
    letters_by: tuple[str, str] | None = None,
    seed: int = 0,
    on_progress: Callable[[str], None] = lambda _: None,
) -> SignificanceGrid:
    """Test every pair of runs.

    Parameters
    ----------
    table
        The values of one measure, queries × runs, the older runs first. Its name tells whether less is better, and
        what its scale permits: tests that need more are marked.
    tests
        Of ``"wrs"`` (rank sum), ``"wsr"`` (signed ranks), ``"t"`` (paired t) and ``"sign"``.
    corrections
        Of ``"raw"``, ``"bonferroni"``, ``"holm"`` and ``"bh"``; the family is all pairs of this report, per test.
    letters_by
        The test and the correction that decide who cannot be told apart: ``("t", "holm")`` where both are asked for,
        otherwise the first of each.
    seed
        Of the signed-rank test's permutations, which only fewer than 50 queries need.
    on_progress
        Called after each block of pairs; there are ``count_steps(runs)`` of them.

    Examples
    --------
    >>> values = np.array([[0.1, 0.2, 0.9], [0.3, 0.3, 0.8], [0.2, 0.1, 0.9], [0.2, 0.4, 0.7]])
    >>> table = ScoreTable(query_ids=("1", "2", "3", "4"), runs=("x", "y", "z"), values=values, measure="P@10")
    >>> grid = significance(table)
    >>> print(grid.sentence)
    Of 3 pairs, 2 differ beyond chance by the paired t-test with Holm's correction; z stands apart from all others.
    >>> grid.letters.letters
    ('a', 'b', 'b')

    """
    check_scores(table, least_queries=1)
    check_share(alpha, name="alpha")
    chosen_tests, chosen_corrections = tuple(dict.fromkeys(tests)), tuple(dict.fromkeys(corrections))
    _check_names("test", chosen_tests, TESTS)
    _check_names("correction", chosen_corrections, CORRECTION_NAMES)
    decided_by = letters_by or (_prefer("t", chosen_tests), _prefer("holm", chosen_corrections))
    if decided_by[0] not in chosen_tests or decided_by[1] not in chosen_corrections:
        raise InputError(f"letters_by: found {decided_by}; expected one of the tests and corrections asked for.")
    found = _test_pairs(table, seed=seed, on_progress=on_progress)
    return SignificanceGrid(
        measure=table.measure,
        runs=table.runs,
        means=column_means(table.values),
        found=found,
        p={
            (test, correction): find_correction(correction)(TESTS[test].of(found).p)
            for test in chosen_tests
            for correction in chosen_corrections
        },
        alpha=alpha,
        letters_by=decided_by,
        scale=scale_of(table.measure),
        higher_is_better=higher_is_better(table.measure),
        seed=seed,
        digest=table.digest,
        remarks=table.remarks,
    )


def count_steps(n_runs: int) -> int:
    """How often progress is reported for so many runs."""
    return max(1, math.ceil(n_runs * (n_runs - 1) / 2 / PAIRS_PER_BLOCK))


def _test_pairs(table: ScoreTable, *, seed: int, on_progress: Callable[[str], None]) -> PairTests:
    blocks, done = [], 0
    for block in iter_pair_tests(table.values, seed=seed):
        blocks.append(block)
        done += len(block.pairs)
        on_progress(f"{done:,} pairs")
    return join_blocks(blocks)


def _check_names(what: str, names: Sequence[str], known: Mapping[str, object]) -> None:
    unknown = [name for name in names if name not in known]
    if unknown or not names:
        raise InputError(f"{what}: found {unknown[0] if unknown else 'none'!r}; expected one of {', '.join(known)}.")


def _prefer(name: str, names: Sequence[str]) -> str:
    return name if name in names else names[0]


@dataclass(frozen=True, kw_only=True)
class GridRow:
    """One run against all others, by the test and correction that decide."""

    run: str
    mean: float
    letters: str | None
    better_than: int
    worse_than: int
    cannot_be_told_apart_from: tuple[str, ...]


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class SignificanceGrid(Result):
    """Every pair of runs under tests and corrections; ``p[test, correction]`` has one element per pair."""

    FRAME = Arrays("pairs", more="pair_columns")
    FIGURES = (
        "measure scale=scale.name.lower() runs=rows groups",
        Fact("counts", lambda grid: [grid.count(*each) for each in grid.p]),
        FRAME,
    )
    MADE_FROM = (
        "measure scores_digest=digest n_queries n_runs=len(runs) n_pairs alpha",
        Fact("tests", lambda grid: ", ".join(grid.tests)),
        Fact("corrections", lambda grid: ", ".join(grid.corrections)),
        Fact("family", lambda _: "all pairs of this report, per test"),
        Fact("told_apart_by", lambda grid: " ".join(grid.letters_by)),
        "seed",
    )

    measure: str
    runs: tuple[str, ...]
    means: Floats
    found: PairTests
    p: Mapping[tuple[str, str], Floats]
    alpha: float
    letters_by: tuple[str, str]
    scale: Scale | None
    higher_is_better: bool
    seed: int
    digest: str
    """Of the scores."""
    remarks: tuple[str, ...] = ()
    score_decimals: int = 4
    """What a mean is written with; fewer where it was rounded before."""

    @property
    def n_pairs(self) -> int:
        return len(self.found.pairs)

    @property
    def n_queries(self) -> int:
        return self.found.n

    @property
    def tests(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(test for test, _ in self.p))

    @property
    def corrections(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(correction for _, correction in self.p))

    @cached_property
    def order(self) -> Ints:
        """Columns of the runs, the best mean first; names decide between the same means."""
        return best_first(self.means, self.runs, higher_is_better=self.higher_is_better)

    @property
    def ordered_runs(self) -> tuple[str, ...]:
        return tuple(self.runs[run] for run in self.order.tolist())

    def is_permitted(self, test: str) -> bool | None:
        """Whether the measure's scale permits a test; None where the scale is not known."""
        return None if self.scale is None else self.scale.permits(TESTS[test].needs)

    def differs(self, test: str, correction: str) -> Bools:
        """For each pair, whether it differs beyond chance."""
        return self.p[test, correction] <= self.alpha

    def count_different(self, test: str, correction: str) -> int:
        """How many pairs differ beyond chance; the others cannot be told apart."""
        return int(np.count_nonzero(self.differs(test, correction)))

    @cached_property
    def interval(self) -> tuple[Floats, Floats]:
        """The t-interval of each pair's mean difference at 1 − alpha, not corrected; NaN below two queries."""
        from scipy.special import stdtrit

        n = self.n_queries
        if n < 2:
            nothing = np.full(self.n_pairs, np.nan)
            return nothing, nothing
        reach = float(stdtrit(n - 1, 1 - self.alpha / 2)) * self.found.t.sd / math.sqrt(n)
        return self.found.t.mean - reach, self.found.t.mean + reach

    @cached_property
    def relations(self) -> np.ndarray[tuple[int, int], np.dtype[np.int8]]:
        """In the order of the means, runs × runs: +1 where the row does better than the column, −1 worse, else 0.

        The test and correction of ``letters_by`` decide; the direction is that of the test's own statistic.
        """
        test, correction = self.letters_by
        side = TESTS[test].of(self.found).direction * (1 if self.higher_is_better else -1)
        favours_b = np.where(self.differs(test, correction), side, 0).astype(np.int8)
        place = np.argsort(self.order)
        a, b = place[self.found.pairs.first], place[self.found.pairs.second]
        relations = np.zeros((len(self.runs), len(self.runs)), dtype=np.int8)
        relations[b, a], relations[a, b] = favours_b, -favours_b
        return relations

    @cached_property
    def letters(self) -> LetterDisplay | None:
        """The compact letter display over ``ordered_runs``; None for more runs than can be read in letters."""
        if len(self.runs) > MOST_LETTERED_RUNS:
            return None
        rows, columns = np.nonzero(np.triu(self.relations))
        return letter_display(len(self.runs), zip(rows.tolist(), columns.tolist(), strict=True))

    @property
    def groups(self) -> tuple[tuple[str, ...], ...]:
        """The runs that share each letter: no two of a group can be told apart."""
        names = self.ordered_runs
        groups = self.letters.groups if self.letters else ()
        return tuple(tuple(names[place] for place in group) for group in groups)

    def not_told_apart_from(self, run: str) -> tuple[str, ...]:
        """The runs that cannot be told apart from this one, the best mean first."""
        names = self.ordered_runs
        if run not in names:
            raise InputError(f"Found no run '{run}'; expected one of {', '.join(self.runs)}.")
        return self._tied_with(names.index(run))

    def _tied_with(self, place: int) -> tuple[str, ...]:
        names = self.ordered_runs
        return tuple(names[other] for other in np.flatnonzero(self.relations[place] == 0).tolist() if other != place)

    @property
    def sentence(self) -> str:
        return say_grid(self)

    @cached_property
    def rows(self) -> tuple[GridRow, ...]:
        """One row a run, the best mean first."""
        letters = self.letters.letters if self.letters else (None,) * len(self.runs)
        return tuple(
            GridRow(
                run=run,
                mean=float(self.means[self.order[place]]),
                letters=letters[place],
                better_than=int((self.relations[place] > 0).sum()),
                worse_than=int((self.relations[place] < 0).sum()),
                cannot_be_told_apart_from=self._tied_with(place),
            )
            for place, run in enumerate(self.ordered_runs)
        )

    @property
    def table(self) -> Table:
        return Table.of(
            self.rows,
            (
                Cell("run", lambda row: row.run),
                Cell(self.measure, lambda row: show_number(row.mean, self.score_decimals), is_number=True),
                *([Cell("letters", lambda row: row.letters)] if self.letters else []),
                Cell("better than", lambda row: str(row.better_than), is_number=True),
                Cell("worse than", lambda row: str(row.worse_than), is_number=True),
                Cell("cannot be told apart from", lambda row: fit_names(row.cannot_be_told_apart_from, NAMES_WIDTH)),
            ),
        )

    @property
    def counts_table(self) -> Table:
        """How many pairs each test tells apart under each correction, and whether the scale permits the test."""
        scale = Cell("scale", lambda test: say_scale(self, test))

        def counts_by(correction: str) -> Cell:
            shown = SHORT_CORRECTIONS[correction]
            return Cell(shown, lambda test: f"{self.count_different(test, correction):,}", is_number=True)

        return Table.of(
            self.tests,
            (
                Cell("test", lambda test: TESTS[test].name),
                *map(counts_by, self.corrections),
                *([scale] if any(map(scale.show, self.tests)) else []),
            ),
        )

    @property
    def tables(self) -> tuple[tuple[str, Table], ...]:
        """The runs, and where there is more than one pair the counts of pairs."""
        if self.n_pairs == 1:
            return super().tables
        return (*super().tables, (f"Pairs told apart, of {self.n_pairs:,}", self.counts_table))

    def paper_tables(self) -> tuple[Table, ...]:
        return tuple(table for _, table in self.tables)

    @property
    def notes(self) -> tuple[str, ...]:
        return say_notes(self)

    @property
    def explanation(self) -> Explanation:
        return explain_grid(self)

    @property
    def pair_columns(self) -> dict[str, Any]:
        """For each pair names, means, difference with its interval, and every p-value and direction."""
        import polars as pl

        names = pl.Series(self.runs, dtype=pl.String)
        first, second = self.found.pairs.first, self.found.pairs.second
        low, high = self.interval
        columns: dict[str, Any] = {
            "a": names.gather(first),
            "b": names.gather(second),
            "delta": self.found.t.mean,
            "delta_low": low,
            "delta_high": high,
            "n": np.full(self.n_pairs, self.n_queries),
            "a_mean": self.means[first],
            "b_mean": self.means[second],
        }
        for test in self.tests:
            for correction in self.corrections:
                columns[_column(test, correction)] = self.p[test, correction]
            columns[f"{test}_direction"] = TESTS[test].of(self.found).direction
        if "wsr" in self.tests:
            columns["wsr_method"] = pl.Series(USED_METHODS).gather(self.found.signed_rank.method.astype(np.uint32))
        if "t" in self.tests:
            columns["t_is_constant"] = self.found.t.is_constant
        return columns

    def count(self, test: str, correction: str) -> dict[str, object]:
        """How many pairs a test tells apart, and what it needs."""
        different = self.count_different(test, correction)
        return {
            "test": test,
            "correction": correction,
            "differ_beyond_chance": different,
            "cannot_be_told_apart": self.n_pairs - different,
            "needs_scale": TESTS[test].needs.name.lower(),
            "is_permitted": self.is_permitted(test),
        }

    def __repr__(self) -> str:
        return f"SignificanceGrid({len(self.runs):,} runs, {self.n_pairs:,} pairs, {self.n_queries:,} queries)"


def _column(test: str, correction: str) -> str:
    return f"{test}_p" if correction == "raw" else f"{test}_p_{correction}"
