"""What happens when an assessor sits down? The same wherever records lie: in a folder, or in a database."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from toprung.data.judgments import Choice, Judgment, Pair
from toprung.errors import FormatError, InputError
from toprung.labels.effort.store import JUDGMENTS, RecordStore
from toprung.labels.tasks.assignments import Assignment, AssignmentStage
from toprung.labels.tasks.decisions import NotActiveError
from toprung.labels.tasks.desk_records import ASSIGNMENTS, GOLDS, TASKS
from toprung.labels.tasks.golds import Gold
from toprung.labels.tasks.quality import MISSES, SCOPE
from toprung.labels.tasks.sitting import BLOCK, Sitting
from toprung.labels.tasks.task import make_tasks
from toprung.labels.votes.outcomes import resolve_pairs

N_GOLDS = 8


@pytest.fixture
def store(open_store: Callable[[], RecordStore]) -> RecordStore:
    """Three tasks of two pairs and one gold."""
    store = open_store()
    golds = [Gold(f"g{i}", "good", "bad") for i in range(N_GOLDS)]
    pairs = [Pair(f"q{i:02d}", "a", "b") for i in range(6)]
    store.append(GOLDS, [gold.to_record() for gold in golds])
    tasks = make_tasks(pairs, golds, per_task=2, golds_per_task=1)
    store.append(TASKS, [task.to_record() for task in tasks])
    return store


type Desk = Sitting[RecordStore]


def begin(sitting: Desk, assessor: str) -> Assignment:
    offered = sitting.offer(assessor)
    assert offered is not None
    return sitting.move(offered, AssignmentStage.CONSENTED, AssignmentStage.ACTIVE)


def answer_all(sitting: Desk, assignment: Assignment, *, fails_gold: bool = False) -> None:
    """Prefers ``a``, and of golds the good one unless it is to fail."""
    for number in sitting.open_slots(assignment):
        slot = sitting.tasks[assignment.task_id].slots[number]
        wanted = "a" if not slot.is_gold else "bad" if fails_gold else "good"
        sitting.answer(assignment, number, Choice.LEFT if slot.left == wanted else Choice.RIGHT)


def do_task(sitting: Desk, assessor: str, *, fails_gold: bool = False) -> Assignment:
    assignment = begin(sitting, assessor)
    answer_all(sitting, assignment, fails_gold=fails_gold)
    assert sitting.submit(assignment).is_passed != fails_gold
    return next(each for each in sitting.assignments if each.assignment_id == assignment.assignment_id)


def votes_in(store: RecordStore) -> dict[str, str | None]:
    return {pair.query_id: outcome.winner for pair, outcome in resolve_pairs(store.read_judgments()).items()}


def test_good_work_is_accepted_and_counts(store: RecordStore) -> None:
    sitting = Sitting(store)
    assert do_task(sitting, "ann").stage is AssignmentStage.ACCEPTED
    assert votes_in(store) == {pair.query_id: "a" for pair in sitting.tasks["t00001"].pairs}


def test_an_open_task_is_taken_up_again_where_it_was_left(store: RecordStore) -> None:
    first = begin(Sitting(store), "ann")
    sitting = Sitting(store)
    sitting.answer(first, 0, Choice.LEFT)
    later = Sitting(store)
    assert later.offer("ann") == first
    assert later.open_slots(first) == [1, 2]


def test_two_assessors_get_different_tasks(store: RecordStore) -> None:
    sitting = Sitting(store)
    assert begin(sitting, "ann").task_id != begin(sitting, "bob").task_id


def test_a_failed_gold_voids_the_task_and_makes_the_task_anew(store: RecordStore) -> None:
    store.note({BLOCK: "first-miss"})
    sitting = Sitting(store)
    kept = do_task(sitting, "bob")
    assert do_task(sitting, "ann", fails_gold=True).stage is AssignmentStage.EXCLUDED
    assert set(votes_in(store)) == {pair.query_id for pair in sitting.tasks[kept.task_id].pairs}
    assert sitting.offer("ann") is None
    again = sitting.tasks["t00002-2"]
    assert (again.parent, again.attempt) == ("t00002", 2)
    assert sorted(again.pairs) == sorted(sitting.tasks["t00002"].pairs)
    assert not set(again.golds) & set(sitting.tasks["t00002"].golds)
    for _ in range(2):
        do_task(sitting, "carol")
    assert len(votes_in(store)) == 6
    assert sitting.offer("carol") is None


def test_a_failed_gold_blocks_nobody_by_itself(store: RecordStore) -> None:
    sitting = Sitting(store)
    do_task(sitting, "ann", fails_gold=True)
    again = sitting.offer("ann")
    assert again is not None
    assert sitting.tasks[again.task_id].parent is None  # others do what was failed


def test_each_attempt_has_golds_that_none_before_it_had(store: RecordStore) -> None:
    sitting = Sitting(store)
    for number in range(4):
        state_of = do_task(sitting, f"sloppy{number}", fails_gold=True)
        assert state_of.stage is AssignmentStage.EXCLUDED
    attempts = [task for task in sitting.tasks.values() if task.number == 1]
    golds = [pair for task in attempts for pair in task.golds]
    assert len(set(golds)) == len(golds) > 1


def test_voided_answers_stay_in_the_record(store: RecordStore) -> None:
    do_task(Sitting(store), "ann", fails_gold=True)
    rows = store.read_judgments().rows
    assert sum(each.choice is not Choice.SKIP for each in rows) == 3
    assert all(each.choice is Choice.SKIP for each in store.read_judgments().current)


def miss(sitting: Desk, assessor: str, n: int) -> AssignmentStage:
    """A task of which the first n golds are missed."""
    assignment = begin(sitting, assessor)
    for number, slot in enumerate(sitting.tasks[assignment.task_id].slots):
        wanted = "a" if not slot.is_gold else "bad" if n > 0 else "good"
        n -= slot.is_gold
        sitting.answer(assignment, number, Choice.LEFT if slot.left == wanted else Choice.RIGHT)
    sitting.submit(assignment)
    return sitting.desk.current(assignment).stage


def test_two_misses_may_be_asked_for(open_store: Callable[[], RecordStore]) -> None:
    """One of three missed is used, and is on record for the test that blocks; two void the task."""
    store = open_store()
    golds = [Gold(f"g{i}", "good", "bad") for i in range(N_GOLDS)]
    store.append(GOLDS, [gold.to_record() for gold in golds])
    tasks = make_tasks([Pair(f"q{i:02d}", "a", "b") for i in range(4)], golds, per_task=2, golds_per_task=3)
    store.append(TASKS, [task.to_record() for task in tasks])
    store.note({MISSES: 2})
    sitting = Sitting(store)
    assert miss(sitting, "ann", 1) is AssignmentStage.ACCEPTED
    assert sitting.desk.golds_of("ann") == (3, 1)
    assert len(votes_in(store)) == 2
    assert miss(sitting, "bob", 2) is AssignmentStage.EXCLUDED
    assert len(votes_in(store)) == 2, "those of the other task"
    assert Sitting(store).desk.golds_of("bob") == (3, 2)


@pytest.mark.parametrize("misses", [0, True, "two"])
def test_misses_edited_by_hand_are_refused(store: RecordStore, misses: object) -> None:
    with pytest.raises(InputError, match="a whole number from 1"):
        sit_with_misses(store, misses)


def sit_with_misses(store: RecordStore, misses: object) -> None:
    """A database refuses the note itself; a folder, which people edit, when it is read."""
    store.note({MISSES: misses})
    Sitting(store)


def test_scope_assessor_voids_all_they_ever_answered(store: RecordStore) -> None:
    store.note({SCOPE: "assessor"})
    loose = Judgment(judgment_id="loose", query_id="z", left="a", right="b", choice=Choice.LEFT, assessor="ann")
    store.add_judgments([loose])
    sitting = Sitting(store)
    first = do_task(sitting, "ann")
    do_task(sitting, "ann", fails_gold=True)
    assert votes_in(store) == {}
    assert {each.stage for each in sitting.assignments} == {AssignmentStage.EXCLUDED}
    assert f"{first.task_id}-2" in sitting.tasks


def test_scope_task_keeps_their_other_tasks(store: RecordStore) -> None:
    sitting = Sitting(store)
    first = do_task(sitting, "ann")
    do_task(sitting, "ann", fails_gold=True)
    assert set(votes_in(store)) == {pair.query_id for pair in sitting.tasks[first.task_id].pairs}


@pytest.mark.parametrize("stage", [AssignmentStage.RETURNED, AssignmentStage.TIMED_OUT, AssignmentStage.EXITED])
def test_unfinished_work_is_released_its_answers_do_not_count_and_others_get_it(
    store: RecordStore, stage: AssignmentStage
) -> None:
    sitting = Sitting(store)
    assignment = begin(sitting, "ann")
    sitting.answer(assignment, 0, Choice.LEFT)
    sitting.move(assignment, stage)
    assert votes_in(store) == {}
    other = sitting.offer("bob")
    assert other is not None
    assert other.task_id == assignment.task_id
    mine = sitting.offer("ann")
    assert mine is not None
    assert mine.task_id != assignment.task_id


def test_work_begun_long_ago_times_out(store: RecordStore) -> None:
    sitting = Sitting(store)
    old = sitting.offer("ann", at=datetime(2026, 1, 1, tzinfo=UTC))
    new = sitting.offer("bob")
    assert old is not None
    released = sitting.release_stale(datetime.now(UTC) - timedelta(hours=1))
    assert [each.assignment_id for each in released] == [old.assignment_id]
    assert sitting.offer("bob") == new


def test_a_skipped_pair_comes_once_more_at_the_end(store: RecordStore) -> None:
    sitting = Sitting(store)
    assignment = begin(sitting, "ann")
    slots = sitting.tasks[assignment.task_id].slots
    skipped = next(number for number, slot in enumerate(slots) if not slot.is_gold)
    others = [number for number in range(3) if number != skipped]
    sitting.answer(assignment, skipped, Choice.SKIP)
    assert sitting.open_slots(assignment) == [*others, skipped]
    sitting.answer(assignment, skipped, Choice.SKIP)
    assert sitting.open_slots(assignment) == others
    answer_all(sitting, assignment)
    assert sitting.submit(assignment).is_passed
    assert slots[skipped].query_id not in votes_in(store)


def test_an_answer_after_a_skip_counts(store: RecordStore) -> None:
    sitting = Sitting(store)
    assignment = begin(sitting, "ann")
    sitting.answer(assignment, 0, Choice.SKIP)
    answer_all(sitting, assignment)
    sitting.submit(assignment)
    assert len(votes_in(store)) == 2


def test_undo_takes_the_last_answer_back(store: RecordStore) -> None:
    sitting = Sitting(store)
    assignment = begin(sitting, "ann")
    assert sitting.undo(assignment) is None
    sitting.answer(assignment, 0, Choice.LEFT)
    sitting.answer(assignment, 1, Choice.LEFT)
    assert sitting.undo(assignment) == 1
    assert sitting.open_slots(assignment) == [1, 2]
    sitting.answer(assignment, 1, Choice.RIGHT)
    assert [(each.slot, each.choice) for each in sitting.answers(assignment)] == [(0, Choice.LEFT), (1, Choice.RIGHT)]
    assert len(store.read_judgments().rows) == 4  # nothing was deleted
    assert Sitting(store).open_slots(assignment) == [2]


def test_a_skip_after_an_undo_is_a_skip(store: RecordStore) -> None:
    sitting = Sitting(store)
    assignment = begin(sitting, "ann")
    sitting.answer(assignment, 0, Choice.LEFT)
    sitting.undo(assignment)
    sitting.answer(assignment, 0, Choice.SKIP)
    assert sitting.open_slots(assignment) == [1, 2, 0], "it comes once more at the end"
    sitting.answer(assignment, 0, Choice.RIGHT)
    assert [each.choice for each in sitting.answers(assignment) if each.choice is not Choice.SKIP] == [Choice.RIGHT]


def test_undo_twice_goes_back_two(store: RecordStore) -> None:
    sitting = Sitting(store)
    assignment = begin(sitting, "ann")
    sitting.answer(assignment, 0, Choice.LEFT)
    sitting.answer(assignment, 1, Choice.LEFT)
    assert [sitting.undo(assignment), sitting.undo(assignment), sitting.undo(assignment)] == [1, 0, None]
    assert sitting.open_slots(assignment) == [0, 1, 2]


def test_a_second_answer_to_a_slot_supersedes_the_first(store: RecordStore) -> None:
    sitting = Sitting(store)
    assignment = begin(sitting, "ann")
    sitting.answer(assignment, 0, Choice.LEFT)
    sitting.answer(assignment, 0, Choice.RIGHT)
    assert [each.choice for each in sitting.answers(assignment)] == [Choice.RIGHT]


def test_unfinished_work_cannot_be_handed_in(store: RecordStore) -> None:
    sitting = Sitting(store)
    assignment = begin(sitting, "ann")
    sitting.answer(assignment, 0, Choice.LEFT)
    with pytest.raises(InputError, match="found 2 of 3 without an answer"):
        sitting.submit(assignment)


def test_only_active_work_takes_answers(store: RecordStore) -> None:
    sitting = Sitting(store)
    offered = sitting.offer("ann")
    assert offered is not None
    with pytest.raises(InputError, match="found it offered; expected it to be active"):
        sitting.answer(offered, 0, Choice.LEFT)


def test_a_crash_after_handing_in_is_made_good_when_a_desk_is_opened(store: RecordStore) -> None:
    """The event is on disk, and nothing of what follows from it."""
    sitting = Sitting(store)
    assignment = begin(sitting, "ann")
    answer_all(sitting, assignment, fails_gold=True)
    store.append(ASSIGNMENTS, [assignment.move(AssignmentStage.SUBMITTED).to_record()])
    later = Sitting(store)
    assert [each.stage for each in later.assignments] == [AssignmentStage.EXCLUDED]
    assert votes_in(store) == {}
    assert "t00001-2" in later.tasks


def test_opening_a_desk_again_writes_nothing(store: RecordStore) -> None:
    sitting = Sitting(store)
    do_task(sitting, "ann", fails_gold=True)
    before = {kind: store.read(kind) for kind in (TASKS, ASSIGNMENTS, JUDGMENTS)}
    Sitting(store)
    assert {kind: store.read(kind) for kind in before} == before


def test_of_two_desks_the_second_sees_what_the_first_gave_away(
    store: RecordStore, open_store: Callable[[], RecordStore]
) -> None:
    sitting, rival = Sitting(store), Sitting(open_store())
    assert (begin(rival, "bob").task_id, begin(sitting, "ann").task_id) == ("t00001", "t00002")


def test_two_desks_of_one_assessor_give_one_vote_a_pair_and_hand_in_once(
    store: RecordStore, open_store: Callable[[], RecordStore]
) -> None:
    """Both saw every slot open before either answered."""
    one, other = Sitting(store), Sitting(open_store())
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
    assert [each.stage for each in Sitting(store).assignments] == [AssignmentStage.ACCEPTED]
    assert {outcome.n for outcome in resolve_pairs(store.read_judgments()).values()} == {1}


def test_work_that_another_process_released_takes_no_more_answers(
    store: RecordStore, open_store: Callable[[], RecordStore]
) -> None:
    sitting = Sitting(store)
    assignment = begin(sitting, "ann")
    sitting.answer(assignment, 0, Choice.LEFT)
    Sitting(open_store()).release_stale(datetime.now(UTC))
    for attempt in (lambda: sitting.answer(assignment, 1, Choice.LEFT), lambda: sitting.undo(assignment)):
        with pytest.raises(NotActiveError, match="found it timed_out"):
            attempt()
    assert [each.stage for each in Sitting(store).assignments] == [AssignmentStage.TIMED_OUT]
    assert votes_in(store) == {}


def test_a_state_with_an_impossible_event_can_still_be_used(store: RecordStore) -> None:
    done = do_task(Sitting(store), "ann")
    record = done.to_record()
    store.append(ASSIGNMENTS, [{**record, "stage": "submitted"}, record])
    sitting = Sitting(store)
    assert sitting.n_impossible_events == 1
    assert do_task(sitting, "bob").stage is AssignmentStage.ACCEPTED


@pytest.mark.parametrize(
    ("kind", "wrong"),
    [(ASSIGNMENTS, {"task_id": "t99999"}), (ASSIGNMENTS, {"at": "2026-01-01T12:00:00"}), (TASKS, {"number": "x"})],
)
def test_a_line_edited_by_hand_is_named(store: RecordStore, kind: str, wrong: dict[str, str]) -> None:
    begin(Sitting(store), "ann")
    store.append(kind, [{**store.read(kind)[0], **wrong}])
    with pytest.raises(FormatError, match=rf"{kind}.*, line 4"):
        Sitting(store)


def test_a_scope_edited_by_hand_is_refused(store: RecordStore) -> None:
    store.note({SCOPE: "world"})
    with pytest.raises(InputError, match="what a failed gold voids"):
        Sitting(store)


def test_an_answer_that_is_sent_twice_is_kept_once(store: RecordStore) -> None:
    sitting = Sitting(store)
    assignment = begin(sitting, "ann")
    first = sitting.answer(assignment, 0, Choice.LEFT, answer_id="one")
    assert sitting.answer(assignment, 0, Choice.LEFT, answer_id="one") == first
    assert Sitting(store).answer(assignment, 0, Choice.LEFT, answer_id="one") == first
    assert len(store.read(JUDGMENTS)) == 1
    answer_all(sitting, assignment)
    sitting.submit(assignment)
    assert sitting.answer(assignment, 0, Choice.LEFT, answer_id="one") == first  # its reply was lost on the way


@pytest.mark.parametrize(("slot", "choice"), [(0, Choice.RIGHT), (1, Choice.LEFT)])
def test_another_answer_under_the_same_id_is_refused(store: RecordStore, slot: int, choice: Choice) -> None:
    sitting = Sitting(store)
    assignment = begin(sitting, "ann")
    sitting.answer(assignment, 0, Choice.LEFT, answer_id="one")
    with pytest.raises(InputError, match="expected what was kept under this id, 'left' to slot 0"):
        sitting.answer(assignment, slot, choice, answer_id="one")
    assert len(store.read(JUDGMENTS)) == 1


@pytest.mark.parametrize("slot", [-1, 3])
def test_a_slot_that_the_task_does_not_have_is_refused(store: RecordStore, slot: int) -> None:
    sitting = Sitting(store)
    with pytest.raises(InputError, match=f"found slot {slot}; expected one from 0 to 2"):
        sitting.answer(begin(sitting, "ann"), slot, Choice.LEFT)


def test_what_could_not_be_kept_did_not_happen(store: RecordStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """The place is full just when a failed gold is to be followed up: all of it is done by whoever comes next."""
    store.note({BLOCK: "first-miss"})
    sitting = Sitting(store)
    assignment = begin(sitting, "ann")
    answer_all(sitting, assignment, fails_gold=True)
    with monkeypatch.context() as full:
        keep = store.append
        full.setattr(type(store), "append", lambda _, kind, rows: _refuse() if kind == TASKS else keep(kind, rows))
        with pytest.raises(OSError, match="full"):
            sitting.submit(assignment)
    for desk in (Sitting(store), sitting):
        if desk.offer("ann") is not None:  # taken back as a whole: it can be handed in again
            assert not desk.submit(assignment).is_passed
        assert desk.offer("ann") is None
        assert [each.stage for each in desk.assignments] == [AssignmentStage.EXCLUDED]
        assert set(desk.tasks) == {"t00001", "t00002", "t00003", "t00001-2"}
    assert votes_in(store) == {}


def _refuse() -> None:
    raise OSError("The place is full.")
