"""From runs to a new leaderboard: are planted better answers found as often as they must be?

Runs are pooled, pairs become tasks, simulated assessors answer them with a known error rate, votes become outcomes,
tournaments give labels, and the runs are scored again. How often the planted answer must be the only one left is
known exactly: every way the pairs of a pool can fall is tried, with its probability.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import combinations, product
from pathlib import Path

import numpy as np
import pytest
from tests.labels.builders import survivors

from toprung.analyses.leave_one_out.find import leave_one_out
from toprung.analyses.relabel.find import rescore
from toprung.data.judgments import Choice, Judgment, Judgments
from toprung.data.qrels import Qrels
from toprung.data.run import Run
from toprung.labels.best.preference_qrels import PreferenceQrels, to_preference_qrels
from toprung.labels.best.tournament import hold_tournaments
from toprung.labels.effort.effort import Effort
from toprung.labels.pools.pool import Pool, build_pools
from toprung.labels.pools.store import add_pools
from toprung.labels.tasks.assignments import AssignmentStage
from toprung.labels.tasks.golds import Gold, draw_golds
from toprung.labels.tasks.make import plan_tasks
from toprung.labels.tasks.sitting import Sitting
from toprung.labels.tasks.task import Slot, make_tasks
from toprung.labels.votes.outcomes import resolve_pairs


def quality_of(doc_id: str) -> int:
    """Documents are called ``q7-d0``, ``q7-d1``, …: the higher the number, the better the answer."""
    return int(doc_id.rsplit("d", 1)[1])


def planted(query_id: str, n_items: int) -> str:
    """The best answer of a pool of so many."""
    return f"{query_id}-d{n_items - 1}"


def make_runs(n_queries: int, n_items: int) -> tuple[Qrels, dict[str, Run]]:
    """The label is the worst answer d0; run r1 puts d1 first, r2 puts d2 first, …: the last has the best."""
    queries = [f"q{i}" for i in range(n_queries)]
    qrels = Qrels.from_dict({query: {f"{query}-d0": 1} for query in queries})
    runs = {
        f"r{first}": Run.from_dict(
            {query: {f"{query}-d{doc}": float(doc == first) - doc / 100 for doc in range(n_items)} for query in queries}
        )
        for first in range(1, n_items)
    }
    return qrels, runs


def choose(slot: Slot, error: float, rng: np.random.Generator) -> Choice:
    """The better answer, or with the error rate the other; golds are never missed."""
    better_is_left = slot.left == slot.good if slot.is_gold else quality_of(slot.left) > quality_of(slot.right)
    is_right = slot.is_gold or rng.random() >= error
    return Choice.LEFT if better_is_left == is_right else Choice.RIGHT


def judge(pools: list[Pool], votes: int, error: float, seed: int) -> Judgments:
    """Every pair in a task for each of its votes, answered by another assessor each time."""
    rng = np.random.default_rng(seed)
    pairs = [pair for pool in pools for pair in pool.pairs()]
    golds = draw_golds(pools, seed=seed)
    rows: list[Judgment] = []
    for round_ in range(votes):
        for task in make_tasks(pairs, golds, seed=seed + round_):
            for number, slot in enumerate(task.slots):
                if slot.is_repeat:  # fills the last task: a vote more than was asked for
                    continue
                rows.append(
                    Judgment(
                        judgment_id=f"{round_}-{task.task_id}-{number}",
                        query_id=slot.query_id,
                        left=slot.left,
                        right=slot.right,
                        choice=choose(slot, error, rng),
                        assessor=f"{round_}-{task.task_id}",
                        task_id=task.task_id,
                        slot=number,
                        is_gold=slot.is_gold,
                    )
                )
    return Judgments.of(rows)


def label(pools: list[Pool], judgments: Judgments, parent: Qrels) -> PreferenceQrels:
    results = hold_tournaments(pools, resolve_pairs(judgments))
    return to_preference_qrels(results, parent=parent, judgments=judgments, policy="majority")


def p_majority(votes: int, error: float) -> float:
    """How often the majority of an odd number of votes is right."""
    needed = votes // 2 + 1
    return sum(math.comb(votes, k) * (1 - error) ** k * error ** (votes - k) for k in range(needed, votes + 1))


def p_alone(n_items: int, p_right: float) -> float:
    """How often the best item is the only survivor, if the better one wins each pair with this probability."""
    pairs = list(combinations(range(n_items), 2))  # of each, the second is better
    total = 0.0
    for is_right in product((True, False), repeat=len(pairs)):
        beats = {(str(b), str(a)) if right else (str(a), str(b)) for (a, b), right in zip(pairs, is_right, strict=True)}
        if survivors(map(str, range(n_items)), lambda one, other, b=beats: float((one, other) in b)) == (
            str(n_items - 1),
        ):
            total += math.prod(p_right if right else 1 - p_right for right in is_right)
    return total


def interval_around(p: float, n: int) -> tuple[float, float]:
    """Where a share of n must lie but once in some ten thousand times."""
    from scipy.stats import binom

    low, high = binom.ppf([5e-5, 1 - 5e-5], n, p) / n
    return float(low), float(high)


def test_the_exact_chances_of_small_pools() -> None:
    # two items: the vote itself; three: best wins both, or 1 win each in a cycle keeps all and nobody is alone
    assert p_alone(2, 0.7) == pytest.approx(0.7)
    assert p_alone(3, 0.7) == pytest.approx(0.7**2)
    assert p_alone(4, 1.0) == 1.0
    assert p_majority(3, 0.3) == pytest.approx(0.7**3 + 3 * 0.7**2 * 0.3)


CASES = [(2, 1, 0.34), (3, 1, 0.34), (4, 1, 0.2), (4, 3, 0.2), (5, 3, 0.34)]


@pytest.mark.parametrize(("n_items", "votes", "error"), CASES)
def test_planted_answers_are_found_as_often_as_theory_says(n_items: int, votes: int, error: float) -> None:
    n_queries = 400
    qrels, runs = make_runs(n_queries, n_items)
    pools = build_pools(qrels, runs)
    new = label(pools, judge(pools, votes, error, seed=11), qrels).qrels.to_dict()
    alone = sum(list(new[pool.query_id]) == [planted(pool.query_id, n_items)] for pool in pools) / n_queries
    low, high = interval_around(p_alone(n_items, p_majority(votes, error)), n_queries)
    assert low <= alone <= high


@pytest.mark.slow
@pytest.mark.parametrize(("n_items", "votes", "error"), [*CASES, (5, 5, 0.34), (4, 1, 0.34)])
def test_planted_answers_are_found_as_often_as_theory_says_at_full_size(n_items: int, votes: int, error: float) -> None:
    n_queries = 7_000
    qrels, runs = make_runs(n_queries, n_items)
    pools = build_pools(qrels, runs)
    new = label(pools, judge(pools, votes, error, seed=5), qrels).qrels.to_dict()
    alone = sum(list(new[pool.query_id]) == [planted(pool.query_id, n_items)] for pool in pools) / n_queries
    exact = p_alone(n_items, p_majority(votes, error))
    print(
        f"\n{n_items} items, {votes} votes, error {error:.0%}: planted best alone in {alone:.4f}, by theory {exact:.4f}"
    )
    low, high = interval_around(exact, n_queries)
    assert low <= alone <= high


def test_without_errors_every_planted_answer_becomes_the_label_and_its_run_leads() -> None:
    qrels, runs = make_runs(30, 4)
    pools = build_pools(qrels, runs)
    version = label(pools, judge(pools, 1, 0.0, seed=3), qrels)
    assert version.qrels.to_dict() == {pool.query_id: {planted(pool.query_id, 4): 1} for pool in pools}
    board = rescore(qrels, version.qrels, runs)
    # r3 has the best first; r1 and r2 have it last of four; the perfect ranking never
    assert [(row.run, row.after.estimate) for row in board.rows] == [("r3", 1.0), ("r1", 0.25), ("r2", 0.25)]
    assert board.perfect_after == 0
    assert board.better_than_perfect == ("r3", "r1", "r2")


def test_leaving_out_the_run_with_the_planted_answers_makes_the_second_best_the_label() -> None:
    qrels, runs = make_runs(20, 4)
    pools = build_pools(qrels, runs)
    found = leave_one_out(pools, resolve_pairs(judge(pools, 1, 0.0, seed=3)), runs)
    row = found["r3"]
    # without r3 the best are the answers of r2, which r3 has at rank 4
    assert (row.n_items, row.n_labels_changed, row.score, row.score_without) == (20, 20, 1.0, 0.25)
    assert (row.most_moved, row.most_moved_by) == ("r2", pytest.approx(0.75))


def assessors(n: int) -> Iterator[str]:
    yield from (f"assessor{number}" for number in range(n))


def test_the_whole_way_through_a_folder_with_an_assessor_who_fails_golds(tmp_path: Path) -> None:
    qrels, runs = make_runs(12, 3)
    pools = build_pools(qrels, runs)
    effort = Effort.open_or_create(tmp_path / "state")
    add_pools(effort, pools)
    golds = [Gold(f"g{i}", f"g{i}-d1", f"g{i}-d0") for i in range(9)]
    made = plan_tasks(effort, golds=golds, per_task=6, golds_per_task=2, seed=4)
    assert made.figures["pairs"] == 36
    sitting, rng = Sitting(effort), np.random.default_rng(1)
    careless = sitting.offer("careless")
    assert careless is not None
    sitting.move(careless, AssignmentStage.CONSENTED, AssignmentStage.ACTIVE)
    for number in sitting.open_slots(careless):
        slot = sitting.tasks[careless.task_id].slots[number]
        worse = Choice.RIGHT if choose(slot, 0.0, rng) is Choice.LEFT else Choice.LEFT
        sitting.answer(careless, number, worse)
    assert not sitting.submit(careless).is_passed
    for assessor in assessors(20):
        work = sitting.offer(assessor)
        if work is None:
            break
        sitting.move(work, AssignmentStage.CONSENTED, AssignmentStage.ACTIVE)
        for number in sitting.open_slots(work):
            sitting.answer(work, number, choose(sitting.tasks[work.task_id].slots[number], 0.0, rng))
        assert sitting.submit(work).is_passed
    judgments = Effort.open(tmp_path / "state").read_judgments()
    version = label(pools, judgments, qrels)
    assert version.qrels.to_dict() == {pool.query_id: {planted(pool.query_id, 3): 1} for pool in pools}
    assert version.manifest.judgments_digest == judgments.digest
    assert rescore(qrels, version.qrels, runs).rows[0].run == "r2"
