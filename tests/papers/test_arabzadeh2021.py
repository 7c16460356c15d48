"""What Arabzadeh et al. 2021 print of win ratios and labels, against the functions that would make it."""

from __future__ import annotations

import csv
import io
from itertools import combinations

import numpy as np
import pytest

from toprung.analyses.win_ratio.result import WinRatio, WinRatios
from toprung.stats.intervals.proportions import wilson_share
from toprung.stats.tests.binomial import exact_binomial_p

# Table 4: how often the run of the column beats that of the row, in percent.
TABLE_4 = """\
row,perfect,A,B,C,D,E,F,G,H,I,J,L
perfect,,49.3,60.8,58.6,51.4,49.7,59.0,55.8,58.7,55.6,51.8,51.0
A,50.7,,55.2,58.0,48.4,45.7,53.1,53.8,55.3,52.7,48.6,45.6
B,39.2,44.8,,51.5,44.9,44.4,49.0,48.1,52.0,51.2,45.1,41.1
C,41.4,42.0,48.5,,42.4,42.5,49.2,34.5,51.9,47.9,39.8,40.5
D,48.6,51.6,55.1,57.6,,46.4,54.6,53.1,55.8,52.1,50.6,46.7
E,50.3,54.3,55.6,57.5,53.6,,54.2,51.5,54.8,51.1,47.6,48.1
F,41.0,46.9,51.0,50.8,45.4,45.8,,44.3,55.6,49.8,42.5,42.0
G,44.2,46.2,51.9,65.5,46.9,48.5,55.7,,56.3,55.8,44.1,43.3
H,41.3,44.7,48.0,48.1,44.2,45.2,44.4,43.7,,47.5,43.8,42.0
I,44.4,47.3,48.8,52.1,47.9,48.9,50.2,44.2,52.5,,44.1,42.2
J,48.2,51.4,54.9,60.2,49.4,52.4,57.5,55.9,56.3,55.9,,49.7
L,49.0,54.4,58.9,59.5,53.3,51.9,58.0,56.7,58.0,57.8,50.3,
wins,2,4,8,10,3,2,8,6,11,8,3,1
"""


@pytest.fixture(scope="module")
def printed() -> list[list[str]]:
    return list(csv.reader(io.StringIO(TABLE_4)))


@pytest.fixture(scope="module")
def ratios(printed: list[list[str]]) -> np.ndarray:
    return np.array([[float(cell) / 100 if cell else np.nan for cell in row[1:]] for row in printed[1:-1]])


@pytest.fixture(scope="module")
def found(printed: list[list[str]], ratios: np.ndarray) -> WinRatios:
    """Our result with the ratios above the diagonal, as if each were of 1,000 queries."""
    runs = printed[0][1:]
    pairs = []
    for row, column in combinations(range(len(runs)), 2):
        wins = round(1000 * ratios[row, column])
        pairs.append(
            WinRatio(
                run=runs[column],
                other=runs[row],
                wins=wins,
                losses=1000 - wins,
                ties=0,
                unjudged=0,
                same=0,
                interval=wilson_share(wins, 1000),
                p=1.0,
                corrected_p=1.0,
            )
        )
    return WinRatios(
        runs=tuple(runs), pairs=tuple(pairs), n_queries=1000, perfect="perfect", correction="bonferroni", alpha=0.05
    )


def test_the_ratios_below_the_diagonal_are_the_complements_of_those_above(found: WinRatios, ratios: np.ndarray) -> None:
    below = np.tril_indices(12, k=-1)
    assert len(below[0]) == 66
    assert np.abs(found.ratios - ratios)[below].max() < 0.001 + 1e-9  # the paper rounds both


def test_the_wins_row_recomputes_from_the_matrix(printed: list[list[str]], found: WinRatios) -> None:
    assert list(found.won.values()) == [int(cell) for cell in printed[-1][1:]]


def test_run_h_wins_against_all_eleven_others(found: WinRatios) -> None:
    assert found.sentence.startswith("H wins more often than not against all")


def test_only_b_c_f_and_h_may_beat_perfect_beyond_chance(printed: list[list[str]], ratios: np.ndarray) -> None:
    # Of at most 500 queries, three are said to be significant after Bonferroni over 66 pairs. At the largest n
    # possible, these four would be; which of them had the fewest queries the paper does not print.
    wins = np.round(500 * ratios[0, 1:])
    p = exact_binomial_p(wins, np.full(11, 500))
    names = [name for name, each in zip(printed[0][2:], p, strict=True) if 66 * each < 0.05]
    assert names == ["B", "C", "F", "H"]
