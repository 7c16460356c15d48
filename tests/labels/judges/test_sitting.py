"""How does a person work?"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from toprung.data.judgments import Choice, Pair
from toprung.errors import InputError
from toprung.labels.effort.effort import Effort
from toprung.labels.judges.one_at_a_time import one_at_a_time
from toprung.labels.judges.sitting import sit_at_pairs, sit_at_tasks
from toprung.labels.judges.terminal import TerminalJudge
from toprung.labels.tasks.assignments import AssignmentStage
from toprung.labels.tasks.desk_records import GOLDS, TASKS
from toprung.labels.tasks.golds import Gold
from toprung.labels.tasks.questions import Question, Texts
from toprung.labels.tasks.sitting import BLOCK, Sitting
from toprung.labels.tasks.task import make_tasks
from toprung.labels.votes.outcomes import resolve_pairs

TEXTS = Texts(
    queries={f"{letter}{i}": "why?" for letter in "qg" for i in range(9)},
    documents={"a": "text a", "b": "text b", "good": "good text", "bad": "bad text"},
)


@pytest.fixture
def effort(tmp_path: Path) -> Effort:
    return Effort.open_or_create(tmp_path / "state")


def add_tasks(effort: Effort, n_pairs: int = 4) -> None:
    """Tasks of two pairs and one gold."""
    golds = [Gold(f"g{i}", "good", "bad") for i in range(5)]
    effort.append(GOLDS, (gold.to_record() for gold in golds))
    made = make_tasks([Pair(f"q{i}", "a", "b") for i in range(n_pairs)], golds, per_task=2, golds_per_task=1)
    effort.append(TASKS, (task.to_record() for task in made))


def person(keys: str, name: str = "ann", screen: list[str] | None = None) -> TerminalJudge:
    pressed: Iterator[str] = iter(keys)
    return TerminalJudge(
        name, read_key=lambda: next(pressed, ""), write=([] if screen is None else screen).append, width=lambda: 80
    )


def good_keys(sitting: Sitting) -> str:
    """What a careful person presses, task by task: ``a``, and the good answer."""
    tasks = [task for task in sitting.tasks.values() if task.attempt == 1]
    return "".join("1" if slot.left in ("a", "good") else "2" for task in tasks for slot in task.slots)


def test_a_careful_person_finishes_all_tasks(effort: Effort) -> None:
    add_tasks(effort)
    sitting = Sitting(effort)
    found = sit_at_tasks(sitting, person(good_keys(sitting)), TEXTS)
    assert (found.n_pairs, found.n_tasks_accepted, found.n_tasks_excluded) == (6, 2, 0)
    assert found.ended == "no more tasks for this assessor"
    assert {outcome.winner for outcome in resolve_pairs(effort.read_judgments()).values()} == {"a"}
    assert all(each.ms is not None for each in effort.read_judgments().rows)


@pytest.mark.parametrize(("rule", "n_tasks"), [("first-miss", 1), ("test", 2)])
def test_a_careless_person_is_stopped(effort: Effort, rule: str, n_tasks: int) -> None:
    """By the test after two golds of two: 1/3 beside .02² is 833, where 1/2 beside .02 was 25."""
    effort.note({BLOCK: rule})
    add_tasks(effort, n_pairs=6)
    turned = str.maketrans("12", "21")
    found = sit_at_tasks(Sitting(effort), person(good_keys(Sitting(effort)).translate(turned)), TEXTS)
    assert (found.n_tasks_accepted, found.n_tasks_excluded) == (0, n_tasks)
    assert resolve_pairs(effort.read_judgments()) == {}


def test_whoever_quits_goes_on_where_they_stopped(effort: Effort) -> None:
    add_tasks(effort)
    keys = good_keys(Sitting(effort))
    for key in keys:  # one key, then quit, six times
        sit_at_tasks(Sitting(effort), person(f"{key}q"), TEXTS)
    assert [each.stage for each in Sitting(effort).assignments] == [AssignmentStage.ACCEPTED, AssignmentStage.ACCEPTED]
    assert len(effort.read_judgments().rows) == 6


def test_the_limit_ends_a_sitting_in_the_middle_of_a_task(effort: Effort) -> None:
    add_tasks(effort)
    assert sit_at_tasks(Sitting(effort), person(good_keys(Sitting(effort))), TEXTS, limit=2).n_pairs == 2
    assert [each.stage for each in Sitting(effort).assignments] == [AssignmentStage.ACTIVE]


def test_undo_asks_the_last_pair_again(effort: Effort) -> None:
    add_tasks(effort, n_pairs=2)
    keys = good_keys(Sitting(effort))
    wrong = "1" if keys[0] == "2" else "2"
    found = sit_at_tasks(Sitting(effort), person(f"u{wrong}u{keys}"), TEXTS)
    assert (found.n_pairs, found.n_tasks_accepted) == (3, 1)
    assert {outcome.winner for outcome in resolve_pairs(effort.read_judgments()).values()} == {"a"}


def test_a_skipped_pair_is_shown_once_more(effort: Effort) -> None:
    add_tasks(effort, n_pairs=2)
    keys = good_keys(Sitting(effort))
    screen: list[str] = []
    found = sit_at_tasks(Sitting(effort), person(f"s{keys[1:]}{keys[0]}", screen=screen), TEXTS)
    assert (found.n_skipped, found.n_pairs, found.n_tasks_accepted) == (1, 3, 1)
    assert len(screen) == 4


def test_progress_counts_golds_like_all_others(effort: Effort) -> None:
    add_tasks(effort, n_pairs=2)
    screen: list[str] = []
    sit_at_tasks(Sitting(effort), person(good_keys(Sitting(effort)), screen=screen), TEXTS)
    assert [next(line for line in shown.splitlines() if " of " in line) for shown in screen] == [
        "1 of 3",
        "2 of 3",
        "3 of 3",
    ]


def test_texts_are_checked_before_the_task_is_shown(effort: Effort) -> None:
    add_tasks(effort)
    with pytest.raises(InputError, match="Found no text for"):
        sit_at_tasks(Sitting(effort), person("1"), Texts(queries={}, documents={}))


def test_a_pair_without_text_is_passed_over_and_stays_open(effort: Effort) -> None:
    golds = [Gold("g0", "good", "bad")]
    effort.append(GOLDS, (gold.to_record() for gold in golds))
    pairs = [Pair("q0", "a", "b"), Pair("q1", "a", "gone")]
    made = make_tasks(pairs, golds, per_task=2, golds_per_task=1)
    effort.append(TASKS, (task.to_record() for task in made))
    shown = [slot for slot in made[0].slots if "gone" not in (slot.left, slot.right)]
    keys = "".join("1" if slot.left in ("a", "good") else "2" for slot in shown)
    screen: list[str] = []
    found = sit_at_tasks(Sitting(effort), person(keys, screen=screen), TEXTS)
    assert (found.n_without_text, found.n_skipped, found.n_pairs, found.n_tasks_accepted) == (1, 0, 2, 1)
    assert len(screen) == 2
    assert list(resolve_pairs(effort.read_judgments())) == [Pair("q0", "a", "b")]


def test_a_gold_without_text_is_refused_for_nobody_could_pass_it(effort: Effort) -> None:
    add_tasks(effort)
    documents = {name: text for name, text in TEXTS.documents.items() if name != "bad"}
    with pytest.raises(InputError, match="Found no text for 1 of 2 documents, 'bad' first"):
        sit_at_tasks(Sitting(effort), person("1"), Texts(queries=TEXTS.queries, documents=documents))


PAIRS = [Question(query_id=f"q{i}", left="a", right="b") for i in range(4)]


def test_without_tasks_pairs_are_asked_one_by_one(effort: Effort) -> None:
    found = sit_at_pairs(effort, person("120s"), PAIRS, TEXTS)
    assert [each.choice for each in effort.read_judgments().rows] == list(map(Choice, ("left", "right", "tie", "skip")))
    assert (found.n_pairs, found.n_skipped, found.n_left) == (3, 1, 1)


def test_quitting_keeps_what_was_answered(effort: Effort) -> None:
    found = sit_at_pairs(effort, person("11q"), PAIRS, TEXTS)
    assert (found.n_pairs, found.n_left, found.ended) == (2, 2, "quit")
    assert len(effort.read_judgments().rows) == 2


def test_undo_without_tasks_writes_a_superseding_row(effort: Effort) -> None:
    sit_at_pairs(effort, person("u11u2q"), PAIRS, TEXTS)
    current = effort.read_judgments().current
    assert [(each.query_id, each.choice) for each in current] == [("q0", Choice.LEFT), ("q1", Choice.RIGHT)]
    assert len(effort.read_judgments().rows) == 4


def test_an_undone_answer_does_not_count_even_if_the_person_leaves(effort: Effort) -> None:
    sit_at_pairs(effort, person("1uq"), PAIRS, TEXTS)
    assert resolve_pairs(effort.read_judgments()) == {}


def test_the_limit_is_held_without_tasks(effort: Effort) -> None:
    assert sit_at_pairs(effort, person("1111"), PAIRS, TEXTS, limit=3).n_pairs == 3


def test_a_task_taken_back_meanwhile_is_noticed_and_said(effort: Effort) -> None:
    """While the second pair is on the screen, someone times the work out."""
    add_tasks(effort)
    keys = iter(good_keys(Sitting(effort)))
    shown: list[str] = []

    def write(line: str) -> None:
        shown.append(line)
        if len(shown) == 2:
            Sitting(effort).release_stale(datetime.now(UTC))

    judge = TerminalJudge("ann", read_key=lambda: next(keys, ""), write=write, width=lambda: 80)
    found = sit_at_tasks(Sitting(effort), judge, TEXTS)
    assert (found.n_pairs, found.n_tasks_accepted) == (0, 0)
    assert found.ended == "the task was taken back meanwhile, and its answers do not count"
    assert [each.stage for each in Sitting(effort).assignments] == [AssignmentStage.TIMED_OUT]
    assert resolve_pairs(effort.read_judgments()) == {}


def test_a_second_sitting_under_one_name_is_told_so(effort: Effort) -> None:
    add_tasks(effort)
    with one_at_a_time(effort, "ann"):
        with pytest.raises(InputError, match="another process that judges as 'ann'"):
            sit_at_tasks(Sitting(effort), person("1"), TEXTS)
        with pytest.raises(InputError, match="another process that judges as 'ann'"):
            sit_at_pairs(effort, person("1"), PAIRS, TEXTS)
        sit_at_tasks(Sitting(effort), person("q", name="bob"), TEXTS)
