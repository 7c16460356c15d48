"""How does a judge that is no person work through many pairs?"""

from __future__ import annotations

import fcntl
import os
import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from tests.labels.builders import votes

from toprung.data.judgments import AssessorKind, Choice, Pair
from toprung.errors import FormatError, InputError
from toprung.labels.effort.effort import Effort
from toprung.labels.judges.answers import ANSWERS
from toprung.labels.judges.batch import MOST_FAILURES, judge_all
from toprung.labels.judges.one_at_a_time import one_at_a_time
from toprung.labels.judges.recorded import RecordedJudge
from toprung.labels.judges.session import Session
from toprung.labels.tasks.desk_records import TASKS
from toprung.labels.tasks.protocol import Answer, JudgeStoppedError, NoAnswerError, Text
from toprung.labels.tasks.quality import SCOPE
from toprung.labels.tasks.questions import Question, Texts, task_questions
from toprung.labels.tasks.task import Slot, Task
from toprung.labels.votes.outcomes import resolve_pairs


def by_length(left: Text, right: Text) -> Choice | None:
    """Prefers the shorter text."""
    if len(left.text) == len(right.text):
        return Choice.TIE
    return Choice.LEFT if len(left.text) < len(right.text) else Choice.RIGHT


@dataclass
class FakeJudge:
    """Does what a test tells it, and counts what it was asked."""

    choose: Callable[[Text, Text], Choice | None] = by_length
    asks_both_orders: bool = True
    kind: AssessorKind = AssessorKind.LLM
    name: str = "fake"
    cost: float = 0.0
    is_metered: bool = True
    raw: str = "said"
    is_final: bool = False
    asked: list[tuple[str, str, str]] = field(default_factory=list)

    def compare(self, query: Text, left: Text, right: Text) -> Answer:
        self.asked.append((query.an_id, left.an_id, right.an_id))
        choice = self.choose(left, right)
        return Answer(
            choice=choice,
            raw=self.raw,
            is_final=self.is_final,
            tokens_in=10,
            tokens_out=1,
            cost=self.cost,
            is_metered=self.is_metered,
        )


QUESTIONS = [Question(query_id=f"q{i}", left="short", right="long") for i in range(6)]
TEXTS = Texts(queries={f"q{i}": "why?" for i in range(6)}, documents={"short": "so", "long": "because of that"})


@pytest.fixture
def effort(tmp_path: Path) -> Effort:
    return Effort.open_or_create(tmp_path / "state")


def run(effort: Effort, judge: FakeJudge, questions: list[Question] = QUESTIONS, **options: Any) -> Session:
    return judge_all(effort, judge, questions, TEXTS, **options)


def choices_in(effort: Effort) -> list[Choice]:
    return [each.choice for each in effort.read_judgments().rows]


def test_both_orders_are_asked_and_agree(effort: Effort) -> None:
    judge = FakeJudge()
    found = run(effort, judge)
    assert judge.asked[:2] == [("q0", "short", "long"), ("q0", "long", "short")]
    assert choices_in(effort) == [Choice.LEFT] * 6
    assert (found.n_pairs, found.n_answers, found.n_left, found.tokens_in) == (6, 12, 0, 120)


def test_an_answer_that_follows_the_side_is_a_tie(effort: Effort) -> None:
    run(effort, FakeJudge(choose=lambda *_: Choice.LEFT))
    assert choices_in(effort) == [Choice.TIE] * 6


def test_a_tie_in_one_order_and_a_side_in_the_other_is_a_tie(effort: Effort) -> None:
    run(effort, FakeJudge(choose=lambda left, _: Choice.LEFT if left.an_id == "short" else Choice.TIE))
    assert choices_in(effort) == [Choice.TIE] * 6


@pytest.mark.parametrize("invalid", [("short", "long"), ("short",), ("long",)])
def test_an_invalid_answer_in_either_order_is_no_vote_and_not_asked_again(
    effort: Effort, invalid: tuple[str, ...]
) -> None:
    judge = FakeJudge(choose=lambda left, _: None if left.an_id in invalid else Choice.LEFT)
    assert run(effort, judge).n_invalid == 6
    assert choices_in(effort) == []
    run(effort, judge)
    assert len(judge.asked) == 12


def test_an_invalid_answer_is_asked_again_so_often_and_no_more(effort: Effort) -> None:
    judge = FakeJudge(choose=lambda *_: None)
    found = run(effort, judge, QUESTIONS[:1], ask_again=2)
    assert (found.n_answers, found.n_asked_again, found.n_mended, found.n_invalid) == (6, 4, 0, 1)
    assert run(effort, judge, QUESTIONS[:1], ask_again=2).n_answers == 0
    assert run(effort, judge, QUESTIONS[:1], ask_again=3).n_answers == 2


def test_an_answer_that_is_valid_the_second_time_counts(effort: Effort) -> None:
    """In the next session too, whose question it then is."""
    is_clear: list[bool] = []
    judge = FakeJudge(choose=lambda left, right: by_length(left, right) if is_clear else None)
    run(effort, judge, QUESTIONS[:1])
    is_clear.append(True)
    assert choices_in(effort) == []
    found = run(effort, judge, QUESTIONS[:1], ask_again=1)
    assert (found.n_pairs, found.n_asked_again, found.n_mended) == (1, 2, 2)
    assert choices_in(effort) == [Choice.LEFT]


def test_a_pair_that_is_refused_is_not_asked_again(effort: Effort) -> None:
    judge = FakeJudge(choose=lambda *_: None, is_final=True)
    assert run(effort, judge, QUESTIONS[:1], ask_again=2).n_answers == 2
    assert run(effort, judge, QUESTIONS[:1], ask_again=2).n_answers == 0


def test_a_judge_of_one_order_is_asked_once(effort: Effort) -> None:
    judge = FakeJudge(asks_both_orders=False, kind=AssessorKind.HUMAN)
    run(effort, judge)
    assert len(judge.asked) == 6
    assert len(resolve_pairs(effort.read_judgments())) == 6


def test_a_models_votes_are_outside_official_outcomes(effort: Effort) -> None:
    run(effort, FakeJudge())
    assert resolve_pairs(effort.read_judgments()) == {}
    assert len(resolve_pairs(effort.read_judgments(), kinds=["llm"])) == 6


def test_starting_again_asks_nothing_that_is_stored(effort: Effort) -> None:
    judge = FakeJudge()
    run(effort, judge, limit=2)
    assert len(judge.asked) == 4
    run(effort, judge)
    run(effort, judge)
    assert Counter(judge.asked) == Counter(dict.fromkeys(judge.asked, 1))
    assert len(judge.asked) == 12
    assert len(choices_in(effort)) == 6


def test_another_judge_starts_from_the_beginning(effort: Effort) -> None:
    run(effort, FakeJudge())
    other = FakeJudge(name="other")
    run(effort, other)
    assert len(other.asked) == 12
    assert len(choices_in(effort)) == 12


class KilledError(BaseException):
    """Stands for the end of the process."""


@pytest.mark.parametrize("writes", range(1, 12))
def test_wherever_it_is_interrupted_nothing_is_lost_and_nothing_stored_is_asked_twice(
    effort: Effort, monkeypatch: pytest.MonkeyPatch, writes: int
) -> None:
    """The process ends right after so many writes: answers and judgments alike."""
    append, left = Effort.append, [writes]

    def append_then_die(self: Effort, kind: str, records: Any) -> None:
        append(self, kind, records)
        left[0] -= 1
        if left[0] == 0:
            raise KilledError

    judge = FakeJudge()
    monkeypatch.setattr(Effort, "append", append_then_die)
    with pytest.raises(KilledError):
        run(effort, judge)
    monkeypatch.setattr(Effort, "append", append)
    run(effort, judge)
    assert Counter(judge.asked).most_common(1)[0][1] == 1
    assert len(judge.asked) == len(effort.read(ANSWERS)) == 12
    assert choices_in(effort) == [Choice.LEFT] * 6


def test_an_answer_that_was_never_written_is_asked_for_again(effort: Effort, monkeypatch: pytest.MonkeyPatch) -> None:
    append = Effort.append

    def die(self: Effort, kind: str, records: object) -> None:
        raise KilledError

    judge = FakeJudge()
    monkeypatch.setattr(Effort, "append", die)
    with pytest.raises(KilledError):
        run(effort, judge)
    monkeypatch.setattr(Effort, "append", append)
    run(effort, judge)
    assert len(judge.asked) == 13
    assert len(effort.read(ANSWERS)) == 12


def test_the_budget_is_not_passed(effort: Effort) -> None:
    judge = FakeJudge(cost=0.10)
    found = run(effort, judge, budget=0.55)
    assert len(judge.asked) == 5
    assert found.ended.startswith("the budget of 0.55 is reached, with 0.50")
    assert run(effort, judge, budget=0.55).n_answers == 0  # what was spent before counts
    assert run(effort, judge, budget=2.0).n_left == 0
    assert len(judge.asked) == 12


def test_the_budget_holds_for_many_at_once(effort: Effort) -> None:
    together = threading.Barrier(3)

    def slowly(left: Text, right: Text) -> Choice:
        if len(judge.asked) > 2:
            together.wait(timeout=300)
        return Choice.LEFT

    judge = FakeJudge(cost=0.10)
    run(effort, judge, limit=1)  # what one costs is known
    judge.choose = slowly
    run(effort, judge, budget=0.55, at_once=4)
    assert len(judge.asked) == 5


def test_many_at_once_give_the_same_judgments(effort: Effort, tmp_path: Path) -> None:
    alone = Effort.open_or_create(tmp_path / "alone")
    questions = [Question(query_id=f"q{i}", left="short", right="long") for i in range(40)]
    texts = Texts(queries={f"q{i}": "why?" for i in range(40)}, documents=TEXTS.documents)
    judge = FakeJudge()
    judge_all(effort, judge, questions, texts, at_once=8)
    judge_all(alone, FakeJudge(), questions, texts)
    found, expected = ({each.judgment_id: each.choice for each in s.read_judgments().rows} for s in (effort, alone))
    assert found == expected
    assert len(effort.read(ANSWERS)) == len(set(judge.asked)) == 80


def test_what_fails_in_a_thread_is_raised(effort: Effort) -> None:
    def fail(left: Text, right: Text) -> Choice:
        raise JudgeStoppedError("a wrong key")

    with pytest.raises(JudgeStoppedError, match="a wrong key"):
        run(effort, FakeJudge(choose=fail), at_once=3)


def test_a_pair_without_an_answer_stays_open_and_the_others_go_on(effort: Effort) -> None:
    def fail_once(left: Text, right: Text) -> Choice:
        if judge.asked[-1][0] == "q2" and len(judge.asked) < 7:
            raise NoAnswerError("busy")
        return Choice.TIE

    judge = FakeJudge(choose=fail_once)
    found = run(effort, judge)
    assert (found.n_pairs, found.n_failed, found.n_left) == (5, 1, 1)
    assert run(effort, judge).n_pairs == 1


def test_a_judge_that_never_answers_is_given_up(effort: Effort) -> None:
    def fail(left: Text, right: Text) -> Choice:
        raise NoAnswerError("nobody there.")

    judge = FakeJudge(choose=fail)
    with pytest.raises(JudgeStoppedError, match=r"nobody there. Stopped after 5 pairs"):
        run(effort, judge)
    assert len(judge.asked) == MOST_FAILURES


def test_golds_are_no_votes_and_are_counted(effort: Effort) -> None:
    questions = [
        Question(query_id="q0", left="short", right="long", task_id="t00001", slot=0, good="short"),
        Question(query_id="q1", left="short", right="long", task_id="t00001", slot=1, good="long"),
    ]
    found = run(effort, FakeJudge(), questions)
    assert (found.n_golds, found.n_golds_missed) == (2, 1)
    assert resolve_pairs(effort.read_judgments(), kinds=["llm"]) == {}
    assert [(each.task_id, each.slot) for each in effort.read_judgments().rows] == [("t00001", 0), ("t00001", 1)]


def test_an_answer_without_text_takes_its_own_pairs_out(effort: Effort) -> None:
    questions = [
        Question(query_id="q0", left="short", right="nowhere"),
        Question(query_id="q1", left="short", right="long"),
    ]
    found = run(effort, FakeJudge(), questions)
    assert (found.n_pairs, found.n_left, found.n_without_text) == (1, 0, 1)
    assert [each.query_id for each in effort.read_judgments().rows] == ["q1"]


def test_texts_are_checked_before_the_first_question(effort: Effort) -> None:
    judge = FakeJudge()
    with pytest.raises(InputError, match="Found no text for 1 of 2 documents, 'nowhere' first"):
        run(effort, judge, [Question(query_id="q0", left="short", right="nowhere")])
    with pytest.raises(InputError, match="Found no text for 1 of 1 queries, 'q99' first"):
        run(effort, judge, [Question(query_id="q99", left="short", right="long")])
    assert judge.asked == []


def test_two_processes_do_not_judge_under_one_name(effort: Effort) -> None:
    run(effort, FakeJudge())
    [lock] = effort.folder.glob(".judging-*.lock")
    with lock.open() as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        with pytest.raises(InputError, match="another process that judges as 'fake'"):
            run(effort, FakeJudge())
        run(effort, FakeJudge(name="another"))


def test_a_broken_record_is_said_with_its_line(effort: Effort) -> None:
    run(effort, FakeJudge(), limit=1)
    effort.append(ANSWERS, [{"assessor": "fake", "choice": "sideways"}])
    with pytest.raises(FormatError, match="line 3"):
        run(effort, FakeJudge())


def test_a_torn_line_is_asked_for_again(effort: Effort) -> None:
    judge = FakeJudge()
    run(effort, judge, limit=1)
    path = effort.path_of(ANSWERS)
    os.truncate(path, path.stat().st_size - 10)
    os.truncate(effort.path_of("judgments"), 0)
    run(effort, judge)
    assert Counter(judge.asked)[("q0", "long", "short")] == 2
    assert len(effort.read(ANSWERS)) == 12
    assert len({each.pair for each in effort.read_judgments().rows}) == 6


def test_progress_is_told_pair_by_pair(effort: Effort) -> None:
    told: list[str] = []
    judge_all(effort, FakeJudge(), QUESTIONS, TEXTS, on_progress=told.append)
    assert told == [f"q{i}" for i in range(6)]


def test_the_judgment_of_a_pair_has_one_id_whichever_side_is_shown(effort: Effort, tmp_path: Path) -> None:
    other = Effort.open_or_create(tmp_path / "other")
    run(effort, FakeJudge(), [Question(query_id="q0", left="short", right="long")])
    run(other, FakeJudge(), [Question(query_id="q0", left="long", right="short")])
    [one], [turned] = effort.read_judgments().rows, other.read_judgments().rows
    assert one.judgment_id == turned.judgment_id
    assert one.winner == turned.winner == "short"
    assert one.pair == Pair("q0", "long", "short")


def test_the_lock_is_let_go_at_the_end(effort: Effort) -> None:
    with one_at_a_time(effort, "x"), pytest.raises(InputError), one_at_a_time(effort, "x"):
        pass
    with one_at_a_time(effort, "x"):
        pass


def test_a_reply_with_half_a_character_is_kept_and_not_asked_for_again(effort: Effort) -> None:
    judge = FakeJudge(choose=lambda *_: None, raw="a\ud800b")
    found = run(effort, judge)
    assert (found.n_pairs, found.n_invalid) == (0, 6)
    assert effort.read(ANSWERS)[0]["raw"] == "a?b"
    run(effort, judge)
    assert len(judge.asked) == 12


def test_a_text_with_half_a_character_can_be_shown() -> None:
    texts = Texts(queries={"q": "\ud800?"}, documents={"d": "a\udfffb"})
    assert (texts.query("q").text, texts.document("d").text) == ("??", "a?b")


@pytest.mark.parametrize("at_once", [1, 3])
def test_a_budget_of_nothing_pays_for_nothing(effort: Effort, at_once: int) -> None:
    judge = FakeJudge(cost=0.10)
    assert run(effort, judge, budget=0.0, at_once=at_once).ended.startswith("the budget of 0 is reached")
    assert judge.asked == []


def test_many_at_once_wait_until_the_first_cost_is_known(effort: Effort) -> None:
    judge = FakeJudge(cost=0.10)
    run(effort, judge, budget=0.25, at_once=6)
    assert len(judge.asked) == 2


def test_an_answer_that_does_not_say_its_cost_stops_a_budget(effort: Effort) -> None:
    judge = FakeJudge(is_metered=False)
    with pytest.raises(JudgeStoppedError, match="does not say what it cost"):
        run(effort, judge, budget=1.0)
    assert len(judge.asked) == len(effort.read(ANSWERS)) == 1
    assert run(effort, judge).n_pairs == 6


def test_why_a_pair_got_no_answer_is_known(effort: Effort) -> None:
    def fail(left: Text, right: Text) -> Choice:
        raise NoAnswerError("connection refused")

    assert run(effort, FakeJudge(choose=fail), limit=2).last_failure == "connection refused"


def gold_task(effort: Effort, *, scope: str = "task") -> list[Question]:
    """Two tasks of a pair and a gold, whose good answer is the long one in the first."""

    def side(query_id: str, good: str | None = None) -> Slot:
        return Slot(query_id=query_id, left="short", right="long", good=good)

    slots = [
        [side("q0", good="long"), side("q1")],
        [
            Slot(query_id="q2", left="short", right="long", good="short"),
            Slot(query_id="q3", left="short", right="long"),
        ],
    ]
    tasks = [Task(number=number, slots=tuple(each), seed=0) for number, each in enumerate(slots, start=1)]
    effort.append(TASKS, (task.to_record() for task in tasks))
    effort.note({SCOPE: scope})
    return task_questions(tasks)


@pytest.mark.parametrize(("scope", "left"), [("task", {"q3"}), ("assessor", set())])
def test_a_missed_gold_takes_the_votes_of_its_task_back(effort: Effort, scope: str, left: set[str]) -> None:
    judge = FakeJudge(kind=AssessorKind.HUMAN, asks_both_orders=False)
    questions = gold_task(effort, scope=scope)
    assert run(effort, judge, questions).n_voided == 2 - len(left)
    assert {pair.query_id for pair in resolve_pairs(effort.read_judgments())} == left
    assert run(effort, judge, questions).n_voided == 0
    assert {pair.query_id for pair in resolve_pairs(effort.read_judgments())} == left


def test_a_models_missed_golds_are_told_and_void_nothing(effort: Effort) -> None:
    found = run(effort, FakeJudge(), gold_task(effort))
    assert (found.n_golds_missed, found.n_voided) == (1, 0)


def test_no_time_is_known_of_answers_in_a_file(effort: Effort) -> None:
    on_record = RecordedJudge(votes("q0 short long left\nq1 short long left"), name="file")
    judge_all(effort, on_record, QUESTIONS[:2], TEXTS)
    assert [each.ms for each in effort.read_judgments().rows] == [None, None]
