"""What does another program prefer?"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from toprung.data.judgments import AssessorKind, Choice
from toprung.errors import InputError
from toprung.labels.judges.command import CommandJudge, _to_answer
from toprung.labels.tasks.protocol import JudgeStoppedError, NoAnswerError, Text

QUERY, SHORT, LONG = Text("q-id", "why?"), Text("short-id", "so"), Text("long-id", "because")
LOOP = """
import json, os, sys, time
started = {started!r}
n_started = int(open(started).read()) + 1 if os.path.exists(started) else 1
open(started, "w").write(str(n_started))
for line in sys.stdin:
    request = json.loads(line)
    answer = {{"id": request["id"], "choice": "left" if len(request["left"]) < len(request["right"]) else "right"}}
    {body}
    print(json.dumps(answer), flush=True)
"""


@pytest.fixture
def program(tmp_path: Path) -> Callable[..., CommandJudge]:
    """A judge that runs this body for every request."""

    def make(body: str = "pass", **options: Any) -> CommandJudge:
        path = tmp_path / "judge.py"
        path.write_text(LOOP.format(body=body, started=str(tmp_path / "started")))
        return CommandJudge(f"{shlex.quote(sys.executable)} {shlex.quote(str(path))}", **options)

    return make


def test_a_program_answers_line_by_line(program: Callable[..., CommandJudge], tmp_path: Path) -> None:
    with program() as judge:
        assert judge.compare(QUERY, SHORT, LONG).choice is Choice.LEFT
        assert judge.compare(QUERY, LONG, SHORT).choice is Choice.RIGHT
    assert (tmp_path / "started").read_text() == "1"


def test_it_is_told_texts_and_no_ids(program: Callable[..., CommandJudge]) -> None:
    with program('answer["raw"] = line') as judge:
        raw = judge.compare(QUERY, SHORT, LONG).raw
    assert "because" in raw
    assert "-id" not in raw


def test_tokens_and_cost_are_taken_over(program: Callable[..., CommandJudge]) -> None:
    with program('answer |= {"tokens_in": 7, "tokens_out": 2, "cost": 0.5}') as judge:
        found = judge.compare(QUERY, SHORT, LONG)
    assert (found.tokens_in, found.tokens_out, found.cost) == (7, 2, 0.5)


@pytest.mark.parametrize("cost", ["'free'", "-1", "True", "float('nan')", "float('inf')", "None"])
def test_costs_that_are_none_count_nothing(program: Callable[..., CommandJudge], cost: str) -> None:
    with program(f'answer["cost"] = {cost}') as judge:
        assert judge.compare(QUERY, SHORT, LONG).cost == 0


@pytest.mark.parametrize("choice", ["'invalid'", "'both'", "None", "3", "['left']", "'skip'"])
def test_what_is_no_choice_is_invalid(program: Callable[..., CommandJudge], choice: str) -> None:
    with program(f'answer["choice"] = {choice}') as judge:
        assert judge.compare(QUERY, SHORT, LONG).choice is None


def test_lines_that_answer_nothing_are_passed_over(program: Callable[..., CommandJudge]) -> None:
    noise = 'print("loading…"); print("[1]"); print(); print(json.dumps({"id": -1, "choice": "right"}))'
    with program(noise) as judge:
        assert judge.compare(QUERY, SHORT, LONG).choice is Choice.LEFT
        assert judge.compare(QUERY, SHORT, LONG).choice is Choice.LEFT


def test_a_program_that_dies_is_started_again(program: Callable[..., CommandJudge], tmp_path: Path) -> None:
    with program("if n_started < 3: sys.exit(7)") as judge:
        assert judge.compare(QUERY, SHORT, LONG).choice is Choice.LEFT
    assert (tmp_path / "started").read_text() == "3"


def test_a_program_that_always_dies_gives_no_answer(program: Callable[..., CommandJudge]) -> None:
    with program("sys.exit(7)") as judge, pytest.raises(NoAnswerError, match=r"status 7\), 3 times"):
        judge.compare(QUERY, SHORT, LONG)


def test_a_program_that_reads_nothing_and_ends_gives_no_answer() -> None:
    with CommandJudge("true") as judge, pytest.raises(NoAnswerError, match="the program ended"):
        judge.compare(QUERY, Text("x", "x" * 500_000), LONG)


def test_a_silent_program_is_not_waited_for(program: Callable[..., CommandJudge], tmp_path: Path) -> None:
    with program("if n_started < 2: time.sleep(60)", timeout=3.0) as judge:
        assert judge.compare(QUERY, SHORT, LONG).choice is Choice.LEFT
    assert int((tmp_path / "started").read_text()) >= 2  # a busy machine may need one more


def test_a_program_that_does_not_read_is_not_waited_for() -> None:
    """More text than a pipe holds."""
    judge = CommandJudge("sleep 60", timeout=0.3, starts=1)
    with judge, pytest.raises(NoAnswerError):
        judge.compare(QUERY, Text("x", "x" * 500_000), LONG)


def test_endless_nonsense_ends(program: Callable[..., CommandJudge]) -> None:
    body = "while True: print('la la la')"
    with program(body, starts=1) as judge, pytest.raises(NoAnswerError, match="1,000 lines that answer nothing"):
        judge.compare(QUERY, SHORT, LONG)


def test_an_answer_that_comes_too_late_is_not_taken_for_the_next(program: Callable[..., CommandJudge]) -> None:
    with program("time.sleep(0 if n_started > 1 else 60)", timeout=3.0) as judge:
        assert judge.compare(QUERY, LONG, SHORT).choice is Choice.RIGHT
        assert judge.compare(QUERY, SHORT, LONG).choice is Choice.LEFT


def test_no_program_stops_at_once() -> None:
    judge = CommandJudge("no-such-program --x")
    with pytest.raises(JudgeStoppedError, match="no-such-program: found no program that starts"):
        judge.compare(QUERY, SHORT, LONG)


@pytest.mark.parametrize("command", ["", "   ", "'unclosed"])
def test_no_command_is_refused(command: str) -> None:
    with pytest.raises(InputError, match="expected a program and its arguments"):
        CommandJudge(command)


def test_kind_decides_whether_both_orders_are_asked() -> None:
    assert CommandJudge("x").asks_both_orders
    assert not CommandJudge("x", kind=AssessorKind.HUMAN).asks_both_orders


def test_every_command_line_is_an_assessor_of_its_own_and_its_words_are_not_told() -> None:
    names = {CommandJudge(command).name for command in ("/bin/x one", "/bin/x two", "/bin/x  one", "x sk-secret")}
    assert len(names) == 3
    assert all(name.startswith("x-") and "sk" not in name for name in names)
    assert CommandJudge("x y", name="ours").name == "ours"


@pytest.mark.parametrize("value", [10**400, "much", -1, True, 1e300, None])
def test_a_cost_that_is_none_is_not_believed(value: object) -> None:
    found = _to_answer({"choice": "left", "cost": value, "tokens_in": value})
    assert (found.choice, found.cost, found.is_metered, found.tokens_in) == (Choice.LEFT, 0.0, False, 0)
