"""How does a large file arrive over a line that breaks?"""

from __future__ import annotations

import hashlib
import random
from pathlib import Path

import pytest
from tests.client.board_server import CHUNK, SLUG, BoardServer, Fault

from toprung.client import sending as module
from toprung.client.connection import Connection, ServerRefusedError
from toprung.client.sending import Sending, open_file
from toprung.errors import InputError

CONTENT = random.Random(1).randbytes(4500)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "run.txt.gz"
    path.write_bytes(CONTENT)
    return path


def send(connection: Connection, path: Path) -> tuple[str, list[int]]:
    reached = list[int]()
    with open_file(path) as file:
        sending = Sending(connection=connection, board=SLUG, team="kestrel-lab", file=file, on_progress=reached.append)
        return sending.send(), reached


def test_a_file_arrives_in_pieces_as_it_is(server: BoardServer, connection: Connection, path: Path) -> None:
    identifier, reached = send(connection, path)
    assert bytes(server.content[identifier]) == CONTENT
    assert reached == [0, 1000, 2000, 3000, 4000, 4500]
    told = server.asked[0].payload
    digest = hashlib.sha256(CONTENT).hexdigest()
    assert told == {"team": "kestrel-lab", "file_name": "run.txt.gz", "size": 4500, "digest": f"sha256:{digest}"}


@pytest.mark.parametrize(
    "fault",
    [
        Fault(method="PATCH", read=300),
        Fault(method="PATCH", cuts=True),
        Fault(method="PATCH", cuts=True, is_heard=True),
        Fault(method="PATCH", cuts_answer=True, is_heard=True),
        Fault(method="PATCH", status=503),
        Fault(method="PATCH", status=502, is_heard=True),
    ],
    ids=["cut in a piece", "not heard", "answer lost", "half an answer", "busy", "heard behind a broken proxy"],
)
@pytest.mark.parametrize("piece", [0, 2, 4], ids=["first", "middle", "last"])
def test_a_line_that_breaks_loses_no_byte_and_doubles_none(
    server: BoardServer, connection: Connection, path: Path, fault: Fault, piece: int
) -> None:
    for _ in range(piece):  # pieces before it arrive
        server.faults.append(Fault(method="PATCH", is_heard=True))
    server.faults.append(fault)
    identifier, reached = send(connection, path)
    assert bytes(server.content[identifier]) == CONTENT
    assert reached == sorted(reached)
    assert len(server.files) == 1


def test_after_a_break_pieces_are_smaller_and_grow_again(
    server: BoardServer, connection: Connection, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "SMALLEST_CHUNK", 100)
    server.faults = [Fault(method="PATCH", status=503), Fault(method="PATCH", status=503)]
    send(connection, path)
    sizes = [len(each.body) for each in server.asked if each.method == "PATCH"]
    assert sizes == [1000, 500, 250, 500, 1000, 1000, 1000, 750]


def test_a_new_process_goes_on_where_the_last_one_stopped(
    server: BoardServer, connection: Connection, path: Path
) -> None:
    server.faults = [Fault(method="PATCH", is_heard=True), *(Fault(method="PATCH", cuts=True) for _ in range(4))]
    with pytest.raises(InputError, match=r"1,000 of 4,500 bytes arrived; the same command goes on from there\."):
        send(connection, path)
    server.asked.clear()
    identifier, reached = send(connection, path)
    assert (reached[0], reached[-1]) == (1000, 4500)
    assert sum(len(each.body) for each in server.asked if each.method == "PATCH") == 3500
    assert bytes(server.content[identifier]) == CONTENT


def test_what_arrived_resets_the_count_of_failures(server: BoardServer, connection: Connection, path: Path) -> None:
    for _ in range(4):
        server.faults += [Fault(method="PATCH", cuts=True), Fault(method="PATCH", cuts=True)]
        server.faults += [Fault(method="PATCH", is_heard=True)]
    identifier, _ = send(connection, path)
    assert bytes(server.content[identifier]) == CONTENT


def test_a_refusal_ends_it(server: BoardServer, connection: Connection, path: Path) -> None:
    server.faults = [Fault(method="PATCH", status=413, body=b'{"detail": "Found too much; expected less."}')]
    with pytest.raises(ServerRefusedError, match="Found too much; expected less"):
        send(connection, path)
    assert server.count("PATCH") == 1


def test_a_file_that_changes_on_the_way_is_refused_by_its_digest(
    server: BoardServer, connection: Connection, path: Path
) -> None:
    with open_file(path) as file:
        path.write_bytes(b"x" * len(CONTENT))
        sending = Sending(connection=connection, board=SLUG, team="t", file=file, on_progress=lambda _: None)
        with pytest.raises(ServerRefusedError, match="Found another digest"):
            sending.send()


def test_a_server_that_counts_wrongly_is_not_believed(server: BoardServer, connection: Connection, path: Path) -> None:
    body = b'{"id": "1", "state": "receiving", "received": 9999, "chunk_bytes": 10}'
    server.faults = [Fault(method="POST", status=201, body=body)]
    with pytest.raises(InputError, match="found 9,999 bytes received; expected at most 4,500"):
        send(connection, path)


def test_an_empty_file_is_not_sent(server: BoardServer, connection: Connection, tmp_path: Path) -> None:
    (tmp_path / "empty.txt").touch()
    with pytest.raises(InputError, match="found an empty file"):
        send(connection, tmp_path / "empty.txt")
    assert server.asked == []


def test_the_pieces_are_never_larger_than_the_server_takes(
    server: BoardServer, connection: Connection, path: Path
) -> None:
    send(connection, path)
    assert max(len(each.body) for each in server.asked if each.method == "PATCH") == CHUNK
