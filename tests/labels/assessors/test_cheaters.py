"""Who is found, who is not, and what do cheaters cost? Made assessors; ``pytest -m slow -s`` prints the long form."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from toprung.data.judgments import Choice, Judgment, Judgments, Pair
from toprung.labels.assessors.records import AssessorRecord
from toprung.labels.assessors.review import review_assessors
from toprung.labels.assessors.suspicion import find_suspicious
from toprung.labels.best.resolution import resolve_queries
from toprung.labels.pools.pool import Pool
from toprung.labels.tasks.golds import Gold
from toprung.labels.tasks.quality import review
from toprung.labels.tasks.task import Task, make_tasks
from toprung.labels.votes.outcomes import PairOutcome

SLIPS = 0.02
GOLDS = [Gold(f"g{i}", "good", "bad") for i in range(30)]
LONG = [pytest.param(False, id="short"), pytest.param(True, id="long", marks=pytest.mark.slow)]


def make_work(n_tasks: int, seed: int) -> list[Task]:
    pairs = [Pair(f"q{i}", "a", "b") for i in range(10 * n_tasks)]
    return make_tasks(pairs, GOLDS, seed=seed)


def answer(task: Task, name: str, sides: Sequence[bool], *, ms: int) -> list[Judgment]:
    """The answers to a task: for each slot whether the left side is chosen."""
    return [
        Judgment(
            judgment_id=f"{name} {task.task_id} {number}",
            query_id=slot.query_id,
            left=slot.left,
            right=slot.right,
            choice=Choice.LEFT if sides[number] else Choice.RIGHT,
            assessor=name,
            task_id=task.task_id,
            slot=number,
            is_gold=slot.is_gold,
            ms=ms,
        )
        for number, slot in enumerate(task.slots)
    ]


def careful(task: Task, rng: np.random.Generator) -> list[bool]:
    """The left side where the better answer (a, or the good one) stands there, but for slips."""
    right = [slot.left in ("a", "good") for slot in task.slots]
    return [bool(side != (rng.random() < SLIPS)) for side in right]


@pytest.mark.parametrize("is_long", LONG)
def test_one_clicker_in_eight_passes_three_golds(is_long: bool) -> None:
    rng = np.random.default_rng(1)
    [task] = make_work(1, seed=1)
    n = 40_000 if is_long else 4_000
    passed = 0
    golds = [number for number, slot in enumerate(task.slots) if slot.is_gold]
    for toss in (rng.random((n, len(task.slots))) < 0.5).tolist():
        answers = answer(task, "clicker", toss, ms=900)
        passed += review(task, [answers[number] for number in golds]).is_passed
    print(f"clickers that pass three golds: {passed / n:.3f} of {n:,}")
    assert passed / n == pytest.approx(0.125, abs=0.02)


def careers(n: int, n_tasks: int, rng: np.random.Generator) -> list[list[AssessorRecord]]:
    """Careful people's records after each task: 2% slips at golds, sides by coin, some quick answers."""
    golds = rng.binomial(3, SLIPS, (n, n_tasks)).cumsum(axis=1)
    left = rng.binomial(13, 0.5, (n, n_tasks)).cumsum(axis=1)
    same = rng.binomial(13, 0.5, (n, n_tasks)).cumsum(axis=1)
    fast = rng.binomial(13, 0.05, (n, n_tasks)).cumsum(axis=1)
    agreed = rng.binomial(10, 0.8, (n, n_tasks)).cumsum(axis=1)
    return [
        [
            _record(
                task + 1,
                n_missed=int(golds[who, task]),
                n_left=int(left[who, task]),
                n_same_side=min(int(same[who, task]), 13 * (task + 1) - 1),
                n_fast=int(fast[who, task]),
                n_with_others=int(agreed[who, task]),
            )
            for task in range(n_tasks)
        ]
        for who in range(n)
    ]


def _record(n_tasks: int, **counts: int) -> AssessorRecord:
    return AssessorRecord(
        assessor="careful",
        n_votes=10 * n_tasks,
        n_golds=3 * n_tasks,
        n_sided=13 * n_tasks,
        longest_run=5,
        n_timed=13 * n_tasks,
        median_seconds=9.0,
        n_skips=0,
        n_compared=10 * n_tasks,
        agreed=float(counts["n_with_others"]),
        n_shared=10 * n_tasks,
        **counts,
    )


@pytest.mark.parametrize("is_long", LONG)
def test_a_careful_assessor_is_hardly_ever_called_suspicious(is_long: bool) -> None:
    """Looked at after each of fifty tasks, and alone: there is no one else to share the 1% with."""
    n = 5_000 if is_long else 400
    found = sum(
        any(find_suspicious([record]) for record in career) for career in careers(n, 50, np.random.default_rng(2))
    )
    print(f"careful assessors called suspicious in 50 tasks: {found} of {n:,}")
    assert found / n <= 0.01


@pytest.mark.parametrize("is_long", LONG)
def test_who_always_takes_the_left_side_is_found_within_three_tasks(is_long: bool) -> None:
    rng = np.random.default_rng(3)
    n, found = 200 if is_long else 10, 0
    for trial in range(n):
        rows: list[Judgment] = []
        for task in make_work(3, seed=trial):
            rows += answer(task, "left", [True] * 13, ms=4_000)
            for name in range(15):
                rows += answer(task, f"careful {name}", careful(task, rng), ms=9_000)
        reviewed = review_assessors(Judgments.of(rows), {gold.pair: gold.good for gold in GOLDS})
        names = {each.assessor for each in reviewed.suspicious}
        found += "left" in names
        assert names <= {"left"}
    print(f"always left, found within three tasks among 16 assessors: {found} of {n}")
    assert found / n >= 0.95


def test_the_reason_is_in_words() -> None:
    rows = [each for task in make_work(3, seed=0) for each in answer(task, "left", [True] * 13, ms=9_000)]
    [found] = review_assessors(Judgments.of(rows), {}).suspicious
    assert found.reason == "chose the left side in 39 of 39 answers; sides are tossed by a coin"


def label_accuracy(share_of_clickers: float, n_pools: int, rng: np.random.Generator) -> float:
    """How many labels are the best answer: pools of five, three votes on each pair, work in tasks with three golds."""
    truth = rng.standard_normal((n_pools, 5))
    first, second = np.triu_indices(5, k=1)
    wins = np.zeros((n_pools, len(first)))
    p_win = 1 / (1 + np.exp(truth[:, second] - truth[:, first]))
    for _ in range(3):
        is_clicker = rng.random(p_win.shape) < _clickers_in_use(share_of_clickers)
        wins += rng.random(p_win.shape) < np.where(is_clicker, 0.5, p_win)
    pools = [Pool(query_id=f"q{row:05d}", items=tuple("abcde")) for row in range(n_pools)]
    outcomes = {
        pair: PairOutcome(pair=pair, wins_a=won, wins_b=3 - won, ties=0, n=3)
        for pool, row in zip(pools, wins.tolist(), strict=True)
        for pair, won in zip(pool.pairs(), row, strict=True)
    }
    results = resolve_queries(pools, outcomes, rule="strength", at_least=0.0).results
    best = ["abcde"[place] for place in truth.argmax(axis=1).tolist()]
    return sum(results[pool.query_id].best == (one,) for pool, one in zip(pools, best, strict=True)) / n_pools


def _clickers_in_use(share: float) -> float:
    """Of the work that passes its golds."""
    passed = {"clicker": share * 0.5**3, "careful": (1 - share) * (1 - SLIPS) ** 3}
    return passed["clicker"] / sum(passed.values())


@pytest.mark.parametrize("is_long", LONG)
def test_ten_percent_of_clickers_cost_little(is_long: bool) -> None:
    n, rounds = (2_000, 10) if is_long else (1_500, 2)
    lost = [
        label_accuracy(0.0, n, np.random.default_rng(seed)) - label_accuracy(0.1, n, np.random.default_rng(seed))
        for seed in range(rounds)
    ]
    print(f"accuracy of labels lost to 10% of clickers: {np.mean(lost):.4f}, {n * rounds:,} pools")
    assert np.mean(lost) <= 0.02


def test_without_golds_clickers_would_cost_more() -> None:
    """The test above could fail: a third of all votes by coin costs more than .02."""
    sound, spoilt = (label_accuracy(share, 1_500, np.random.default_rng(5)) for share in (0.0, 0.8))
    assert sound - spoilt > 0.02
