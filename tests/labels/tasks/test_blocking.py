"""Who is offered no more work?"""

from __future__ import annotations

import pytest

from toprung.errors import InputError
from toprung.labels.tasks.blocking import BlockRule, is_blocked, read_block_rule


def chance_to_be_blocked(p_miss: float, *, n_tasks: int, per_task: int = 3, rule: BlockRule = BlockRule.TEST) -> float:
    """Exactly: the chances of each count of misses, task after task, of those who are not blocked yet."""
    still = {0: 1.0}
    for task in range(1, n_tasks + 1):
        for _ in range(per_task):
            after: dict[int, float] = {}
            for missed, chance in still.items():
                after[missed] = after.get(missed, 0) + chance * (1 - p_miss)
                after[missed + 1] = after.get(missed + 1, 0) + chance * p_miss
            still = after
        still = {missed: chance for missed, chance in still.items() if not is_blocked(task * per_task, missed, rule)}
    return 1 - sum(still.values())


def test_a_careful_person_is_blocked_in_one_of_a_hundred_careers_at_most() -> None:
    assert chance_to_be_blocked(0.02, n_tasks=50) < 0.01
    assert chance_to_be_blocked(0.02, n_tasks=500) < 0.01


def test_whoever_answers_at_random_is_blocked_soon() -> None:
    assert chance_to_be_blocked(0.5, n_tasks=1) == pytest.approx(0.5)  # two or three misses of three
    assert chance_to_be_blocked(0.5, n_tasks=3) > 0.85
    assert chance_to_be_blocked(0.5, n_tasks=6) > 0.98


def test_at_the_first_miss_a_careful_person_would_not_last() -> None:
    """JUDGING.md 5: with 2% slips most are blocked after some 17 tasks."""
    assert chance_to_be_blocked(0.02, n_tasks=17, rule=BlockRule.FIRST_MISS) == pytest.approx(1 - 0.98**51)
    assert chance_to_be_blocked(0.02, n_tasks=12, rule=BlockRule.FIRST_MISS) > 0.5


def test_the_evidence_by_hand() -> None:
    """One of three: ∫ p(1−p)² = 1/12 beside .02 × .98² is 4.3; two of three 1/12 beside .02² × .98 is 213."""
    assert not is_blocked(3, 1, BlockRule.TEST)
    assert is_blocked(3, 2, BlockRule.TEST)
    assert not is_blocked(6, 2, BlockRule.TEST)  # 1/105 beside .02² × .98⁴: 25.8
    assert not is_blocked(0, 0, BlockRule.TEST)


def test_by_hand_no_miss_blocks() -> None:
    assert not any(is_blocked(n, n, BlockRule.BY_HAND) for n in (1, 3, 300))


def test_another_name_is_refused() -> None:
    with pytest.raises(
        InputError, match="'never' as what blocks an assessor; expected one of test, first-miss, by-hand"
    ):
        read_block_rule("never")
