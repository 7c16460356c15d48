"""When is it done?"""

from __future__ import annotations

import pytest
from tests.client.board_server import SLUG, BoardServer, Fault

from toprung.client.connection import Connection
from toprung.client.following import Following, StillGoingError
from toprung.client.hosted_runs import is_settled
from toprung.client.record import Record

PATH = f"boards/{SLUG}/runs/R1"


@pytest.fixture
def told() -> list[str]:
    return []


@pytest.fixture
def following(connection: Connection, told: list[str], server: BoardServer) -> Following:
    server.runs = [{"label": "R1", "name": "first", "looks": 0}]
    now = [0.0]

    def sleep(seconds: float) -> None:
        now[0] += seconds

    connection.sleep = sleep
    return Following(
        connection=connection, timeout=100, on_change=lambda each: told.append(each.text("state")), clock=lambda: now[0]
    )


def test_each_state_is_told_once(server: BoardServer, following: Following, told: list[str]) -> None:
    server.run_states = ["queued", "queued", "queued", "scoring", "scoring", "done"]
    assert following.follow(PATH, is_settled).text("state") == "done"
    assert told == ["queued", "scoring", "done"]


def test_it_goes_on_until_the_place_on_the_board_is_there(
    server: BoardServer, following: Following, told: list[str]
) -> None:
    behind = b'{"label": "R1", "state": "done", "is_behind": true}'
    server.faults = [Fault(path="/runs/R1", status=200, body=behind) for _ in range(3)]
    server.run_states = ["done"]
    following.follow(PATH, is_settled)
    assert (told, server.count("GET")) == (["done", "done"], 4)


def test_a_failed_run_is_over_though_the_board_is_behind() -> None:
    assert is_settled(Record(fields={"state": "failed", "is_behind": True}, source=""))


def test_a_server_that_is_away_for_a_while_is_waited_for(server: BoardServer, following: Following) -> None:
    server.faults = [Fault(status=503), Fault(cuts=True)]
    assert following.follow(PATH, is_settled).text("state") == "done"


def test_it_ends_when_the_time_is_up(server: BoardServer, following: Following) -> None:
    server.run_states = ["queued"]
    with pytest.raises(StillGoingError, match=r"Found it queued after 100 seconds; expected an end\. It goes on\."):
        following.follow(PATH, is_settled)
    # Waits grow to ten seconds: a hundred seconds are at least ten looks, and far from one a second.
    assert 10 < server.count("GET") < 40
