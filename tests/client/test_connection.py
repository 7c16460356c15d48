"""How is a server asked?"""

from __future__ import annotations

import threading

import pytest
from tests.client.board_server import SLUG, TOKEN, BoardServer, Fault
from tests.client.conftest import QUICK

from toprung.client import connection as module
from toprung.client.connection import BrokenError, Connection, ServerRefusedError
from toprung.errors import InputError


def test_the_token_goes_along_and_the_answer_is_read(server: BoardServer, connection: Connection) -> None:
    assert connection.ask("me").text("name") == "Participant"
    assert server.asked[0].headers["authorization"] == f"Bearer {TOKEN}"
    assert server.asked[0].path == "/api/v1/me"


def test_without_a_token_none_is_sent(server: BoardServer) -> None:
    Connection(server=server.url).ask(f"boards/{SLUG}")
    assert "authorization" not in server.asked[0].headers


@pytest.mark.parametrize("status", [429, 502, 503, 504])
def test_a_busy_server_is_asked_again(server: BoardServer, connection: Connection, status: int) -> None:
    server.faults = [Fault(status=status), Fault(status=status)]
    assert connection.ask("me").text("name") == "Participant"
    assert server.count("GET") == 3


@pytest.mark.parametrize("fault", [Fault(cuts=True), Fault(cuts_answer=True, is_heard=True)], ids=["all", "half"])
def test_a_broken_line_is_tried_again(server: BoardServer, connection: Connection, fault: Fault) -> None:
    server.faults = [fault]
    assert connection.ask("me").text("name") == "Participant"
    assert server.count("GET") == 2


def test_there_is_an_end_to_trying(server: BoardServer, connection: Connection) -> None:
    server.faults = [Fault(status=503) for _ in range(9)]
    with pytest.raises(InputError, match=r"Found a fault; expected none\. It was tried 4 times\."):
        connection.ask("me")
    assert server.count("GET") == 4


def test_a_question_that_may_be_asked_once_is_asked_once(server: BoardServer, connection: Connection) -> None:
    server.faults = [Fault(cuts=True)]
    with pytest.raises(BrokenError, match="found no answer"):
        connection.ask_once(f"boards/{SLUG}/runs", method="POST", payload={})
    assert server.count("POST") == 1


def test_the_server_says_how_long_to_wait_and_the_person_is_told(server: BoardServer) -> None:
    slept, told = list[float](), list[str]()
    patient = Connection(server=server.url, backoff=QUICK, sleep=slept.append, tell=told.append)
    server.faults = [Fault(status=429, headers={"Retry-After": "7"})]
    patient.ask(f"boards/{SLUG}")
    assert slept == [7.0]
    assert told == ["Found a fault; expected none. Tried again in 7 s."]


def test_nobody_waits_for_an_hour(server: BoardServer) -> None:
    slept = list[float]()
    server.faults = [Fault(status=503, headers={"Retry-After": "3600"})]
    with pytest.raises(InputError, match="asks to be left alone for 60 minutes"):
        Connection(server=server.url, backoff=QUICK, sleep=slept.append).ask("me")
    assert slept == []


def test_a_refusal_is_said_in_the_servers_words_and_not_tried_again(
    server: BoardServer, connection: Connection
) -> None:
    server.faults = [Fault(status=403, body=b'{"detail": "Found no scope; expected submit."}')]
    with pytest.raises(ServerRefusedError, match=r"^Found no scope; expected submit\.$") as refused:
        connection.ask("me")
    assert (refused.value.status, server.count("GET")) == (403, 1)


def test_who_is_not_known_learns_how_to_log_in(server: BoardServer) -> None:
    with pytest.raises(
        ServerRefusedError, match=rf"a token that does not work.* Then run: toprung login {server.url}$"
    ):
        Connection(server=server.url, token="trt_wrong").ask("me")


def test_who_has_no_token_learns_that_there_may_be_more_than_they_see(server: BoardServer) -> None:
    with pytest.raises(ServerRefusedError, match=rf"public boards alone: toprung login {server.url}$") as refused:
        Connection(server=server.url).ask("boards/nowhere", query={"labels": 2})
    assert str(refused.value).startswith(f"Found nothing that you may see by the name boards/nowhere at {server.url};")


@pytest.mark.parametrize("location", ["https://elsewhere.example.org/api/v1/me", "/api/v2/me"])
def test_a_redirect_is_not_followed(server: BoardServer, connection: Connection, location: str) -> None:
    server.faults = [Fault(status=302, headers={"Location": location}, body=b"")]
    with pytest.raises(InputError, match=f"found a redirect to '{location}'"):
        connection.ask("me")
    assert len(server.asked) == 1


@pytest.mark.parametrize("body", [b"<html>not found</html>", b"", b"[1]", b'"text"', b"[" * 100_000, b'{"a": \xff}'])
@pytest.mark.parametrize("status", [200, 404])
def test_what_is_no_json_object_is_no_board(
    server: BoardServer, connection: Connection, body: bytes, status: int
) -> None:
    server.faults = [Fault(status=status, body=body)]
    with pytest.raises(InputError, match=f"found status {status} and no JSON object; expected the API of a Toprung"):
        connection.ask("me")


def test_a_huge_answer_is_not_taken_into_memory(
    server: BoardServer, connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST_BYTES", 1000)
    server.faults = [Fault(status=200, body=b'{"name": "' + b"x" * 2000 + b'"}')]
    with pytest.raises(BrokenError, match="a reply of more than 1,000 bytes"):
        connection.ask_once("me")


def test_a_server_that_says_nothing_is_not_waited_for(server: BoardServer) -> None:
    never = threading.Event()
    server.faults = [Fault(wait=never)]
    try:
        with pytest.raises(BrokenError, match=r"no reply in 0\.2 s"):
            Connection(server=server.url, timeout=0.2).ask_once("me")
    finally:
        never.set()


def test_what_a_server_says_cannot_drive_the_terminal_and_does_not_repeat_the_token(
    server: BoardServer, connection: Connection
) -> None:
    said = f'{{"detail": "Found \\u001b[2J {TOKEN}\\nand {"x" * 5000}"}}'
    server.faults = [Fault(status=400, body=said.encode())]
    with pytest.raises(ServerRefusedError) as refused:
        connection.ask("me")
    message = str(refused.value)
    assert message.startswith("Found [U+001B][2J *** and xxx")
    assert len(message) < 700


def test_a_detail_that_is_no_text_is_shown_as_it_is(server: BoardServer, connection: Connection) -> None:
    server.faults = [Fault(status=422, body=b'{"detail": [{"loc": ["body"], "msg": "wrong"}]}')]
    with pytest.raises(ServerRefusedError, match=r'\[\{"loc": \["body"\], "msg": "wrong"\}\]'):
        connection.ask("me")


@pytest.mark.parametrize("url", ["http://board.example.org", "http://192.0.2.1:8000", "http://127.0.0.1.example.org"])
def test_a_token_never_goes_over_a_line_that_others_can_read(url: str) -> None:
    with pytest.raises(InputError, match="anybody on the way could read the token"):
        Connection(server=url, token=TOKEN)
    assert Connection(server=url).token is None


@pytest.mark.parametrize("url", ["http://localhost:8000", "http://127.0.0.1", "http://[::1]:8000", "https://b.org"])
def test_a_token_may_go_to_this_machine_and_by_tls(url: str) -> None:
    assert Connection(server=url, token=TOKEN).token == TOKEN


def test_a_connection_does_not_show_its_token(connection: Connection) -> None:
    assert TOKEN not in repr(connection)


def test_a_proxy_is_not_asked_for_this_machine(
    server: BoardServer, connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    assert connection.ask("me").text("name") == "Participant"
