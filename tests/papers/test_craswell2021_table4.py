"""Table 4 of Craswell et al. 2021, as printed: by which reading can its figures have come about?

The runs are not public, so the figures cannot be computed again. But not every table is possible: whatever the runs,
the directions of two halves come apart equally often for all tests of one aggregate, and how many halves find a pair
significant does not depend on the aggregate. Tables 4a and 4b then leave only the reading "table4ab", and 4c only
that of the text.
"""

from __future__ import annotations

from dataclasses import asdict

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import linprog

from toprung.analyses.agreement.words import PUBLISHED_HEADER, ROWS
from toprung.stats.pairs.split_half import AGGREGATES, COLUMNS, Rates, Reading, read_counts

type Floats = NDArray[np.float64]

# In percent; the columns are those of COLUMNS.
PRINTED = {
    "4a": {
        "agree": [93.3, 92.1, 91.2, 91.7, 80.2, 81.2, 80.7],
        "partial": [3, 3, 3, 3, 16.1, 16.1, 16.1],
        "disagree": [3.7, 4.9, 5.8, 5.3, 3.7, 2.7, 3.2],
        "significant": [95.0, 79.7, 92.7, 79.8, 95.0, 79.7, 92.7],
    },
    "4b": {
        "agree": [92.8, 91.6, 90.8, 90.8, 80.6, 81.4, 81.2],
        "partial": [3.3, 3.3, 3.3, 3.3, 15.5, 15.5, 15.5],
        "disagree": [3.9, 5.1, 5.9, 5.9, 3.9, 3.1, 3.3],
        "significant": [94.6, 79.8, 92.8, 79.9, 94.6, 79.8, 92.8],
    },
    "4c": {
        "agree": [94.9, 92.2, 91.0, 91.8, 85.2, 84.2, 83.3],
        "partial": [1.8, 7.7, 8.4, 8.1, 1.8, 10.4, 6.2],
        "disagree": [3.2, 0.1, 0.6, 0.1, 13.0, 5.4, 10.5],
        "significant": [97.9, 81.1, 93.3, 81.4, 97.9, 81.1, 93.3],
    },
}
ROUNDING = 0.05 + 1e-9
CELLS = 6  # of a column: same direction or not × significant in none, one or both halves


@pytest.mark.parametrize("table", PRINTED)
def test_the_printed_columns_sum_to_100_within_rounding(table: str) -> None:
    rows = PRINTED[table]
    for cells in zip(rows["agree"], rows["partial"], rows["disagree"], strict=True):
        assert sum(cells) == pytest.approx(100, abs=3 * ROUNDING)


@pytest.mark.parametrize("table", PRINTED)
def test_the_printed_share_of_significant_pairs_does_not_depend_on_the_aggregate(table: str) -> None:
    significant = PRINTED[table]["significant"]
    assert significant[:3] == significant[4:]


@pytest.mark.parametrize(("table", "is_equal"), [("4a", True), ("4b", True), ("4c", False)])
def test_partial_agreement_is_the_same_for_all_tests_in_4a_and_4b_only(table: str, is_equal: bool) -> None:
    partial = PRINTED[table]["partial"]
    assert (len(set(partial[:4])) == len(set(partial[4:])) == 1) is is_equal


def test_only_by_the_reading_of_4a_and_4b_is_partial_agreement_the_same_for_all_tests() -> None:
    # The same directions, 20 of 100 apart, seen by a test that finds little and by one that finds much.
    weak, strong = np.array([[70, 8, 2], [20, 0, 0]]), np.array([[5, 15, 60], [9, 10, 1]])
    assert read_counts(weak, "table4ab").partial == read_counts(strong, "table4ab").partial == 0.2
    assert read_counts(weak, "text").partial != read_counts(strong, "text").partial


@pytest.mark.parametrize(
    ("table", "reading", "is_possible"),
    [
        ("4a", "table4ab", True),
        ("4b", "table4ab", True),
        ("4c", "text", True),
        ("4a", "text", False),
        ("4b", "text", False),
        ("4c", "table4ab", False),
    ],
)
def test_each_table_can_only_have_come_about_by_one_reading(table: str, reading: Reading, is_possible: bool) -> None:
    counts = find_counts(PRINTED[table], reading)
    assert (counts is not None) is is_possible
    if counts is not None:
        for name, found in asdict(read_counts(counts, reading)).items():
            assert 100 * found == pytest.approx(np.array(PRINTED[table][name]), abs=2 * ROUNDING)


def find_counts(printed: dict[str, list[float]], reading: Reading) -> Floats | None:
    """Counts (columns × 2 × 3, as shares) that give every printed figure and that runs and splits could give."""
    figures, at_most, at_least = [], [], []
    for name, per_cell in asdict(read_cell_by_cell(reading)).items():
        for column, percent in enumerate(printed[name]):
            figures.append(place(column, per_cell))
            at_most.append((percent + ROUNDING) / 100)
            at_least.append((percent - ROUNDING) / 100)
    found = linprog(
        np.zeros(len(COLUMNS) * CELLS),
        A_ub=np.vstack([np.array(figures), -np.array(figures)]),
        b_ub=np.concatenate([at_most, -np.array(at_least)]),
        A_eq=np.vstack([place(column, np.ones(CELLS)) for column in range(len(COLUMNS))] + what_must_be_equal()),
        b_eq=np.concatenate([np.ones(len(COLUMNS)), np.zeros(len(what_must_be_equal()))]),
    )
    return found.x.reshape(len(COLUMNS), 2, 3) if found.status == 0 else None


def read_cell_by_cell(reading: Reading) -> Rates:
    """What each cell of a column counts for: the reading of a pair that falls in it."""
    return read_counts(np.eye(CELLS, dtype=np.int64).reshape(CELLS, 2, 3), reading)


def place(column: int, per_cell: Floats) -> Floats:
    """Coefficients of one column's cells among those of all columns."""
    row = np.zeros((len(COLUMNS), CELLS))
    row[column] = per_cell
    return row.ravel()


def what_must_be_equal() -> list[Floats]:
    """Differences that are 0: flips of two tests of an aggregate, and halves significant by either aggregate."""
    flips = np.repeat([0.0, 1.0], 3)
    equal = [
        place(column, flips) - place(COLUMNS.index(("sign", by)), flips)
        for column, (test, by) in enumerate(COLUMNS)
        if test != "sign"
    ]
    for test in ("sign", "wrs", "wsr"):
        by_mean, by_median = (COLUMNS.index((test, by)) for by in AGGREGATES)
        for halves in range(3):
            is_so = np.tile(np.arange(3) == halves, 2).astype(np.float64)
            equal.append(place(by_mean, is_so) - place(by_median, is_so))
    return equal


def test_our_table_has_the_printed_shape() -> None:
    assert len(PUBLISHED_HEADER) == 1 + len(COLUMNS) == 1 + len(PRINTED["4a"]["agree"])
    assert list(ROWS) == list(PRINTED["4a"])
    assert list(ROWS.values()) == ["agree", "part. agree", "disagree", "perc. signif."]
