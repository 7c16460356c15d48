from __future__ import annotations

import pytest

import toprung as tr

# Cooper's levels: two non-relevant documents, then a level of two relevant and three non-relevant ones.
LEVELS = {"q": {"n1": 2.0, "n2": 2.0, "r1": 1.0, "r2": 1.0, "n3": 1.0, "n4": 1.0, "n5": 1.0}}
LABELS = {"q": {"r1": 1, "r2": 1}}
# One level of one relevant and nine non-relevant documents.
ONE_LEVEL = {"q": {"r1": 1.0, **{f"n{i}": 1.0 for i in range(9)}}}


def value(run: dict[str, dict[str, float]], labels: dict[str, dict[str, int]], measure: str) -> float:
    return tr.evaluate(labels, {"run": run}, measure).value("run", measure)


def test_the_first_of_two_relevant_in_the_second_level_is_expected_at_rank_4() -> None:
    # 2 before it, then (5 + 1) / (2 + 1) places into the level
    assert value(LEVELS, LABELS, "ESL(ties='expected')") == pytest.approx(4)
    # ranks 3 to 6 with chances .4, .3, .2, .1
    assert value(LEVELS, LABELS, "RR(ties='expected')") == pytest.approx(53 / 200)


def test_the_second_of_two_relevant_in_the_second_level_is_expected_at_rank_6() -> None:
    assert value(LEVELS, LABELS, "ESL(mth=2, ties='expected')") == pytest.approx(6)


def test_the_second_may_stand_in_a_later_level_than_the_first() -> None:
    # r1 alone on top, then r2 tied with n1: rank 2 or 3.
    run = {"q": {"r1": 3.0, "r2": 1.0, "n1": 1.0}}
    assert value(run, LABELS, "ESL(mth=2, ties='expected')") == pytest.approx(2.5)


def test_one_relevant_among_ten_ties_is_expected_in_the_middle() -> None:
    assert value(ONE_LEVEL, {"q": {"r1": 1}}, "ESL(ties='expected')") == pytest.approx(5.5)
    assert value(ONE_LEVEL, {"q": {"r1": 1}}, "RR(ties='expected')") == pytest.approx(0.292897, abs=5e-7)


def test_a_cutoff_leaves_only_the_orders_that_show_it() -> None:
    # At most rank 2: half of two tenths each at 1 and 2.
    assert value(ONE_LEVEL, {"q": {"r1": 1}}, "RR(ties='expected')@2") == pytest.approx(0.1 * (1 + 1 / 2))
    assert value(ONE_LEVEL, {"q": {"r1": 1}}, "ESL(ties='expected')@2") == pytest.approx(1.5)


def test_without_ties_the_expected_rank_is_the_rank() -> None:
    run = {"q": {"n1": 3.0, "r1": 2.0, "r2": 1.0}}
    assert value(run, LABELS, "ESL(ties='expected')") == value(run, LABELS, "ESL") == 2
    assert value(run, LABELS, "RR(ties='expected')") == value(run, LABELS, "RR") == 0.5


def test_ties_cannot_move_an_average_over_all_ties() -> None:
    (score,) = tr.evaluate(LABELS, {"run": LEVELS}, "RR(ties='expected')").scores
    assert score.tie_low == pytest.approx(score.value)
    assert score.tie_high == pytest.approx(score.value)


def test_another_way_to_treat_ties_is_refused() -> None:
    with pytest.raises(tr.MeasureError, match="expected ties='doc_id' or ties='expected'"):
        tr.find_measure("RR(ties='file')")
