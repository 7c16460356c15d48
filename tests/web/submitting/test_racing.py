"""Several at the same moment, on a real database: what may be done once is done once, and nobody blocks another."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.web.real_board import RealBoard

from toprung import web

pytestmark = pytest.mark.postgres

WEB = Path(web.__file__).parent


@pytest.fixture
def board(tmp_path: Path) -> Iterator[RealBoard]:
    board = RealBoard(tmp_path / "data")
    yield board
    board.stop()


def test_a_login_link_lets_one_in_whoever_comes_first(board: RealBoard) -> None:
    assert board.call("one_login_link", of="tests.web.races") == 1


def test_an_invitation_is_for_one(board: RealBoard) -> None:
    assert board.call("one_invitation", of="tests.web.races") == 1


def test_nobody_joins_a_team_that_was_closed_a_moment_ago(board: RealBoard) -> None:
    assert board.call("joining_a_team_that_closes", of="tests.web.races") == 0


def test_a_file_is_either_submitted_or_forgotten(board: RealBoard) -> None:
    found = board.call("submitting_what_is_forgotten", of="tests.web.races")
    assert found["without files"] == 0
    assert found["runs"] == found["kept"]


def test_who_sends_files_and_who_submits_do_not_wait_for_each_other(board: RealBoard) -> None:
    """Two that each hold what the other needs would be told by PostgreSQL to begin anew, which a page cannot."""
    assert board.call("sending_while_submitting", of="tests.web.races") == []


def test_every_lock_leaves_the_key_free() -> None:
    """A lock on the key would make who adds what refers to the row wait, and two of them wait for each other."""
    calls = [call for path in WEB.rglob("*.py") for call in re.findall(r"select_for_update\(.*", path.read_text())]
    assert calls
    assert [call for call in calls if not call.startswith("select_for_update(no_key=True")] == []
