"""What is there to ask?"""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.labels.builders import votes

from toprung.data.judgments import AssessorKind, Choice, Judgment, Pair
from toprung.data.qrels import Qrels
from toprung.data.run import Run
from toprung.labels.best.challenge_queue import queue_challenges
from toprung.labels.best.challenges import Challenge
from toprung.labels.effort.effort import Effort
from toprung.labels.pools.pool import Pool
from toprung.labels.pools.store import add_pools
from toprung.labels.tasks.golds import Gold
from toprung.labels.tasks.questions import (
    newest_attempts,
    pairs_of,
    questions_for,
    task_questions,
    to_questions,
    votes_lacking,
)
from toprung.labels.tasks.task import make_tasks, reissue
from toprung.labels.votes.audit import plan_audit, start_audit

GOLDS = [Gold(f"g{i}", "good", "bad") for i in range(6)]


@pytest.fixture
def effort(tmp_path: Path) -> Effort:
    """Pools of three and of two answers, and one that is settled."""
    effort = Effort.open_or_create(tmp_path / "state")
    pools = [
        Pool(query_id="q1", items=("a", "b", "c")),
        Pool(query_id="q2", items=("a", "b")),
        Pool(query_id="q3", items=("a",)),
    ]
    add_pools(effort, pools)
    return effort


def test_pairs_come_from_pools_audits_and_challenges_once_each(effort: Effort) -> None:
    plan = plan_audit(
        Qrels.from_dict({"q2": {"a": 1}, "q4": {"x": 1}}), Run.from_dict({"q2": {"b": 1}, "q4": {"y": 1}}, name="run")
    )
    start_audit(effort, plan)
    queue_challenges(effort, [Challenge(query_id="q3", challenger="new", best=("a",), run="newer")])
    assert [(pair.query_id, pair.a, pair.b) for pair in pairs_of(effort)] == [
        ("q1", "a", "b"),
        ("q1", "a", "c"),
        ("q1", "b", "c"),
        ("q2", "a", "b"),
        ("q3", "a", "new"),
        ("q4", "x", "y"),
    ]


def test_a_pair_asks_for_a_vote_until_it_is_decided(effort: Effort) -> None:
    made = votes("q1 a b left\nq1 a c left\nq1 a c right\nq1 b c skip")
    assert list(votes_lacking(effort, made)) == [Pair("q1", "a", "c"), Pair("q1", "b", "c"), Pair("q2", "a", "b")]


def test_a_models_vote_decides_nothing(effort: Effort) -> None:
    assert len(votes_lacking(effort, votes("q2 a b left", kind=AssessorKind.LLM))) == 4


@pytest.mark.parametrize(
    ("cast", "asks"),
    [("", True), ("new", True), ("new new", False), ("new a", True), ("a a", False), ("new a new", False)],
)
def test_a_challenge_asks_until_the_best_of_three_is_known(effort: Effort, cast: str, asks: bool) -> None:
    queue_challenges(effort, [Challenge(query_id="q3", challenger="new", best=("a",), run="newer")])
    made = votes("\n".join(f"q3 new a {'left' if who == 'new' else 'right'}" for who in cast.split()))
    assert (Pair("q3", "a", "new") in votes_lacking(effort, made)) == asks


def test_order_and_sides_are_drawn_from_the_seed() -> None:
    pairs = [Pair(f"q{i:03d}", "a", "b") for i in range(200)]
    found = to_questions(pairs, seed=3)
    assert found == to_questions(pairs, seed=3)
    assert found != to_questions(pairs, seed=4)
    assert sorted(each.pair for each in found) == pairs
    assert 70 < sum(each.left == "a" for each in found) < 130


def test_a_person_is_asked_what_is_open_and_they_have_not_judged(effort: Effort) -> None:
    effort.add_judgments(votes("q1 a b left ann\nq1 a c left ann\nq1 a c right bob\nq2 a b skip ann").rows)
    asked = questions_for(effort, assessor="ann", kind=AssessorKind.HUMAN)
    assert {each.pair for each in asked} == {Pair("q1", "b", "c"), Pair("q2", "a", "b")}


def test_sides_stay_the_same_as_the_work_goes_on(effort: Effort) -> None:
    before = {each.pair: each.left for each in questions_for(effort, assessor="ann", kind=AssessorKind.HUMAN)}
    effort.add_judgments(votes("q1 a b left ann").rows)
    after = questions_for(effort, assessor="ann", kind=AssessorKind.HUMAN)
    assert all(before[each.pair] == each.left for each in after)


def test_a_model_is_asked_everything(effort: Effort) -> None:
    effort.add_judgments(votes("q1 a b left ann\nq2 a b left ann").rows)
    assert len(questions_for(effort, assessor="m", kind=AssessorKind.LLM)) == 4


def test_where_there_are_tasks_their_slots_are_asked_golds_too(effort: Effort) -> None:
    tasks = make_tasks(pairs_of(effort), GOLDS, golds_per_task=2)
    effort.append("tasks", (task.to_record() for task in tasks))
    asked = questions_for(effort, assessor="m", kind=AssessorKind.LLM)
    golds = [each for each in asked if each.is_gold]
    assert {each.pair for each in asked if not each.is_gold} == set(pairs_of(effort))
    assert {each.pair for each in golds} == {pair for task in tasks for pair in task.golds}
    assert all(each.good == "good" for each in golds)


def test_each_pair_of_tasks_is_asked_once_and_only_in_the_newest_attempt() -> None:
    pairs = [Pair(f"q{i:02d}", "a", "b") for i in range(12)]  # the last task is filled with repeats
    tasks = make_tasks(pairs, GOLDS)
    again = reissue(tasks[0], GOLDS)
    asked = task_questions([*tasks, again])
    assert sorted(each.pair for each in asked if not each.is_gold) == pairs
    assert {each.task_id for each in asked} <= {again.task_id, tasks[1].task_id}
    assert newest_attempts([again, *tasks]) == [again, tasks[1]]


def test_what_an_assessor_took_back_is_asked_again(effort: Effort) -> None:
    row = votes("q2 a b left ann").rows[0]
    void = Judgment(
        judgment_id="v", query_id="q2", left="a", right="b", choice=Choice.SKIP, assessor="ann", supersedes="j0"
    )
    effort.add_judgments([row, void])
    asked = questions_for(effort, assessor="ann", kind=AssessorKind.HUMAN)
    assert Pair("q2", "a", "b") in {each.pair for each in asked}


@pytest.fixture
def twins(tmp_path: Path) -> Effort:
    """A pool in which twin has the text of a."""
    effort = Effort.open_or_create(tmp_path / "twins")
    add_pools(effort, [Pool(query_id="q", items=("a", "c"), same_text={"twin": "a"})])
    return effort


def test_votes_on_an_item_with_the_same_text_decide_a_pair(twins: Effort) -> None:
    assert votes_lacking(twins, votes("q twin c left")) == {}
    assert votes_lacking(twins, votes("q twin c left\nq a c right")) == {Pair("q", "a", "c"): 1}


def test_nobody_is_asked_which_of_two_equal_texts_is_better(twins: Effort) -> None:
    start_audit(twins, plan_audit(Qrels.from_dict({"q": {"a": 1}}), Run.from_dict({"q": {"twin": 1}}, name="run")))
    assert pairs_of(twins) == [Pair("q", "a", "c")]
    assert len(questions_for(twins, assessor="llama", kind=AssessorKind.LLM)) == 1
