"""``toprung submit``, to a board that misbehaves."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.client.board_server import SLUG, TOKEN, BoardServer, Fault

Command = Callable[..., Any]
PATIENCE = 300.0
COMMAND = ["submit", SLUG, "good.run", "--meta", "meta.json"]


@pytest.fixture
def board(server: BoardServer, files: Path, monkeypatch: pytest.MonkeyPatch) -> BoardServer:
    """A board, and all that is needed to submit to it from the folder of the command."""
    (files / "meta.json").write_text(json.dumps({"name": "first", "description": "New."}))
    monkeypatch.setenv("TOPRUNG_SERVER", server.url)
    monkeypatch.setenv("TOPRUNG_TOKEN", TOKEN)
    monkeypatch.setattr("toprung.client.following.FIRST_WAIT", 0.001)
    monkeypatch.setattr("toprung.client.connection.Connection.wait", lambda *_: None)
    server.result = {
        "score": 0.5,
        "interval": [0.4, 0.6],
        "sentence": "R1 ranks 1st.",
        "claim": {"against": "B1", "outcome": "supported", "p": 0.001, "level": 0.0304, "reason": "Answers more."},
    }
    return server


def test_the_way_of_a_run(board: BoardServer, toprung: Command) -> None:
    outcome = toprung(*COMMAND)
    assert outcome.code == 0
    assert outcome.err.splitlines() == [
        "2 of 2 submissions in any 30 days are left.",
        "good.run: Accepted, with nothing to remark.",
        "Dry run on the public dev labels, 3 queries: RR@100 0.5000.",
        "R1 first is queued.",
        "R1 first is being scored.",
        "R1 first is done.",
    ]
    assert outcome.out == (
        "R1 first is done: RR@100 0.5000 (95% interval 0.4000 to 0.6000). R1 ranks 1st. "
        f"Answers more.\n\n{board.url}/b/{SLUG}/runs/R1/\n"
    )


def test_the_result_may_be_json(board: BoardServer, toprung: Command) -> None:
    said = json.loads(toprung(*COMMAND, "-f", "json").out)
    assert (said["label"], said["score"], said["state"]) == ("R1", 0.5, "done")


def test_a_dry_run_submits_nothing(board: BoardServer, toprung: Command) -> None:
    board.quota["left"] = 0
    board.board["is_open"] = False
    outcome = toprung("submit", SLUG, "good.run", "--dry-run")
    assert (outcome.code, outcome.out) == (0, "")
    assert outcome.err.endswith("Nothing was submitted, and nothing was counted.\n")
    assert (board.runs, len(board.files)) == ([], 1)


def test_a_file_with_faults_is_not_sent_unless_one_insists(board: BoardServer, toprung: Command, files: Path) -> None:
    (files / "good.run").write_text("q1 Q0 a 1 high t\nq1 Q0 b 2 1 t\n")
    outcome = toprung(*COMMAND)
    assert (outcome.code, outcome.out) == (2, "")
    assert "line 1: found score 'high'; expected a number" in outcome.err
    assert board.count("POST") == 0
    board.states = ["refused"]
    board.report = {"sentence": "Cannot be scored yet: 1 error", "findings": []}
    outcome = toprung(*COMMAND, "--no-check")
    assert (outcome.code, "good.run: Cannot be scored yet: 1 error." in outcome.err) == (2, True)
    assert (board.runs, len(board.files)) == ([], 1)


def test_more_documents_than_the_board_takes_are_found_before(board: BoardServer, toprung: Command) -> None:
    board.board["depth"] = 1
    outcome = toprung(*COMMAND)
    assert (outcome.code, board.count("POST")) == (2, 0)
    assert "found query 'q1' with 2 documents; expected at most 1" in outcome.err


def test_a_run_that_could_not_be_scored_exits_with_1(board: BoardServer, toprung: Command) -> None:
    board.run_states = ["queued", "failed"]
    board.result = {"failure": "The labels could not be read."}
    outcome = toprung(*COMMAND)
    assert outcome.code == 1
    assert outcome.out.startswith("R1 first failed: The labels could not be read.")


def test_one_need_not_wait(board: BoardServer, toprung: Command) -> None:
    outcome = toprung(*COMMAND, "--no-wait")
    assert (outcome.code, outcome.out) == (0, f"R1 first is queued.\n\n{board.url}/b/{SLUG}/runs/R1/\n")


def test_who_waits_too_long_learns_how_to_go_on(board: BoardServer, toprung: Command) -> None:
    board.run_states = ["queued"]
    outcome = toprung(*COMMAND, "--timeout", "1")
    assert outcome.code == 2
    assert "Found it queued after 1 seconds; expected an end. It goes on. R1 is submitted" in outcome.err
    assert outcome.err.endswith(f"to follow it: toprung status {board.url}/b/{SLUG}/ R1 --follow\n")


def test_a_server_that_goes_away_after_the_submission_leaves_the_run_to_be_followed(
    board: BoardServer, toprung: Command
) -> None:
    board.faults = [Fault(method="GET", path="/runs/R1", cuts=True) for _ in range(6)]
    outcome = toprung(*COMMAND)
    assert (outcome.code, len(board.runs)) == (2, 1)
    assert "found no answer" in outcome.err
    assert outcome.err.endswith(f"to follow it: toprung status {board.url}/b/{SLUG}/ R1 --follow\n")


def test_an_answer_that_is_lost_submits_nothing_twice(board: BoardServer, toprung: Command) -> None:
    board.faults = [Fault(method="POST", path="/runs", cuts=True, is_heard=True)]
    assert toprung(*COMMAND).code == 0
    assert (len(board.runs), board.count("POST", "/runs")) == (1, 2), "asked again under the same key"


def test_a_file_that_is_compared_anew_is_submitted_after_that(board: BoardServer, toprung: Command) -> None:
    """The team submitted another run in the meantime: the server checks the file once more."""
    refusal = b'{"detail": "Found a run that your team submitted after this file was checked."}'
    board.states = ["accepted", "checking", "accepted"]
    board.faults = [Fault(method="POST", path="/runs", status=409, body=refusal)]
    outcome = toprung(*COMMAND)
    assert (outcome.code, len(board.runs)) == (0, 1)
    assert "Found a run that your team submitted after this file was checked." in outcome.err


@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        (["submit", SLUG, "missing.run"], "missing.run"),
        (["submit", SLUG, "good.run", "--meta", "missing.json"], "missing.json"),
        (["submit", SLUG, "good.run"], "Found no description; expected one in --meta"),
        (["submit", "no/board", "good.run"], "Found board 'no/board'"),
        (["submit", "https://a.org/b/x/", "good.run", "--server", "https://b.org"], "expected one server"),
        ([*COMMAND, "--team", "others"], "Found team 'others', which you are not in"),
    ],
)
def test_what_is_wrong_is_said_before_anything_is_sent(
    board: BoardServer, toprung: Command, arguments: list[str], found: str
) -> None:
    outcome = toprung(*arguments)
    assert (outcome.code, outcome.out, board.count("POST")) == (2, "", 0)
    assert outcome.err.startswith("toprung: ")
    assert found in outcome.err


def test_without_a_token_one_is_told_to_log_in(
    board: BoardServer, toprung: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("TOPRUNG_TOKEN")
    outcome = toprung(*COMMAND)
    assert outcome.code == 2
    assert f"Found no token for {board.url}; expected one. Run this first: toprung login {board.url}" in outcome.err


def test_the_name_is_that_of_the_option_then_the_words_then_the_file(
    board: BoardServer, toprung: Command, files: Path
) -> None:
    toprung(*COMMAND, "--name", "chosen", "--no-wait")
    toprung(*COMMAND, "--no-wait")
    (files / "meta.json").write_text('{"description": "New."}')
    toprung(*COMMAND, "--no-wait")
    assert [run["name"] for run in board.runs] == ["chosen", "first", "good"]


def test_names_of_others_cannot_drive_the_terminal(board: BoardServer, toprung: Command) -> None:
    board.result |= {"name": "a\x1b[2J\u202e", "sentence": "R1\x07", "failure": "\x1b]0;x"}
    board.report = {"sentence": "Accepted\x1b[31m", "findings": []}
    outcome = toprung(*COMMAND)
    assert outcome.code == 0
    assert not any(character in outcome.out + outcome.err for character in "\x1b\x07\u202e")


class Sitting:
    """A person at a terminal, who types."""

    def __init__(self, *arguments: str) -> None:
        self.keyboard, slave = pty.openpty()
        self.process = subprocess.Popen(
            [Path(sys.executable).with_name("toprung"), *arguments], stdin=slave, stderr=subprocess.PIPE, text=True
        )
        os.close(slave)

    def end(self) -> tuple[int, str]:
        _, said = self.process.communicate(timeout=PATIENCE)
        os.close(self.keyboard)
        return self.process.returncode, said


@pytest.mark.parametrize(("typed", "runs"), [("n\n", 0), ("\n", 0), ("y\n", 1)])
def test_who_sits_there_is_asked(board: BoardServer, typed: str, runs: int) -> None:
    person = Sitting(*COMMAND)
    os.write(person.keyboard, typed.encode())
    code, said = person.end()
    assert (code, len(board.runs)) == (0, runs)
    assert "Submit it as 'first' for kestrel-lab? It is counted, and cannot be taken back. [y/N]" in said


def test_with_yes_nobody_is_asked(board: BoardServer) -> None:
    assert Sitting(*COMMAND, "--yes", "--no-wait").end()[0] == 0
    assert len(board.runs) == 1


def wait_for(is_so: Callable[[], object]) -> None:
    end = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.01)


def test_ctrl_c_before_the_run_is_submitted_leaves_nothing(board: BoardServer) -> None:
    board.states = ["checking"]
    person = Sitting(*COMMAND)
    wait_for(lambda: board.count("GET", "/files/"))
    person.process.send_signal(signal.SIGINT)
    code, said = person.end()
    assert (code, board.runs) == (130, [])
    assert said.endswith(
        "Stopped. Nothing was submitted, and nothing was counted. The same command sends the file once more.\n"
    )


def test_ctrl_c_while_the_file_is_sent_leaves_what_arrived(board: BoardServer, files: Path) -> None:
    (files / "good.run").write_text("".join(f"q{number} Q0 d 1 1 t\n" for number in range(200)))
    held = threading.Event()
    board.faults = [Fault(method="PATCH", is_heard=True), Fault(method="PATCH", wait=held, cuts=True)]
    person = Sitting(*COMMAND)
    wait_for(lambda: board.count("PATCH") == 2)
    person.process.send_signal(signal.SIGINT)
    code, said = person.end()
    held.set()
    assert (code, board.runs, len(board.content["1"])) == (130, [], 1000)
    assert said.endswith("nothing was counted. The same command goes on with what arrived.\n")
    assert Sitting(*COMMAND, "--yes", "--no-wait").end()[0] == 0
    assert (len(board.files), len(board.runs)) == (1, 1)


def test_ctrl_c_while_it_is_scored_says_how_to_go_on(board: BoardServer) -> None:
    board.run_states = ["queued"]
    person = Sitting(*COMMAND, "--yes")
    wait_for(lambda: board.count("GET", "/runs/R1"))
    person.process.send_signal(signal.SIGINT)
    code, said = person.end()
    assert (code, len(board.runs)) == (130, 1)
    assert f"R1 is submitted, and goes on without you; to follow it: toprung status {board.url}/b/{SLUG}/ R1" in said
