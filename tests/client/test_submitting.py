"""Was it submitted? Once, whatever the line does."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.client.board_server import SLUG, BoardServer, Fault

from toprung.client.connection import Connection, ServerRefusedError
from toprung.client.sending import Sending, open_file
from toprung.client.submitting import Submitting, runs_of
from toprung.data.run_card import RunCard
from toprung.errors import InputError

CARD = RunCard(name="first", description="New.")
RUNS = f"/boards/{SLUG}/runs"


@pytest.fixture
def file(connection: Connection, tmp_path: Path) -> str:
    (tmp_path / "run.txt").write_text("q1 Q0 d1 1 1 t\n")
    with open_file(tmp_path / "run.txt") as content:
        sending = Sending(connection=connection, board=SLUG, team="t", file=content, on_progress=lambda _: None)
        return sending.send()


@pytest.fixture
def submitting(connection: Connection) -> Submitting:
    return Submitting(connection=connection, board=SLUG, team="kestrel-lab", card=CARD)


def test_a_run_is_submitted_with_its_words(server: BoardServer, submitting: Submitting, file: str) -> None:
    assert submitting.submit(file).text("label") == "R1"
    told = server.asked[-1].payload
    assert (told["file"], told["name"], told["description"], told["anonymous_until"]) == (file, "first", "New.", None)


@pytest.mark.parametrize(
    "fault",
    [
        Fault(method="POST", path=RUNS, cuts=True, is_heard=True),
        Fault(method="POST", path=RUNS, cuts_answer=True, is_heard=True),
        Fault(method="POST", path=RUNS, status=504, is_heard=True),
        Fault(method="POST", path=RUNS, status=500, is_heard=True),
    ],
    ids=["cut", "half", "proxy gave up", "fault"],
)
def test_where_the_answer_is_lost_it_is_asked_again_under_the_same_key_and_counted_once(
    server: BoardServer, submitting: Submitting, file: str, fault: Fault
) -> None:
    server.faults = [fault]
    assert submitting.submit(file).text("label") == "R1"
    assert (len(server.runs), server.count("POST", RUNS)) == (1, 2)
    keys = [each.headers["idempotency-key"] for each in server.asked if each.path.endswith("/runs")]
    assert keys[0] == keys[1]


@pytest.mark.parametrize("fault", [Fault(cuts=True), Fault(status=503), Fault(status=429)], ids=["cut", "busy", "many"])
def test_what_was_not_heard_is_sent_again(server: BoardServer, submitting: Submitting, file: str, fault: Fault) -> None:
    fault.method, fault.path = "POST", RUNS
    server.faults = [fault]
    assert submitting.submit(file).text("label") == "R1"
    assert (len(server.runs), server.count("POST", RUNS)) == (1, 2)


def test_each_attempt_has_a_key_of_its_own(server: BoardServer, submitting: Submitting, file: str) -> None:
    submitting.submit(file)
    with pytest.raises(ServerRefusedError, match="submitted already"):
        submitting.submit(file)
    assert len({each.headers["idempotency-key"] for each in server.asked if each.path.endswith("/runs")}) == 2


def test_a_refusal_is_not_tried_again(server: BoardServer, submitting: Submitting, file: str) -> None:
    refusal = b'{"detail": "Found no submission left: 2 in any 30 days."}'
    server.faults = [Fault(method="POST", path=RUNS, status=422, body=refusal)]
    with pytest.raises(ServerRefusedError, match="Found no submission left"):
        submitting.submit(file)
    assert server.runs == []


def test_where_nobody_answers_any_more_it_says_that_it_is_not_known(
    server: BoardServer, submitting: Submitting, file: str
) -> None:
    server.faults = [Fault(method="POST", path=RUNS, cuts=True), *(Fault(cuts=True) for _ in range(20))]
    with pytest.raises(InputError, match=rf"is not known; this tells: toprung status {server.url}/b/{SLUG}/$"):
        submitting.submit(file)
    assert server.runs == []


def test_where_a_server_that_may_have_it_asks_for_an_hour_it_says_that_it_is_not_known(
    server: BoardServer, submitting: Submitting, file: str
) -> None:
    server.faults = [Fault(method="POST", path=RUNS, status=503, headers={"Retry-After": "3600"}, is_heard=True)]
    with pytest.raises(
        InputError, match=r"left alone for 60 minutes\. Whether the run was submitted is not known; this"
    ):
        submitting.submit(file)
    assert (len(server.runs), server.count("POST", RUNS)) == (1, 1)


def test_a_name_that_the_team_used_is_found_before_the_file_is_sent(
    server: BoardServer, submitting: Submitting
) -> None:
    server.runs = [{"label": "R4", "name": "First"}]
    with pytest.raises(InputError, match=r"found 'first', which R4 of your team has.*toprung status .* R4$"):
        submitting.check_card()


def test_a_description_is_needed(connection: Connection) -> None:
    unsaid = Submitting(connection=connection, board=SLUG, team="t", card=RunCard(name="first"))
    with pytest.raises(InputError, match="Found no description"):
        unsaid.check_card()


def test_a_list_is_read_page_by_page(connection: Connection, server: BoardServer) -> None:
    page = b'{"items": [{"label": "R%d"}], "count": 3}'
    server.faults = [Fault(path=RUNS, status=200, body=page % number) for number in (3, 2, 1)]
    assert [run.text("label") for run in runs_of(connection, SLUG, None)] == ["R3", "R2", "R1"]
    assert [each.query["offset"] for each in server.asked] == ["0", "1", "2"]


def test_a_list_that_promises_more_than_it_has_ends(connection: Connection, server: BoardServer) -> None:
    server.faults = [Fault(path=RUNS, status=200, body=b'{"items": [], "count": 99}')]
    assert list(runs_of(connection, SLUG, None)) == []
