"""Table 3 of Craswell et al. 2021: all rankings of three documents with binary grades, and their RR.

The states stand in the order of the paper; A is (1, 1, 1), C (0, 1, 0), D (0, 0, 1) and B (0, 0, 0).
"""

from __future__ import annotations

import pytest

import toprung as tr
from toprung.analyses.scales.find import check_scale
from toprung.scoring.measure import Measure
from toprung.scoring.rankings import Rankings

PRINTED = {
    (1, 1, 1): "1.00",
    (1, 1, 0): "1.00",
    (1, 0, 1): "1.00",
    (1, 0, 0): "1.00",
    (0, 1, 1): "0.50",
    (0, 1, 0): "0.50",
    (0, 0, 1): "0.33",
    (0, 0, 0): "0.00",
}
A, B, C, D = (1, 1, 1), (0, 0, 0), (0, 1, 0), (0, 0, 1)


@pytest.fixture(scope="module")
def rr() -> dict[tuple[int, ...], float]:
    measure = tr.find_measure("RR")
    assert isinstance(measure, Measure)
    rankings = Rankings.of({1: 3}, 3)
    return dict(zip(map(tuple, rankings.grades.tolist()), rankings.score(measure).tolist(), strict=True))


def test_the_states_and_their_rr_are_as_printed(rr: dict[tuple[int, ...], float]) -> None:
    assert {state: f"{value:.2f}" for state, value in rr.items()} == PRINTED


def test_rr_takes_the_four_values_of_the_text() -> None:
    found = check_scale("RR", length=3, grades=2)
    assert [f"{row.value:.2f}" for row in found.rows()] == ["1.00", "0.50", "0.33", "0.00"]
    assert [row.n_rankings for row in found.rows()] == [4, 2, 1, 1]


def test_the_difference_of_c_and_d_cannot_be_laid_off_from_a_or_b(rr: dict[tuple[int, ...], float]) -> None:
    difference = rr[C] - rr[D]
    assert f"{difference:.2f}" == "0.17"
    violation = check_scale("RR", length=3, grades=2).unreachable[0]
    assert violation.difference == pytest.approx(difference)
    assert (violation.lower, violation.upper) == pytest.approx((rr[D], rr[C]))
    assert violation.unreachable == pytest.approx((rr[B] + difference, rr[A] - difference))
    assert violation.unreachable == pytest.approx((1 / 6, 5 / 6))
    assert [f"{value:.2f}" for value in violation.unreachable] == ["0.17", "0.83"]


def test_the_ranked_version_takes_every_state_a_whole_step_apart() -> None:
    found = check_scale("Interval(of='RR')@3", length=3, grades=2)
    assert found.levels == pytest.approx([0, 1 / 3, 2 / 3, 1])
    assert found.unreachable == ()
