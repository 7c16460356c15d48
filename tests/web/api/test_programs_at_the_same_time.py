"""Several programs send and submit the same file at once, to two server processes: it arrives, and counts, once."""

from __future__ import annotations

import http.client
import json
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from tests.web.api.calling import BASE, announce
from tests.web.cast import even_ranks, run_text
from tests.web.real_board import PATIENCE, RealBoard, wait_until

from toprung.web.services.runs.pieces import MOST_OPEN

pytestmark = pytest.mark.postgres

CONTENT = run_text(even_ranks(2))
MANY = 6
SIZES = (1_000, 1_700, 2_300, 900, 3_100, 1_300)
"""Each cuts the file elsewhere, so that pieces of two do not fit together by chance."""


@dataclass(frozen=True, kw_only=True)
class RealProgram:
    """Asks a real server."""

    port: int
    secret: str

    def ask(self, method: str, path: str, body: Any = None, *, content: bytes = b"", offset: int | None = None) -> Any:
        """The status, and the answer."""
        headers = {"Authorization": f"Bearer {self.secret}", "Content-Type": "application/json"}
        if offset is not None:
            headers |= {"Content-Type": "application/octet-stream", "Upload-Offset": str(offset)}
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        sent = content if body is None else json.dumps(body).encode()
        connection.request(method, f"{BASE}/boards/web-docs{path}", sent, headers)
        response = connection.getresponse()
        answer = json.loads(response.read())
        connection.close()
        return response.status, answer

    def send(self, file_id: str, size: int) -> list[int]:
        """All of the file, in pieces of this size, from wherever the server says it is; the statuses on the way."""
        statuses, received, path = [], 0, f"/files/{file_id}"
        while received < len(CONTENT):
            piece = CONTENT[received : received + size]
            status, answer = self.ask("PATCH", path, content=piece, offset=received)
            statuses.append(status)
            assert status in (200, 409), answer
            received = answer["received"]
        return statuses


@dataclass(frozen=True, kw_only=True)
class Site:
    """A server, and the tokens of who may come to it."""

    board: RealBoard
    port: int
    tokens: dict[str, str]

    def program_of(self, whose: str) -> RealProgram:
        return RealProgram(port=self.port, secret=self.tokens[whose])


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    board = RealBoard(tmp_path_factory.mktemp("site") / "data")
    try:
        tokens = board.call("boards_to_submit_to")
        yield Site(board=board, port=board.serve(), tokens=tokens)
    finally:
        board.stop()


def test_one_file_of_many_senders_arrives_once_and_is_submitted_once(site: Site) -> None:
    board, program = site.board, site.program_of("bound")
    before = board.ask("SELECT count(*) FROM web_upload")[0][0]
    begun = at_once(*[beginner(program, CONTENT, team="kestrel-lab")] * MANY)
    assert Counter(status for status, _ in begun) == {201: 1, 200: MANY - 1}, "one began it, the others go on with it"
    (file_id,) = {file["id"] for _, file in begun}
    statuses = Counter(each for found in at_once(*(sender(program, file_id, size) for size in SIZES)) for each in found)
    assert set(statuses) == {200, 409}, "some were sent for the same place"
    ((digest, size),) = board.ask(f"SELECT digest, size FROM web_upload WHERE id > {before}")
    assert (digest, size) == (announce("", CONTENT)["digest"], len(CONTENT))
    assert [path for path in (board.folder / "files" / "partial").rglob("*") if path.is_file()] == []

    board.start("-m", "tests.web.dying_worker")
    wait_until(lambda: program.ask("GET", f"/files/{file_id}")[1]["state"] == "accepted", "its check")
    charged = board.ask("SELECT count(*) FROM web_charge")[0][0]
    found = at_once(*(submitter(program, file_id, f"run {number}") for number in range(MANY)))
    assert Counter(status for status, _ in found) == {201: 1, 409: MANY - 1}
    assert {answer["detail"] for status, answer in found if status == 409} == {
        "Found a file that was submitted already; send it again to submit it again."
    }
    assert board.ask("SELECT count(*) FROM web_charge") == [(charged + 1,)]


def test_no_more_files_are_begun_at_once_than_one_after_another(site: Site) -> None:
    program = site.program_of("stranger")
    found = at_once(*(beginner(program, CONTENT + b"#" * number) for number in range(MANY)))
    assert Counter(status for status, _ in found) == {201: MOST_OPEN, 429: MANY - MOST_OPEN}


def beginner(program: RealProgram, content: bytes, team: str = "norrland-ir") -> Callable[[], tuple[int, Any]]:
    return lambda: program.ask("POST", "/files", announce(team, content))


def sender(program: RealProgram, file_id: str, size: int) -> Callable[[], list[int]]:
    return lambda: program.send(file_id, size)


def submitter(program: RealProgram, file_id: str, name: str) -> Callable[[], tuple[int, Any]]:
    body = {"file": file_id, "name": name, "description": "New."}
    return lambda: program.ask("POST", "/runs", body)


def at_once[Found](*acts: Callable[[], Found]) -> list[Found]:
    """What each found, all of them begun at the same moment."""
    found: list[Found] = []
    ready = threading.Barrier(len(acts))

    def act(one: Callable[[], Found]) -> None:
        ready.wait(PATIENCE)
        found.append(one())

    threads = [threading.Thread(target=act, args=[one]) for one in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert len(found) == len(acts), "somebody failed"
    return found
