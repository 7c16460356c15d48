"""Which of many runs differ? All compared at once, as on the leaderboard; and every pair by tests and corrections.

Who is better than whom, letters and groups come from the top group (``toprung.boards.engine.top_group``). The grid of
tests and corrections is that of the papers, for information: it decides nothing. In a pair B is the later column, the
newer run, and A the earlier one; a difference is B less A. Everything is kept as arrays with one element per pair: a
thousand runs make half a million pairs.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from toprung.analyses.inputs import check_scores
from toprung.analyses.significance.grid_tests import TESTS
from toprung.analyses.significance.rows import GridRow, make_rows
from toprung.analyses.significance.tables import counts_table, pair_columns, runs_table
from toprung.analyses.significance.words import explain_grid, say_grid, say_notes
from toprung.analyses.subject import MeasureName, Source, to_score_table
from toprung.boards.engine.top_group import TopGroup, find_top_group
from toprung.data.matrices import ScoreTable
from toprung.errors import InputError
from toprung.result import Arrays, Explanation, Fact, Result, Table
from toprung.scoring.catalogue import higher_is_better, scale_of
from toprung.stats.finding import Scale
from toprung.stats.inputs import Floats, Ints, check_share
from toprung.stats.intervals.bootstrap import column_means
from toprung.stats.pairs.pair_blocks import PAIRS_PER_BLOCK
from toprung.stats.pairs.pairwise import iter_pair_tests
from toprung.stats.pairs.results import PairTests, join_blocks
from toprung.stats.ranks.letters import LetterDisplay, letter_display
from toprung.stats.tests.corrections import CORRECTION_NAMES, find_correction
from toprung.stats.tests.pair import PairTest, pair_test
from toprung.workers import IN_PROCESS, Workers

# Beyond so many runs nobody reads letters, and their number can grow without bound.
MOST_LETTERED_RUNS = 60


def significance(
    table: Source,
    runs: Any = None,
    measure: MeasureName = None,
    *,
    tests: Sequence[str] = tuple(TESTS),
    corrections: Sequence[str] = tuple(CORRECTION_NAMES),
    alpha: float = 0.05,
    top: TopGroup | None = None,
    seed: int = 0,
    workers: Workers = IN_PROCESS,
    on_progress: Callable[[str], None] = lambda _: None,
) -> SignificanceGrid:
    """Compare all runs at once, and test every pair of them.

    Parameters
    ----------
    table
        The values of one measure, queries × runs, the older runs first; what ``evaluate`` gave, or labels. Its name
        tells whether less is better.
    runs, measure
        Of the labels, as in ``evaluate``; an evaluation of several measures needs the one that is asked about.
    tests
        Of ``"wrs"`` (rank sum), ``"wsr"`` (signed ranks), ``"t"`` (paired t) and ``"sign"``.
    corrections
        Of ``"raw"``, ``"bonferroni"``, ``"holm"`` and ``"bh"``; the family is all pairs of this report, per test.
    alpha
        The chance that any two runs are told apart wrongly, and the level of every test.
    top
        What was found before of these runs and maybe more; found here when left out.
    seed
        Of the resamples, and of the signed-rank test's permutations, which only fewer than 50 queries need.
    workers
        Who does the work, by blocks of pairs; the result is the same.
    on_progress
        Called after each block of pairs; there are ``count_steps(runs)`` of them.

    Examples
    --------
    >>> values = np.array([[0.1, 0.2, 0.9], [0.3, 0.3, 0.8], [0.2, 0.1, 0.9], [0.2, 0.4, 0.7]] * 3)
    >>> table = ScoreTable(query_ids=tuple("abcdefghijkl"), runs=("x", "y", "z"), values=values, measure="P@10")
    >>> grid = significance(table)
    >>> print(grid.sentence)
    Of 3 pairs, 2 differ beyond chance, all compared at once; z is better than all others.
    >>> grid.letters.letters
    ('a', 'b', 'b')

    """
    table = to_score_table(table, runs, measure)
    check_scores(table, least_queries=1)
    check_share(alpha, name="alpha")
    chosen_tests, chosen_corrections = tuple(dict.fromkeys(tests)), tuple(dict.fromkeys(corrections))
    _check_names("test", chosen_tests, TESTS)
    _check_names("correction", chosen_corrections, CORRECTION_NAMES)
    compared = top or find_top_group(table, alpha=alpha, seed=seed, workers=workers)
    found = _test_pairs(table, seed=seed, workers=workers, on_progress=on_progress)
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
        top=compared.select(table.runs),
        compared=compared,
        only_pair=pair_test(table.values[:, 1] - table.values[:, 0]) if len(compared.runs) == 2 else None,
        alpha=alpha,
        scale=scale_of(table.measure),
        higher_is_better=higher_is_better(table.measure),
        seed=seed,
        digest=table.digest,
        remarks=table.remarks,
    )


def count_steps(n_runs: int) -> int:
    """How often progress is reported for so many runs."""
    return max(1, math.ceil(n_runs * (n_runs - 1) / 2 / PAIRS_PER_BLOCK))


def _test_pairs(table: ScoreTable, *, seed: int, workers: Workers, on_progress: Callable[[str], None]) -> PairTests:
    blocks, done = [], 0
    for block in iter_pair_tests(table.values, seed=seed, workers=workers):
        blocks.append(block)
        done += len(block.pairs)
        on_progress(f"{done:,} pairs")
    return join_blocks(blocks)


def _check_names(what: str, names: Sequence[str], known: Mapping[str, object]) -> None:
    unknown = [name for name in names if name not in known]
    if unknown or not names:
        raise InputError(f"{what}: found {unknown[0] if unknown else 'none'!r}; expected one of {', '.join(known)}.")


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class SignificanceGrid(Result):
    """Every pair of runs under tests and corrections; ``p[test, correction]`` has one element per pair."""

    FRAME = Arrays("pairs", more="pair_columns")
    FIGURES = (
        "measure scale=scale.name.lower() n_different top_group=top.members runs=rows groups",
        Fact("counts", lambda grid: [grid.count(*each) for each in grid.p]),
        FRAME,
    )
    MADE_FROM = (
        "measure scores_digest=digest n_queries n_runs=len(runs) n_pairs alpha",
        Fact("tests", lambda grid: ", ".join(grid.tests)),
        Fact("corrections", lambda grid: ", ".join(grid.corrections)),
        Fact("family", lambda _: "all pairs of this report, per test"),
        "resamples=top.intervals.resamples seed",
    )

    measure: str
    runs: tuple[str, ...]
    means: Floats
    found: PairTests
    p: Mapping[tuple[str, str], Floats]
    """For information: who is better than whom is for ``top`` to say."""
    top: TopGroup
    """Of these runs, by comparing them or more."""
    compared: TopGroup
    """Of all runs that were compared: a row counts those that are not in the grid too, as its ranks do."""
    only_pair: PairTest | None
    """The test of two runs, which decides where there are no others."""
    alpha: float
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
        return np.array([self.runs.index(run) for run in self.top.runs], dtype=np.int64)

    @property
    def ordered_runs(self) -> tuple[str, ...]:
        return self.top.runs

    @property
    def n_different(self) -> int:
        """How many pairs differ; the others cannot be told apart."""
        return int(np.count_nonzero(self.top.is_better))

    def count_significant(self, test: str, correction: str) -> int:
        """For how many pairs a test is significant, for information."""
        return int(np.count_nonzero(self.p[test, correction] <= self.alpha))

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
        """In the order of the means, runs × runs: +1 where the row is better than the column, −1 worse, else 0."""
        is_better = self.top.is_better.astype(np.int8)
        return is_better - is_better.T

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

    @property
    def sentence(self) -> str:
        return say_grid(self)

    @cached_property
    def rows(self) -> tuple[GridRow, ...]:
        """One row a run, the best mean first."""
        return make_rows(self)

    @property
    def table(self) -> Table:
        return runs_table(self)

    @property
    def counts_table(self) -> Table:
        """For how many pairs each test is significant under each correction, for information."""
        return counts_table(self)

    @property
    def tables(self) -> tuple[tuple[str, Table], ...]:
        """The runs, and where there is more than one pair the counts of pairs."""
        if self.n_pairs == 1:
            return super().tables
        return (
            *super().tables,
            (f"For information: significant pairs by each test, of {self.n_pairs:,}", self.counts_table),
        )

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
        return pair_columns(self)

    def count(self, test: str, correction: str) -> dict[str, object]:
        """For how many pairs a test is significant, by its name."""
        return {"test": test, "correction": correction, "significant": self.count_significant(test, correction)}

    def __repr__(self) -> str:
        return f"SignificanceGrid({len(self.runs):,} runs, {self.n_pairs:,} pairs, {self.n_queries:,} queries)"
