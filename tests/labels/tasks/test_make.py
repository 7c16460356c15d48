"""How are tasks to be dealt, and what waits?"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from toprung.data.judgments import Choice, Judgment, Pair
from toprung.data.qrels import Qrels
from toprung.data.run import Run
from toprung.errors import InputError
from toprung.labels.effort.effort import Effort
from toprung.labels.pools.pool import Pool
from toprung.labels.pools.store import add_pools
from toprung.labels.tasks.assignments import AssignmentStage
from toprung.labels.tasks.desk_records import GOLDS, TASKS
from toprung.labels.tasks.golds import Gold
from toprung.labels.tasks.make import deal_all, plan_tasks
from toprung.labels.tasks.sitting import Sitting
from toprung.labels.votes.audit import plan_audit, start_audit
from toprung.report.render import OutputFormat, render


@pytest.fixture
def effort(tmp_path: Path) -> Effort:
    """Twelve pools of two, each with a label."""
    effort = Effort.open_or_create(tmp_path / "state")
    add_pools(effort, [Pool(query_id=f"q{i:02d}", items=(f"a{i}", f"b{i}"), label=f"a{i}") for i in range(12)])
    return effort


def judge_everything(effort: Effort, assessor: str, choice: Choice | None = None) -> None:
    """Golds as they should be, pairs for the label unless a choice is given."""
    sitting = Sitting(effort)
    while (offered := sitting.offer(assessor)) is not None:
        assignment = sitting.move(offered, AssignmentStage.CONSENTED, AssignmentStage.ACTIVE)
        for number, slot in enumerate(sitting.tasks[assignment.task_id].slots):
            is_left = slot.left == slot.good if slot.is_gold else slot.left.startswith("a")
            by_sense = Choice.LEFT if is_left else Choice.RIGHT
            sitting.answer(assignment, number, by_sense if choice is None or slot.is_gold else choice)
        assert sitting.submit(assignment).is_passed


def test_all_undecided_pairs_get_tasks_and_golds_are_drawn(effort: Effort) -> None:
    found = plan_tasks(effort, per_task=4, golds_per_task=2, seed=9)
    assert found.sentence == "12 pairs of 12 queries to deal, in 3 tasks with 6 golds."
    assert (effort.read(TASKS), len(effort.read(GOLDS))) == ([], 12)
    assert effort.manifest["tasks"] == {"seed": 9, "per_task": 4, "golds_per_task": 2, "golds_are_drawn": True}


def test_planning_again_changes_nothing(effort: Effort) -> None:
    first = plan_tasks(effort, per_task=4, seed=3)
    before = effort.manifest
    assert plan_tasks(effort, per_task=4).sentence == first.sentence
    assert effort.manifest == before


def test_what_is_in_open_tasks_does_not_wait(effort: Effort) -> None:
    plan_tasks(effort, per_task=4)
    Sitting(effort).offer("ann")
    found = plan_tasks(effort, per_task=4)
    assert (found.wanted.n_in_work, found.n_before, len(found.waiting)) == (4, 1, 8)
    assert len(deal_all(effort)) == 2
    done = plan_tasks(effort, per_task=4).sentence
    assert done == "Nothing to deal: every pair is decided or in a task; 12 pairs wait in open tasks."
    assert deal_all(effort) == []


def test_nothing_is_dealt_that_was_not_planned(effort: Effort) -> None:
    assert deal_all(effort) == []
    assert Sitting(effort).offer("ann") is None


def test_new_pairs_are_dealt_with_the_seed_and_golds_of_before(effort: Effort) -> None:
    golds = [Gold(f"g{i}", "good", "bad") for i in range(4)]
    plan_tasks(effort, golds=golds, seed=7)
    deal_all(effort)
    add_pools(effort, [Pool(query_id="q99", items=("a", "b"))])
    found = plan_tasks(effort)
    assert (found.seed, found.n_golds, found.waiting) == (7, 4, ((Pair("q99", "a", "b"), 1),))
    assert [task.task_id for task in deal_all(effort)] == ["t00003"]


def test_pairs_that_split_evenly_are_asked_again(effort: Effort) -> None:
    golds = [Gold(f"g{i}", "good", "bad") for i in range(9)]
    plan_tasks(effort, golds=golds, per_task=6)
    judge_everything(effort, "ann", Choice.TIE)
    assert plan_tasks(effort, per_task=6).figures["pairs"] == 12
    judge_everything(effort, "bob")
    assert plan_tasks(effort).sentence == "Nothing to deal: every pair is decided or in a task."


def test_pairs_decided_elsewhere_get_no_task(effort: Effort) -> None:
    effort.add_judgments([Judgment(judgment_id="x", query_id="q00", left="a0", right="b0", choice=Choice.LEFT)])
    assert plan_tasks(effort, per_task=4).figures["pairs"] == 11


def test_golds_can_be_drawn_from_an_audit(tmp_path: Path) -> None:
    effort = Effort.open_or_create(tmp_path / "audit")
    labels = Qrels.from_dict({f"q{i}": {f"a{i}": 1} for i in range(8)})
    run = Run.from_dict({f"q{i}": {f"b{i}": 1.0} for i in range(8)}, name="run")
    start_audit(effort, plan_audit(labels, run))
    found = plan_tasks(effort, per_task=4, golds_per_task=3)
    assert (found.n_tasks, found.n_golds) == (2, 8)


def test_without_labels_there_are_no_golds_to_draw(tmp_path: Path) -> None:
    effort = Effort.open_or_create(tmp_path / "bare")
    add_pools(effort, [Pool(query_id="q1", items=("a", "b"))])
    with pytest.raises(InputError, match="expected --golds FILE, or --golds-per-task 0"):
        plan_tasks(effort)
    assert effort.read(TASKS) == []
    assert plan_tasks(effort, golds_per_task=0).n_tasks == 1


def test_too_few_golds_write_nothing(effort: Effort) -> None:
    with pytest.raises(InputError, match="golds for a task"):
        plan_tasks(effort, golds=[Gold("g", "good", "bad")])
    assert (effort.read(TASKS), effort.read(GOLDS)) == ([], [])


def test_short_tasks_are_said(tmp_path: Path) -> None:
    effort = Effort.open_or_create(tmp_path / "few")
    add_pools(effort, [Pool(query_id="q1", items=("a", "b", "c"))])
    found = plan_tasks(effort, golds_per_task=0)
    assert found.n_tasks == 3
    assert "Short of pairs, for no query stands twice in a task and one has 3: 3 tasks." in found.notes


@pytest.mark.parametrize("output_format", list(OutputFormat))
def test_it_is_written_in_every_format(effort: Effort, output_format: OutputFormat) -> None:
    found = plan_tasks(effort, per_task=4)
    assert render(found, output_format)
    json.dumps(found.to_dict(), allow_nan=False)


def test_the_csv_lists_what_waits(effort: Effort) -> None:
    frame = plan_tasks(effort, per_task=4, golds_per_task=2).to_frame()
    assert frame.rows()[:2] == [("q00", "a0", "b0", 1), ("q01", "a1", "b1", 1)]
    assert frame.height == 12
