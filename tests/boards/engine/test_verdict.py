"""What is to be said of two runs? Each row of the table of verdicts, by hand and by pairs of ranks."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.boards.engine.samples import (
    ANSWERS_MORE,
    AT_A_COST,
    CONFLICT,
    NO_HARM,
    NONE_SHARED,
    TEN_QUERIES,
    Counted,
    as_tested,
    parts_of,
    ranks_of,
)

from toprung.boards.engine.parts import PairParts, find_parts
from toprung.boards.engine.verdict import Grade, PairVerdict, Verdict, judge_pair

TOLD, NOT_TOLD = 0.01, 0.4


def shape(found: PairVerdict) -> tuple[str, str, int, int]:
    return found.verdict.value, found.grade.value, found.answered, found.ranking


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        # differ, with a cost: whether harm is excluded no longer matters
        (parts_of((TOLD, 1), (TOLD, -1), (TOLD, 1)), ("B", "cost", -1, 0)),
        (parts_of((TOLD, 1), (NOT_TOLD, 1), (0.05, -1), is_harmless=False), ("B", "cost", 0, -1)),
        (parts_of((TOLD, 1), (TOLD, -1), (TOLD, -1)), ("B", "cost", -1, -1)),
        (parts_of((TOLD, -1), (TOLD, 1), (NOT_TOLD, 1)), ("A", "cost", 1, 0)),
        # differ, no cost, harm excluded
        (parts_of((0.05, 1), (NOT_TOLD, -1), (NOT_TOLD, -1)), ("B", "no_harm", 0, 0)),
        (parts_of((TOLD, -1), (TOLD, -1), (0.051, 1)), ("A", "no_harm", 0, 0)),
        # differ, no cost, harm not excluded, or no first ranks
        (parts_of((TOLD, 1), (TOLD, 1), (TOLD, 1), is_harmless=False), ("B", "better", 0, 0)),
        (PairParts(measure=as_tested(TOLD, -1)), ("A", "better", 0, 0)),
        # do not differ, the parts point two ways
        (parts_of((0.051, 1), (0.05, 1), (0.05, -1)), ("conflict", "", 1, -1)),
        (parts_of((NOT_TOLD, -1), (TOLD, -1), (TOLD, 1)), ("conflict", "", -1, 1)),
        # do not differ, one part is told apart at half the level
        (parts_of((NOT_TOLD, -1), (0.025, 1), (NOT_TOLD, -1)), ("tied", "", 1, 0)),
        (parts_of((NOT_TOLD, 1), (0.026, -1), (0.025, -1)), ("tied", "", 0, -1)),
        # nothing
        (parts_of((NOT_TOLD, 1), (0.026, 1), (0.026, 1)), ("tied", "", 0, 0)),
        (parts_of((NOT_TOLD, 1), (0.04, 1), (0.06, -1)), ("tied", "", 0, 0)),
        (PairParts(measure=as_tested(0.0501)), ("tied", "", 0, 0)),
        (PairParts(measure=as_tested(1.0, 0)), ("tied", "", 0, 0)),
    ],
)
def test_the_first_row_that_fits_decides(parts: PairParts, expected: tuple[str, str, int, int]) -> None:
    assert shape(judge_pair(parts)) == expected


# STATISTICS section 5, pairs i to vi.
@pytest.mark.parametrize(
    ("counted", "expected"),
    [
        (ANSWERS_MORE, ("tied", "", 1, 0)),
        (NO_HARM, ("B", "no_harm", 0, 0)),
        (AT_A_COST, ("B", "cost", -1, 0)),
        (CONFLICT, ("conflict", "", 1, -1)),
        (NONE_SHARED, ("B", "better", 0, 0)),
        (TEN_QUERIES, ("tied", "", 0, 0)),
        ([(3, 3, 50)], ("tied", "", 0, 0)),
        ([(2, 1, 2), (0, 0, 40)], ("tied", "", 0, 0)),
    ],
)
def test_the_verdicts_on_the_statistics_page(counted: list[Counted], expected: tuple[str, str, int, int]) -> None:
    assert shape(judge_pair(find_parts(ranks_of(counted), "a", "b"))) == expected


def test_a_stricter_level_tells_fewer_pairs_apart() -> None:
    parts = find_parts(ranks_of(NO_HARM), "a", "b")  # p = .000488
    assert judge_pair(parts, alpha=0.0005).verdict is Verdict.B
    assert judge_pair(parts, alpha=0.0004).verdict is Verdict.TIED


def test_side_and_difference_follow_from_the_verdict() -> None:
    sides = {Verdict.A: -1, Verdict.B: 1, Verdict.CONFLICT: 0, Verdict.TIED: 0}
    for verdict, side in sides.items():
        found = PairVerdict(verdict=verdict)
        assert found.side == side
        assert found.do_differ is (side != 0)


ranks = st.sampled_from([0, 0, 1, 1, 2, 5, 40])


@given(rows=st.lists(st.tuples(ranks, ranks, st.integers(1, 12)), min_size=1, max_size=12))
def test_exchanging_the_runs_mirrors_the_verdict(rows: list[Counted]) -> None:
    matrix = ranks_of(rows)
    found, turned = judge_pair(find_parts(matrix, "a", "b")), judge_pair(find_parts(matrix, "b", "a"))
    mirror = {Verdict.A: Verdict.B, Verdict.B: Verdict.A}
    assert turned.verdict is mirror.get(found.verdict, found.verdict)
    assert turned.grade is found.grade
    assert (turned.answered, turned.ranking) == (-found.answered, -found.ranking)
    assert (found.grade is Grade.NONE) is not found.do_differ
