"""What happens when an assessor sits down?"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from toprung.data.judgments import Choice, Judgment, Pair
from toprung.errors import FormatError, InputError
from toprung.labels.assignments import Assignment, AssignmentStage
from toprung.labels.desk import ASSIGNMENTS, GOLDS, SCOPE, TASKS, Desk, NotActiveError
from toprung.labels.golds import Gold
from toprung.labels.outcomes import resolve_pairs
from toprung.labels.state import State
from toprung.labels.tasks import make_tasks

N_GOLDS = 8


@pytest.fixture
def state(tmp_path: Path) -> State:
    """Three tasks of two pairs and one gold."""
    state = State.open_or_create(tmp_path / "state")
    golds = [Gold(f"g{i}", "good", "bad") for i in range(N_GOLDS)]
    pairs = [Pair(f"q{i:02d}", "a", "b") for i in range(6)]
    state.append(GOLDS, (gold.to_record() for gold in golds))
    tasks = make_tasks(pairs, golds, per_task=2, golds_per_task=1)
    state.append(TASKS, (task.to_record() for task in tasks))
    return state


def begin(desk: Desk, assessor: str) -> Assignment:
    offered = desk.offer(assessor)
    assert offered is not None
    return desk.move(offered, AssignmentStage.CONSENTED, AssignmentStage.ACTIVE)


def answer_all(desk: Desk, assignment: Assignment, *, fails_gold: bool = False) -> None:
    """Prefers ``a``, and of golds the good one unless it is to fail."""
    for number in desk.open_slots(assignment):
        slot = desk.tasks[assignment.task_id].slots[number]
        wanted = "a" if not slot.is_gold else "bad" if fails_gold else "good"
        desk.answer(assignment, number, Choice.LEFT if slot.left == wanted else Choice.RIGHT)


def do_task(desk: Desk, assessor: str, *, fails_gold: bool = False) -> Assignment:
    assignment = begin(desk, assessor)
    answer_all(desk, assignment, fails_gold=fails_gold)
    assert desk.submit(assignment).is_passed != fails_gold
    return next(each for each in desk.assignments if each.assignment_id == assignment.assignment_id)


def votes_in(state: State) -> dict[str, str | None]:
    return {pair.query_id: outcome.winner for pair, outcome in resolve_pairs(state.read_judgments()).items()}


def test_good_work_is_accepted_and_counts(state: State) -> None:
    desk = Desk(state)
    assert do_task(desk, "ann").stage is AssignmentStage.ACCEPTED
    assert votes_in(state) == {pair.query_id: "a" for pair in desk.tasks["t00001"].pairs}


def test_an_open_task_is_taken_up_again_where_it_was_left(state: State) -> None:
    first = begin(Desk(state), "ann")
    desk = Desk(state)
    desk.answer(first, 0, Choice.LEFT)
    later = Desk(state)
    assert later.offer("ann") == first
    assert later.open_slots(first) == [1, 2]


def test_two_assessors_get_different_tasks(state: State) -> None:
    desk = Desk(state)
    assert begin(desk, "ann").task_id != begin(desk, "bob").task_id


def test_a_failed_gold_voids_the_task_blocks_the_assessor_and_makes_the_task_anew(state: State) -> None:
    desk = Desk(state)
    kept = do_task(desk, "bob")
    assert do_task(desk, "ann", fails_gold=True).stage is AssignmentStage.EXCLUDED
    assert set(votes_in(state)) == {pair.query_id for pair in desk.tasks[kept.task_id].pairs}
    assert desk.offer("ann") is None
    again = desk.tasks["t00002-2"]
    assert (again.parent, again.attempt) == ("t00002", 2)
    assert sorted(again.pairs) == sorted(desk.tasks["t00002"].pairs)
    assert not set(again.golds) & set(desk.tasks["t00002"].golds)
    for _ in range(2):
        do_task(desk, "carol")
    assert len(votes_in(state)) == 6
    assert desk.offer("carol") is None


def test_each_attempt_has_golds_that_none_before_it_had(state: State) -> None:
    desk = Desk(state)
    for number in range(4):
        state_of = do_task(desk, f"sloppy{number}", fails_gold=True)
        assert state_of.stage is AssignmentStage.EXCLUDED
    attempts = [task for task in desk.tasks.values() if task.number == 1]
    golds = [pair for task in attempts for pair in task.golds]
    assert len(set(golds)) == len(golds) > 1


def test_voided_answers_stay_in_the_record(state: State) -> None:
    do_task(Desk(state), "ann", fails_gold=True)
    rows = state.read_judgments().rows
    assert sum(each.choice is not Choice.SKIP for each in rows) == 3
    assert all(each.choice is Choice.SKIP for each in state.read_judgments().current)


def test_scope_assessor_voids_all_they_ever_answered(state: State) -> None:
    state.note({SCOPE: "assessor"})
    loose = Judgment(judgment_id="loose", query_id="z", left="a", right="b", choice=Choice.LEFT, assessor="ann")
    state.add_judgments([loose])
    desk = Desk(state)
    first = do_task(desk, "ann")
    do_task(desk, "ann", fails_gold=True)
    assert votes_in(state) == {}
    assert {each.stage for each in desk.assignments} == {AssignmentStage.EXCLUDED}
    assert f"{first.task_id}-2" in desk.tasks


def test_scope_task_keeps_their_other_tasks(state: State) -> None:
    desk = Desk(state)
    first = do_task(desk, "ann")
    do_task(desk, "ann", fails_gold=True)
    assert set(votes_in(state)) == {pair.query_id for pair in desk.tasks[first.task_id].pairs}


@pytest.mark.parametrize("stage", [AssignmentStage.RETURNED, AssignmentStage.TIMED_OUT, AssignmentStage.EXITED])
def test_unfinished_work_is_released_its_answers_do_not_count_and_others_get_it(
    state: State, stage: AssignmentStage
) -> None:
    desk = Desk(state)
    assignment = begin(desk, "ann")
    desk.answer(assignment, 0, Choice.LEFT)
    desk.move(assignment, stage)
    assert votes_in(state) == {}
    other = desk.offer("bob")
    assert other is not None
    assert other.task_id == assignment.task_id
    mine = desk.offer("ann")
    assert mine is not None
    assert mine.task_id != assignment.task_id


def test_work_begun_long_ago_times_out(state: State) -> None:
    desk = Desk(state)
    old = desk.offer("ann", at=datetime(2026, 1, 1, tzinfo=UTC))
    new = desk.offer("bob")
    assert old is not None
    released = desk.release_stale(datetime.now(UTC) - timedelta(hours=1))
    assert [each.assignment_id for each in released] == [old.assignment_id]
    assert desk.offer("bob") == new


def test_a_skipped_pair_comes_once_more_at_the_end(state: State) -> None:
    desk = Desk(state)
    assignment = begin(desk, "ann")
    slots = desk.tasks[assignment.task_id].slots
    skipped = next(number for number, slot in enumerate(slots) if not slot.is_gold)
    others = [number for number in range(3) if number != skipped]
    desk.answer(assignment, skipped, Choice.SKIP)
    assert desk.open_slots(assignment) == [*others, skipped]
    desk.answer(assignment, skipped, Choice.SKIP)
    assert desk.open_slots(assignment) == others
    answer_all(desk, assignment)
    assert desk.submit(assignment).is_passed
    assert slots[skipped].query_id not in votes_in(state)


def test_an_answer_after_a_skip_counts(state: State) -> None:
    desk = Desk(state)
    assignment = begin(desk, "ann")
    desk.answer(assignment, 0, Choice.SKIP)
    answer_all(desk, assignment)
    desk.submit(assignment)
    assert len(votes_in(state)) == 2


def test_undo_takes_the_last_answer_back(state: State) -> None:
    desk = Desk(state)
    assignment = begin(desk, "ann")
    assert desk.undo(assignment) is None
    desk.answer(assignment, 0, Choice.LEFT)
    desk.answer(assignment, 1, Choice.LEFT)
    assert desk.undo(assignment) == 1
    assert desk.open_slots(assignment) == [1, 2]
    desk.answer(assignment, 1, Choice.RIGHT)
    assert [(each.slot, each.choice) for each in desk.answers(assignment)] == [(0, Choice.LEFT), (1, Choice.RIGHT)]
    assert len(state.read_judgments().rows) == 4  # nothing was deleted
    assert Desk(state).open_slots(assignment) == [2]


def test_undo_twice_goes_back_two(state: State) -> None:
    desk = Desk(state)
    assignment = begin(desk, "ann")
    desk.answer(assignment, 0, Choice.LEFT)
    desk.answer(assignment, 1, Choice.LEFT)
    assert [desk.undo(assignment), desk.undo(assignment), desk.undo(assignment)] == [1, 0, None]
    assert desk.open_slots(assignment) == [0, 1, 2]


def test_a_second_answer_to_a_slot_supersedes_the_first(state: State) -> None:
    desk = Desk(state)
    assignment = begin(desk, "ann")
    desk.answer(assignment, 0, Choice.LEFT)
    desk.answer(assignment, 0, Choice.RIGHT)
    assert [each.choice for each in desk.answers(assignment)] == [Choice.RIGHT]


def test_unfinished_work_cannot_be_handed_in(state: State) -> None:
    desk = Desk(state)
    assignment = begin(desk, "ann")
    desk.answer(assignment, 0, Choice.LEFT)
    with pytest.raises(InputError, match="found 2 of 3 without an answer"):
        desk.submit(assignment)


def test_only_active_work_takes_answers(state: State) -> None:
    desk = Desk(state)
    offered = desk.offer("ann")
    assert offered is not None
    with pytest.raises(InputError, match="found it offered; expected it to be active"):
        desk.answer(offered, 0, Choice.LEFT)


def test_a_crash_after_handing_in_is_made_good_when_a_desk_is_opened(state: State) -> None:
    """The event is on disk, and nothing of what follows from it."""
    desk = Desk(state)
    assignment = begin(desk, "ann")
    answer_all(desk, assignment, fails_gold=True)
    state.append(ASSIGNMENTS, [assignment.move(AssignmentStage.SUBMITTED).to_record()])
    later = Desk(state)
    assert [each.stage for each in later.assignments] == [AssignmentStage.EXCLUDED]
    assert votes_in(state) == {}
    assert "t00001-2" in later.tasks


def test_opening_a_desk_again_writes_nothing(state: State) -> None:
    desk = Desk(state)
    do_task(desk, "ann", fails_gold=True)
    before = {path.name: path.read_bytes() for path in state.folder.iterdir()}
    Desk(state)
    assert {path.name: path.read_bytes() for path in state.folder.iterdir()} == before


def test_of_two_desks_the_second_sees_what_the_first_gave_away(state: State) -> None:
    desk, rival = Desk(state), Desk(state)
    assert (begin(rival, "bob").task_id, begin(desk, "ann").task_id) == ("t00001", "t00002")


def test_two_desks_of_one_assessor_give_one_vote_a_pair_and_hand_in_once(state: State) -> None:
    """Both saw every slot open before either answered."""
    one, other = Desk(state), Desk(state)
    assignment = begin(one, "ann")
    assert other.offer("ann") == assignment
    answer_all(one, assignment)
    for number, slot in enumerate(other.tasks[assignment.task_id].slots):
        other.answer(assignment, number, Choice.LEFT if slot.left in ("a", "good") else Choice.RIGHT)
    assert one.submit(assignment).is_passed
    with pytest.raises(NotActiveError, match="found it accepted"):
        other.submit(assignment)
    with pytest.raises(NotActiveError):
        other.answer(assignment, 0, Choice.LEFT)
    assert [each.stage for each in Desk(state).assignments] == [AssignmentStage.ACCEPTED]
    assert {outcome.n for outcome in resolve_pairs(state.read_judgments()).values()} == {1}


def test_work_that_another_process_released_takes_no_more_answers(state: State) -> None:
    desk = Desk(state)
    assignment = begin(desk, "ann")
    desk.answer(assignment, 0, Choice.LEFT)
    Desk(state).release_stale(datetime.now(UTC))
    for attempt in (lambda: desk.answer(assignment, 1, Choice.LEFT), lambda: desk.undo(assignment)):
        with pytest.raises(NotActiveError, match="found it timed_out"):
            attempt()
    assert [each.stage for each in Desk(state).assignments] == [AssignmentStage.TIMED_OUT]
    assert votes_in(state) == {}


def test_a_state_with_an_impossible_event_can_still_be_used(state: State) -> None:
    done = do_task(Desk(state), "ann")
    record = done.to_record()
    state.append(ASSIGNMENTS, [{**record, "stage": "submitted"}, record])
    desk = Desk(state)
    assert desk.n_impossible_events == 1
    assert do_task(desk, "bob").stage is AssignmentStage.ACCEPTED


@pytest.mark.parametrize(
    ("kind", "wrong"),
    [(ASSIGNMENTS, {"task_id": "t99999"}), (ASSIGNMENTS, {"at": "2026-01-01T12:00:00"}), (TASKS, {"number": "x"})],
)
def test_a_line_edited_by_hand_is_named(state: State, kind: str, wrong: dict[str, str]) -> None:
    begin(Desk(state), "ann")
    state.append(kind, [{**state.read(kind)[0], **wrong}])
    with pytest.raises(FormatError, match=rf"{kind}.jsonl, line 4"):
        Desk(state)


def test_a_scope_edited_by_hand_is_refused(state: State) -> None:
    state.note({SCOPE: "world"})
    with pytest.raises(InputError, match="what a failed gold voids"):
        Desk(state)
