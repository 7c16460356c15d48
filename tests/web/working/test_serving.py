"""One command starts a board, keeps it running, and ends it: real processes on a folder of their own."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import psutil
import pytest
from tests.warm.python import run_warm
from tests.web.own_database import SERVER, OwnDatabase

pytestmark = pytest.mark.postgres

TOPRUNG = Path(sys.executable).with_name("toprung")
PATIENCE = 300.0
ADDRESS = re.compile(r"Toprung is at http://127\.0\.0\.1:(\d+), its data in (.+); Ctrl-C ends it\.")
LINK = re.compile(r"First organiser (\S+): http://127\.0\.0\.1:\d+(/link/\S+)")
TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')


class Served:
    """A board that is served, and what it printed."""

    def __init__(self, folder: Path, *options: str, database: OwnDatabase | None = None) -> None:
        self.folder = folder
        self.database = database or OwnDatabase(folder)
        self.output = folder.with_suffix(".out")
        command = [TOPRUNG, "serve", "--data", folder, "--port", "0", *options]
        with self.output.open("w") as output:
            environment = clean_environment(**self.database.environment)
            self.process = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT, env=environment)
        self.port = int(wait_for(lambda: ADDRESS.search(self.printed))[1])
        wait_for(lambda: self.get("/healthz").status == 200)

    @property
    def printed(self) -> str:
        return self.output.read_text()

    def get(self, path: str, **headers: str) -> HTTPResponse:
        return self.ask("GET", path, headers=headers)

    def ask(self, method: str, path: str, body: str | None = None, *, headers: dict[str, str]) -> HTTPResponse:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        connection.request(method, path, body, headers)
        response = connection.getresponse()
        response.text = response.read().decode(errors="replace")  # read before the connection is closed
        connection.close()
        return response

    def log_in(self, path: str) -> HTTPResponse:
        """Open a login link, and press its button."""
        page = self.get(path)
        cookie = page.getheader("Set-Cookie").partition(";")[0]
        form = urlencode({"csrfmiddlewaretoken": TOKEN.search(page.text)[1]})
        headers = {"Cookie": cookie, "Content-Type": "application/x-www-form-urlencoded"}
        return self.ask("POST", path, form, headers=headers)

    def descendants(self) -> list[psutil.Process]:
        return psutil.Process(self.process.pid).children(recursive=True)

    def worker(self) -> psutil.Process:
        alive = (each for each in self.descendants() if each.status() != psutil.STATUS_ZOMBIE)
        return next(each for each in alive if "ox_worker" in each.cmdline())

    def stop(self, number: int = signal.SIGINT) -> int:
        self.process.send_signal(number)
        return self.process.wait(PATIENCE)


def wait_for(found: Callable[[], Any]) -> Any:
    latest = time.monotonic() + PATIENCE
    while time.monotonic() < latest:
        try:
            if answer := found():
                return answer
        except (OSError, StopIteration, psutil.NoSuchProcess):
            pass
        time.sleep(0.1)
    raise AssertionError("waited too long")


def clean_environment(**more: str) -> dict[str, str]:
    ours = ("TOPRUNG_", "DJANGO_")
    return {name: value for name, value in os.environ.items() if not name.startswith(ours)} | more


def toprung(*arguments: object, **environment: str) -> subprocess.CompletedProcess[str]:
    return run_warm("toprung", *arguments, text=True, timeout=PATIENCE, env=clean_environment(**environment))


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    board = Served(tmp_path_factory.mktemp("serving") / "board")
    yield board
    if board.process.poll() is None:
        board.stop()
    board.database.drop()


def test_an_empty_folder_becomes_a_board(served: Served) -> None:
    assert served.get("/").status == 200
    assert (served.folder / "toprung.sqlite3").exists() == (not SERVER)
    first = "SELECT email FROM web_user ORDER BY id LIMIT 1"
    assert served.database.ask(first) == [("organiser@localhost",)]


def test_the_first_organiser_comes_in_by_the_printed_link(served: Served) -> None:
    email, path = LINK.search(served.printed).groups()
    assert email == "organiser@localhost"
    assert served.log_in(path).status == 302
    assert served.get(path).status == 404


def test_nothing_in_the_folder_is_for_others_on_the_machine(served: Served) -> None:
    made = [served.folder, *(path for path in served.folder.rglob("*") if "static" not in path.parts)]
    assert [path for path in made if path.stat().st_mode & 0o077] == []


def test_health_is_told_without_anything_else(served: Served) -> None:
    answer = served.get("/healthz")
    assert (answer.text, answer.getheader("Content-Type")) == ("ok\n", "text/plain")
    assert answer.getheader("Set-Cookie") is None


@pytest.mark.parametrize("name", ["base", "toprung"])
def test_static_files_are_packed_and_kept_for_good(served: Served, name: str) -> None:
    style = re.search(rf'href="(/static/toprung/{name}\.[0-9a-f]+\.css)"', served.get("/").text)[1]
    answer = served.get(style, **{"Accept-Encoding": "gzip"})
    assert answer.getheader("Content-Encoding") == "gzip"
    assert answer.getheader("Cache-Control") == "max-age=315360000, public, immutable"


def test_another_host_is_refused(served: Served) -> None:
    assert served.get("/", Host="evil.example.org").status == 400


def test_an_address_that_is_too_long_is_answered_with_a_sentence(served: Served) -> None:
    answer = served.get(f"/judge/some-key/?PROLIFIC_PID={'x' * 10_000}")
    assert (answer.status, "open the link again as it was given to you" in answer.text) == (414, True)


def test_many_who_write_at_once_never_find_the_database_locked(served: Served) -> None:
    """Each failed login is counted in the database, by both server processes, while the worker looks for tasks."""
    page = served.get("/accounts/login/")
    cookie, token = page.getheader("Set-Cookie").partition(";")[0], TOKEN.search(page.text)[1]
    headers = {"Cookie": cookie, "Content-Type": "application/x-www-form-urlencoded"}

    def fail_to_log_in(number: int) -> int:
        form = {"csrfmiddlewaretoken": token, "login": f"nobody{number}@example.org", "password": "wrong"}
        return served.ask("POST", "/accounts/login/", urlencode(form), headers=headers).status

    with ThreadPoolExecutor(16) as pool:
        statuses = set(pool.map(fail_to_log_in, range(64)))
    assert statuses <= {200, 429}
    assert "locked" not in served.printed


def test_a_login_link_is_made_while_the_board_is_served(served: Served) -> None:
    made = toprung(
        "login-link", "second@example.org", "--organiser", "--data", served.folder, **served.database.environment
    )
    assert made.returncode == 0, made.stderr
    path = made.stdout.strip().removeprefix(f"http://127.0.0.1:{served.port}")
    assert served.log_in(path).status == 302


def test_a_login_link_for_nobody_is_refused(served: Served, tmp_path: Path) -> None:
    unknown = toprung("login-link", "nobody@example.org", "--data", served.folder, **served.database.environment)
    assert (unknown.returncode, unknown.stderr) == (
        2,
        "toprung: Found no account of 'nobody@example.org'; expected one. For a new organiser add --organiser.\n",
    )
    nowhere = toprung("login-link", "nobody@example.org", "--data", tmp_path)
    assert nowhere.returncode == 2
    assert nowhere.stderr.startswith(f"toprung: {tmp_path}: found no database; expected the data of a board.")
    assert list(tmp_path.iterdir()) == [], "a command typed in the wrong folder leaves nothing there"


def test_a_worker_that_dies_is_started_again(served: Served) -> None:
    wait_for(served.worker).kill()  # others may have killed it before, and it comes back after a while
    wait_for(lambda: re.search(r"The worker \d ended; it is started again\.\n", served.printed))
    wait_for(lambda: len([each for each in served.descendants() if "ox_worker" in each.cmdline()]) == 2)


def test_a_worker_that_dies_again_and_again_never_ends_the_web_server(served: Served) -> None:
    """Killed more often than once ended all of it; what is wrong stands where it is looked for."""

    def is_told() -> bool:
        return "worker: ends again and again\n" in served.get("/readyz").text

    for _ in range(20):  # of two workers, whichever is there
        if is_told():
            break
        wait_for(served.worker).kill()
    wait_for(is_told)
    assert served.process.poll() is None
    assert served.get("/").status == 200


def test_a_second_server_of_the_folder_refuses_and_names_the_first(served: Served) -> None:
    refused = toprung("serve", "--data", served.folder, "--port", 0, **served.database.environment)
    assert refused.returncode == 2
    assert re.match(
        rf"toprung: {served.folder}: found it served already, by process {served.process.pid} since 20\d\d-.+\+00:00; "
        r"expected a folder that nobody serves\.",
        refused.stderr,
    )
    assert served.get("/healthz").status == 200


def test_workers_may_run_beside_it(served: Served) -> None:
    command = [TOPRUNG, "worker", "--data", served.folder]
    environment = clean_environment(**served.database.environment)
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, env=environment) as worker:
        wait_for(lambda: psutil.Process(worker.pid).children())
        worker.send_signal(signal.SIGTERM)
        assert worker.wait(PATIENCE) == 0


def test_logs_have_no_link_that_lets_someone_in(served: Served) -> None:
    """A post without a token from the form is refused, and that is logged."""
    assert served.ask("POST", "/link/a-secret-of-someone/", "", headers={}).status == 403
    wait_for(lambda: "Forbidden" in served.printed)
    assert "a-secret-of-someone" not in served.printed
    assert "/link/…/" in served.printed


def test_ctrl_c_ends_all_of_it_and_a_second_start_makes_no_link(tmp_path: Path) -> None:
    board = Served(tmp_path / "board")
    wait_for(lambda: len(board.descendants()) == 4)  # two processes of the web server, two workers
    started = board.descendants()
    assert board.stop() == 0
    assert left_of(started) == []
    assert "Traceback" not in board.printed
    again = Served(tmp_path / "board", "--processes", "1", database=board.database)
    assert LINK.search(again.printed) is None
    started = again.descendants()
    again.process.kill()  # which it cannot see coming
    again.process.wait()
    assert left_of(started) == []
    again.database.drop()


def left_of(processes: list[psutil.Process]) -> list[psutil.Process]:
    """Those that are still there after a while; they are ended then."""
    _, left = psutil.wait_procs(processes, timeout=PATIENCE)
    for process in left:
        process.kill()
    return left


def test_a_port_that_is_taken_is_said(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        refused = toprung("serve", "--data", tmp_path / "board", "--port", port)
    assert (refused.returncode, refused.stderr) == (
        2,
        f"toprung: Found 127.0.0.1:{port} not to be had (Address already in use); expected a free port: give another "
        "with --port.\n",
    )
    assert not (tmp_path / "board").exists()


def test_a_fault_of_a_setting_is_said_before_a_port_that_is_taken(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        refused = toprung("serve", "--data", tmp_path / "board", "--port", port, TOPRUNG_URL="board.example.org")
    assert refused.stderr.startswith("toprung: TOPRUNG_URL: found 'board.example.org'")
    assert not (tmp_path / "board").exists()


def test_a_bad_environment_is_said(tmp_path: Path) -> None:
    refused = toprung("serve", "--data", tmp_path / "board", "--port", 0, TOPRUNG_MAX_UPLOAD_MB="much")
    assert (refused.returncode, refused.stderr) == (
        2,
        "toprung: TOPRUNG_MAX_UPLOAD_MB: found 'much'; expected a whole number of megabytes, from 1 to 1,048,576.\n",
    )


def test_a_bad_address_of_the_organiser_is_said(tmp_path: Path) -> None:
    refused = toprung("serve", "--data", tmp_path / "board", "--port", 0, "--organiser", "me")
    assert refused.returncode == 2
    assert refused.stderr == "toprung: Found 'me'; expected an address such as you@example.org.\n"


def test_another_file_in_the_place_of_the_database_is_said(tmp_path: Path) -> None:
    (tmp_path / "toprung.sqlite3").write_text("a shopping list\n" * 100)
    refused = toprung("serve", "--data", tmp_path, "--port", 0)
    assert refused.returncode == 2
    assert refused.stderr.startswith(f"toprung: {tmp_path}/toprung.sqlite3: found a damaged database (file")
