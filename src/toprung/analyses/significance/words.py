"""What do all pairs say? The sentence on a grid of tests, its notes, and how it was found."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from toprung.analyses.significance.grid_tests import TESTS
from toprung.boards.engine.words import NOT_TOLD_APART
from toprung.result import Explanation
from toprung.stats.finding import Scale
from toprung.stats.tests.pair import PairTest
from toprung.words.assumptions import FAIR_SAMPLE, SAME_QUERIES, say_equal_steps
from toprung.words.wording import fit_names, list_names, say_count, say_p, show_confidence, show_interval, show_number

if TYPE_CHECKING:
    from toprung.analyses.significance.find import SignificanceGrid

MOST_GROUPS_SAID = 8
NAMES_WIDTH = 40


def say_grid(grid: SignificanceGrid) -> str:
    """How many pairs differ, and who cannot be told apart from the first."""
    if grid.only_pair is not None:
        return _say_only_pair(grid, grid.only_pair)
    different = grid.n_different
    verb = "differs" if different in (0, 1) else "differ"
    count = {0: "none", grid.n_pairs: "all"}.get(different, f"{different:,}")
    return (
        f"Of {say_count(grid.n_pairs, 'pair')}, {count} {verb} beyond chance, all compared at once; {_say_first(grid)}."
    )


def _say_first(grid: SignificanceGrid) -> str:
    first = grid.ordered_runs[0]
    tied = grid.top.not_told_apart_from(first)
    if not tied:
        return f"{first} is better than all others"
    if len(tied) == len(grid.runs) - 1:
        return f"no run can be told apart from {first}, the first by {grid.measure}"
    return f"{list_names(list(tied))} cannot be told apart from {first}, the first by {grid.measure}"


def _say_only_pair(grid: SignificanceGrid, found: PairTest) -> str:
    """The pair from the side of the run with the better mean; of runs compared among more, by all of them."""
    first, second = grid.ordered_runs
    low, high = (float(bound[0]) for bound in grid.interval)
    difference = float(grid.found.t.mean[0])
    if first == grid.runs[0]:
        difference, low, high = -difference, -high, -low
    told = (
        f"the difference is {show_number(difference, 4, signed=True)} ({_level(grid)} {show_interval(low, high, 4)}), "
        f"{say_p(found.p)}, {_queries(grid)}"
    )
    if grid.relations[0, 1]:
        return f"{first} is better than {second} in {grid.measure}: {told}."
    return f"{first} and {second} {NOT_TOLD_APART} in {grid.measure}: {told}."


def _queries(grid: SignificanceGrid) -> str:
    return say_count(grid.n_queries, "query", "queries")


def _level(grid: SignificanceGrid) -> str:
    return show_confidence(1 - grid.alpha)


def say_notes(grid: SignificanceGrid) -> tuple[str, ...]:
    """How to read the tables, and what to be careful about."""
    p_values = (_say_p(grid, test) for test in grid.tests) if grid.n_pairs == 1 else ()
    return (*_reading_notes(grid), *p_values, *_other_notes(grid), *grid.remarks)


def explain_grid(grid: SignificanceGrid) -> Explanation:
    """How pairs were compared, in plain words."""
    tests = list_names([TESTS[test].name for test in grid.tests])
    if grid.only_pair is not None:
        how = (
            f"The two runs are compared on {grid.measure} over {_queries(grid)}: exactly where they differ on few, "
            f"else by the paired t-test, at {grid.alpha:g}."
        )
    else:
        letters = "" if grid.letters is None else "; two runs share a letter if they are not (Piepho 2004)"
        how = (
            f"All runs are compared at once on {grid.measure} over {_queries(grid)}, and told apart at {grid.alpha:g} "
            f"for all pairs together (resampled largest t, step-down; Mogstad et al. 2024){letters}."
        )
    more = f"For information every pair is also tested by the {tests}, two-sided."
    return Explanation(how=f"{how} {more}", assumptions=tuple(_say_assumptions(grid)))


def _say_assumptions(grid: SignificanceGrid) -> Iterator[str]:
    yield FAIR_SAMPLE
    yield SAME_QUERIES
    if grid.scale is Scale.ORDINAL:
        yield say_equal_steps(grid.measure)


def _reading_notes(grid: SignificanceGrid) -> Iterator[str]:
    """How the table came about."""
    if grid.n_pairs == 1:
        return
    yield f"Table: all runs compared at once as on the leaderboard, at {grid.alpha:g}, over {_queries(grid)}."
    if grid.letters is None:
        yield f"Letters: left out, for {len(grid.runs):,} runs would need too many to be read."
        return
    groups = zip(grid.letters.groups, grid.letters.names, strict=True)
    shared = [f"{_say_group(grid, group)} ({name})" for group, name in groups if len(group) > 1]
    if shared:
        rest = f" and {len(shared) - MOST_GROUPS_SAID} more" if len(shared) > MOST_GROUPS_SAID else ""
        yield f"Groups that cannot be told apart: {', '.join(shared[:MOST_GROUPS_SAID])}{rest}."


def _say_group(grid: SignificanceGrid, group: tuple[int, ...]) -> str:
    names = [grid.ordered_runs[place] for place in group]
    is_unbroken = group[-1] - group[0] + 1 == len(group)
    return f"{names[0]} to {names[-1]}" if is_unbroken and len(group) > 2 else fit_names(names, NAMES_WIDTH)


def _say_p(grid: SignificanceGrid, test: str) -> str:
    """What a test says of the only pair, for information."""
    name = TESTS[test].name
    return f"{name[0].upper()}{name[1:]}: {say_p(float(TESTS[test].of(grid.found).p[0]))}."


def _other_notes(grid: SignificanceGrid) -> Iterator[str]:
    if grid.n_pairs > 1:
        yield (
            "Tests and corrections are for information and decide nothing; family of each correction: all "
            f"{grid.n_pairs:,} pairs of this report, test by test."
        )
    yield from _warnings(grid)
    yield f"CSV and JSON have every pair: B, the later run, less A, with its {_level(grid)} t-interval and every p."


def _warnings(grid: SignificanceGrid) -> Iterator[str]:
    """What to be careful about, only where it happened."""
    if "t" in grid.tests and (constant := int(np.count_nonzero(grid.found.t.is_constant))):
        yield (
            f"In {say_count(constant, 'pair')} every query differs by the same amount: the paired t-test then "
            "gives p = 0, which no sampling could give."
        )
    if "wsr" in grid.tests and grid.found.signed_rank.method.any():
        yield (
            "Signed ranks of fewer than 50 queries: exact, or by permutation where differences tie or are zero "
            f"(seed {grid.seed})."
        )
