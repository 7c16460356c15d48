"""``toprung status`` and ``toprung board``."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from tests.client.board_server import SLUG, TOKEN, BoardServer

Command = Callable[..., Any]


@pytest.fixture
def board(server: BoardServer, monkeypatch: pytest.MonkeyPatch) -> BoardServer:
    monkeypatch.setenv("TOPRUNG_SERVER", server.url)
    monkeypatch.setattr("toprung.client.following.FIRST_WAIT", 0.001)
    for number, day in ((1, "2026-11-14"), (2, "2026-11-15")):
        run = {"label": f"R{number}", "name": f"run {number}", "state": "done", "looks": 9, "failure": ""}
        server.runs.append(run | {"submitted_at": f"{day}T10:00:00Z", "team": "Kestrel Lab"})
    return server


@pytest.fixture
def _token(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOPRUNG_TOKEN", TOKEN)


@pytest.mark.usefixtures("_token")
def test_ones_runs_are_listed_the_latest_first(board: BoardServer, toprung: Command) -> None:
    outcome = toprung("status", SLUG, "--team", "kestrel-lab")
    assert (outcome.code, outcome.err) == (0, "")
    sentence, _, _, first, second = outcome.out.splitlines()
    assert sentence == "You have 2 runs on web-docs: 2 done."
    assert (first.startswith("R2 run 2  Kestrel Lab  2026-11-15"), second.startswith("R1 run 1")) == (True, True)
    assert next(each for each in board.asked if each.path.endswith("/runs")).query["team"] == "kestrel-lab"


@pytest.mark.usefixtures("_token")
def test_one_run_is_followed_to_its_end(board: BoardServer, toprung: Command) -> None:
    board.runs[0]["looks"] = 0
    outcome = toprung("status", f"{board.url}/b/{SLUG}/", "r1", "--follow")
    assert outcome.code == 0
    assert outcome.err == "R1 run 1 is queued.\nR1 run 1 is being scored.\nR1 run 1 is done.\n"
    assert outcome.out.startswith("R1 run 1 is done.")


@pytest.mark.usefixtures("_token")
def test_a_run_that_failed_exits_with_1(board: BoardServer, toprung: Command) -> None:
    board.run_states = ["failed"]
    assert toprung("status", SLUG, "R1").code == 1


@pytest.mark.usefixtures("_token")
@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        (["status", SLUG, "--follow"], "Found --follow without a run"),
        (
            ["status", SLUG, "R9"],
            f"Found nothing that you may see by the name boards/{SLUG}/runs/R9 at http://127.0.0.1",
        ),
        (["status", SLUG, "first"], "Found run 'first'; expected what it is called on the board, such as R32"),
        (["board", "other"], "expected one of its boards, and what is on it: they are listed at http://127.0.0.1"),
    ],
)
def test_what_is_not_there_is_said(board: BoardServer, toprung: Command, arguments: list[str], found: str) -> None:
    outcome = toprung(*arguments)
    assert (outcome.code, outcome.out) == (2, "")
    assert found in outcome.err


def test_without_a_token_there_are_no_own_runs_but_boards(board: BoardServer, toprung: Command) -> None:
    assert "Found no token for" in toprung("status", SLUG).err
    board.standings = [{"run": "R1", "name": "run 1", "score": 0.5}]
    outcome = toprung("board", SLUG)
    assert outcome.code == 0
    assert outcome.out.startswith("R1 does best, beyond chance.\n\nrank  run       RR@100\n   –  R1 run 1  0.5000\n")


def test_a_board_comes_in_other_formats_and_length(board: BoardServer, toprung: Command) -> None:
    board.standings = [{"run": f"R{number}", "name": "", "score": 0.5} for number in range(1, 4)]
    outcome = toprung("board", SLUG, "--labels", "1", "--limit", "2", "-f", "json")
    assert [run["run"] for run in json.loads(outcome.out)["runs"]] == ["R1", "R2"]
    asked = next(each for each in board.asked if each.path.endswith("/standings"))
    assert asked.query["labels"] == "1"
    header = toprung("board", SLUG, "-f", "csv").out.splitlines()[0]
    assert header.startswith(
        "run,name,team,date,score,score_low,score_high,rank_low,rank_high,top_group,place,proved_since"
    )


def test_a_board_has_one_order(board: BoardServer, toprung: Command) -> None:
    assert toprung("board", SLUG, "--order", "score").code == 2
