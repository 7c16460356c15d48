"""Slow senders and readers hold no thread of the web server, are closed in time, and leave room for other addresses."""

from __future__ import annotations

import io
import json
import shutil
import socket
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from ipaddress import ip_network
from multiprocessing.process import current_process
from multiprocessing.util import get_temp_dir
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from waitress.adjustments import Adjustments

from toprung.web.core.config.postgres import REQUEST_OPTIONS
from toprung.web.ops.connections import InTurns, Patience, Request, WebConnection, group_of
from toprung.web.ops.web_server import GRACE, LARGEST_HEAD, ServerLimits, WebServer, limits_of_board

THREADS, PATIENCE = 2, 60.0
LARGE = 30_000_000
QUICK = Patience(head=1.0, idle=1.0, grace=1.0, upload_rate=2000.0, least_rate=1000.0, linger=5.0)
HEAD = b"POST / HTTP/1.1\r\nHost: localhost\r\n"
STARTS = {
    "a head": HEAD + b"X-Name: ",
    "a body": HEAD + b"Content-Length: 1000\r\n\r\nten bytes.",
    "a body in chunks": HEAD + b"Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
    "a large response": b"GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "a large file": b"GET /file HTTP/1.1\r\nHost: localhost\r\n\r\n",
}


class Application:
    """Answers with the number of bytes that it was sent, or with something large."""

    def __init__(self) -> None:
        self.goes_on = threading.Event()
        self.made = 0

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        path, size = environ["PATH_INFO"], len(environ["wsgi.input"].read())
        if path == "/same":
            start_response("304 Not Modified", [("ETag", '"a"')])
            return []
        if path == "/waits":
            assert self.goes_on.wait(PATIENCE)
        start_response("200 OK", [("Content-Type", "text/plain")])
        if path == "/file":
            return environ["wsgi.file_wrapper"](io.BytesIO(bytes(LARGE)))
        self.made += 1
        return [bytes(LARGE)] if path == "/large" else [b"%d bytes" % size]


class Running:
    """A server in a thread of this process."""

    def __init__(self, limits: ServerLimits) -> None:
        self.application = Application()
        listener = socket.create_server(("127.0.0.1", 0), backlog=128)
        self.port = int(listener.getsockname()[1])
        self.server = WebServer(self.application, listener, limits, threads=THREADS)
        self.thread = threading.Thread(target=self.server.run)
        self.thread.start()

    def send(self, start: bytes, *, source: str = "127.0.0.1") -> socket.socket:
        sender = socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE, source_address=(source, 0))
        sender.sendall(start)
        return sender

    def ask(self, *, source: str = "127.0.0.1") -> str:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE, source_address=(source, 0))
        connection.request("POST", "/", b"four")
        answer = connection.getresponse().read().decode()
        connection.close()
        return answer

    def exchange(self, sent: bytes) -> bytes:
        """All that comes back until the server closes the connection."""
        with self.send(sent) as connection:
            return read_all(connection)

    def wait_for_connections(self, number: int) -> None:
        wait_for(lambda: len(self.server.active_channels) == number)


@contextmanager
def running(limits: ServerLimits) -> Iterator[Running]:
    each = Running(limits)
    yield each
    each.application.goes_on.set()
    each.server.stop()
    each.thread.join(GRACE + PATIENCE)
    assert not each.thread.is_alive()


@pytest.fixture
def patient() -> Iterator[Running]:
    with running(ServerLimits()) as each:
        yield each


@pytest.fixture
def quick() -> Iterator[Running]:
    with running(ServerLimits(patience=QUICK, body=10_000)) as each:
        yield each


def read_all(connection: socket.socket) -> bytes:
    received = b""
    try:
        while part := connection.recv(1 << 16):
            received += part
    except ConnectionResetError:
        pass
    return received


def status_of(response: bytes) -> int:
    return int(response.split(b" ", 2)[1])


def wait_for(is_so: Callable[[], bool]) -> None:
    latest = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < latest, "waited in vain"
        time.sleep(0.02)


def request_of(sent: bytes) -> Request:
    """What has arrived of a request."""
    request = Request(Adjustments(max_request_header_size=LARGEST_HEAD))
    while sent and not request.completed:
        sent = sent[request.received(sent) :]
    return request


@contextmanager
def connection_at_hand() -> Iterator[WebConnection]:
    """One of a server whose loop does not run, so that a test decides what the time is."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        server = WebServer(Application(), listener, ServerLimits(), threads=1)
        ours, theirs = socket.socketpair()
        yield WebConnection(server, ours, ("127.0.0.1", 0), server.adj, map=server._map)
        theirs.close()
        for each in list(server.active_channels.values()):
            each.reset()
        for dispatcher in (server.task_dispatcher, server.health_dispatcher):
            dispatcher.shutdown()
        server.close()


def close_all(connections: Iterable[socket.socket]) -> None:
    for each in connections:
        each.close()


# ---- no thread waits ----


@pytest.mark.parametrize("start", STARTS.values(), ids=STARTS)
def test_many_who_are_slow_hold_no_thread(patient: Running, start: bytes) -> None:
    """None of them is closed yet: the server still waits for each, and answers others."""
    slow = [patient.send(start) for _ in range(10 * THREADS)]
    patient.wait_for_connections(len(slow))
    assert [patient.ask() for _ in range(3)] == ["4 bytes"] * 3
    assert len(patient.server.active_channels) >= len(slow)
    close_all(slow)


def test_a_connection_that_asks_much_and_takes_nothing_is_given_one_response(patient: Running) -> None:
    with patient.send(STARTS["a large response"] * 50):
        wait_for(lambda: patient.application.made == 1)
        assert [patient.ask() for _ in range(5)] == ["4 bytes"] * 5
        assert patient.application.made == 6


def test_responses_to_pipelined_requests_come_whole_and_in_order(patient: Running) -> None:
    asked = [b"GET /large HTTP/1.1\r\nHost: x\r\n\r\n", HEAD + b"Content-Length: 3\r\n\r\nabc", HEAD + b"\r\n"]
    asked[-1] = HEAD + b"Connection: close\r\n\r\n"
    received = patient.exchange(b"".join(asked))
    assert received.count(b"HTTP/1.1 200 OK") == 3
    assert len(received) > LARGE
    assert received.index(b"3 bytes") < received.index(b"0 bytes")


def test_of_many_requests_in_one_packet_one_is_read(patient: Running) -> None:
    with patient.send(b"GET /waits HTTP/1.1\r\nHost: x\r\n\r\n" * 1500):
        wait_for(lambda: any(each.is_held for each in patient.server.active_channels.values()))
        (connection,) = patient.server.active_channels.values()
        assert len(connection.requests) == 1
        assert len(connection.unread) <= 8192
        patient.application.goes_on.set()
        wait_for(lambda: patient.application.made == 1500)


def test_a_connection_that_waits_for_a_thread_gives_way_and_one_that_has_it_does_not(patient: Running) -> None:
    patient.server.limits = ServerLimits(per_address=THREADS + 2)
    ask = b"GET /waits HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
    held = [patient.send(ask) for _ in range(THREADS)]
    queue = patient.server.task_dispatcher.queue
    wait_for(lambda: sum(each.is_held for each in patient.server.active_channels.values()) == THREADS)
    waiting = []
    for number in range(2):
        waiting.append(patient.send(ask))
        wait_for(lambda number=number: len(queue) == number + 1)
    with patient.send(HEAD + b"Connection: close\r\nContent-Length: 4\r\n\r\n") as newest:
        assert read_all(waiting[1]) == b"", "the one that has waited least"
        wait_for(lambda: len(queue) == 1)
        patient.application.goes_on.set()
        assert [read_all(each)[-7:] for each in (*held, waiting[0])] == [b"0 bytes"] * (THREADS + 1)
        newest.sendall(b"four")
        assert read_all(newest).endswith(b"4 bytes")
    close_all([*held, *waiting])


def test_health_is_told_while_no_thread_is_free(patient: Running) -> None:
    """All come from one address, as behind a proxy."""
    waiting = [patient.send(b"GET /waits HTTP/1.1\r\nHost: x\r\n\r\n") for _ in range(5 * THREADS)]
    dispatcher = patient.server.task_dispatcher
    wait_for(lambda: dispatcher.active_count == THREADS and len(dispatcher.queue) == 4 * THREADS)
    for _ in range(3):
        assert patient.exchange(b"GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n").endswith(b"0 bytes")
    assert patient.application.made == 3
    close_all(waiting)


def test_who_waits_for_a_thread_and_then_for_the_database_has_a_response_in_15_seconds() -> None:
    assert "statement_timeout=8s" in str(REQUEST_OPTIONS["options"])
    assert Patience().queue + 8 < 15


def test_while_requests_hang_who_waits_too_long_is_told_to_try_again_but_no_large_upload(patient: Running) -> None:
    dispatcher = patient.server.task_dispatcher
    waiting = [patient.send(b"GET /waits HTTP/1.1\r\nHost: localhost\r\n\r\n") for _ in range(THREADS)]
    wait_for(lambda: dispatcher.active_count == THREADS and not dispatcher.queue)
    small = patient.send(HEAD + b"Content-Length: 4\r\n\r\nfour")
    large = patient.send(HEAD + b"Content-Length: 100000\r\nConnection: close\r\n\r\n" + bytes(100_000))
    wait_for(lambda: len(dispatcher.queue) == 2)
    for each in patient.server.active_channels.values():
        each.queued_at -= Patience().queue
    patient.server.hangs_until = time.monotonic() + PATIENCE
    patient.application.goes_on.set()
    refused = read_all(small)
    assert refused.startswith(b"HTTP/1.1 503 ")
    assert b"\r\nRetry-After: 10\r\n" in refused
    assert refused.endswith(b"Nothing was changed. Try again in a minute.\n")
    assert read_all(large).endswith(b"100000 bytes")
    for one in (*waiting, small, large):
        one.close()


def test_a_server_that_is_only_busy_answers_whoever_waits(patient: Running) -> None:
    waiting = [patient.send(b"GET /waits HTTP/1.1\r\nHost: localhost\r\n\r\n") for _ in range(THREADS)]
    wait_for(lambda: patient.server.task_dispatcher.active_count == THREADS)
    late = patient.send(HEAD + b"Content-Length: 4\r\nConnection: close\r\n\r\nfour")
    wait_for(lambda: len(patient.server.task_dispatcher.queue) == 1)
    for each in patient.server.active_channels.values():
        each.queued_at -= Patience().queue
    patient.application.goes_on.set()
    assert read_all(late).endswith(b"4 bytes")
    for one in (*waiting, late):
        one.close()


def test_a_request_that_takes_long_lets_the_server_take_others_to_hang() -> None:
    with running(ServerLimits(patience=Patience(work=-1.0))) as each:
        assert each.ask() == "4 bytes"
        wait_for(lambda: each.server.hangs_until > time.monotonic())


def test_addresses_take_turns_in_the_queue() -> None:
    class Task:
        def __init__(self, group: str) -> None:
            self.group = group

    tasks = [Task(group) for group in "aaaabac"]
    queue = InTurns()
    for each in tasks:
        queue.append(each)
    assert len(queue) == 7
    assert "".join(queue.popleft().group for _ in range(7)) == "abcaaaa"
    assert len(queue) == 0
    for each in tasks:
        queue.append(each)
    for each in (tasks[0], tasks[4], tasks[4]):
        queue.remove(each)
    assert "".join(queue.popleft().group for _ in range(5)) == "acaaa"


# ---- how long a connection may take ----


@pytest.mark.parametrize("start", STARTS.values(), ids=STARTS)
def test_who_sends_or_takes_nothing_is_closed(quick: Running, start: bytes) -> None:
    with quick.send(start):
        quick.wait_for_connections(1)
        wait_for(lambda: all(each.lingers_until for each in quick.server.active_channels.values()))
        if b"GET" in start:
            quick.wait_for_connections(0)


@pytest.mark.parametrize("announced", [b"Content-Length: 9000", b"Transfer-Encoding: chunked"])
def test_a_body_that_comes_byte_by_byte_is_refused_with_a_sentence(quick: Running, announced: bytes) -> None:
    with quick.send(HEAD + announced + b"\r\n\r\n") as slow:
        slow.settimeout(0.1)
        received, latest = b"", time.monotonic() + PATIENCE
        while not received:
            assert time.monotonic() < latest
            slow.sendall(b"1\r\na\r\n" if b"chunked" in announced else b"a")
            try:
                received = slow.recv(1000)
            except TimeoutError:
                continue
        slow.settimeout(PATIENCE)
        received += read_all(slow)
    assert status_of(received) == 408
    assert b"The request arrived too slowly" in received


@pytest.mark.parametrize("drop", [HEAD[:9], b"\r\n"], ids=["a head", "empty lines"])
def test_who_never_ends_a_head_is_closed(quick: Running, drop: bytes) -> None:
    with quick.send(drop) as slow:
        slow.settimeout(0.1)
        is_open, latest = True, time.monotonic() + PATIENCE
        while is_open:
            assert time.monotonic() < latest
            try:
                slow.sendall(drop[-2:])
                is_open = bool(slow.recv(1000))
            except TimeoutError:
                continue
            except ConnectionError:
                is_open = False
    assert quick.ask() == "4 bytes"


@pytest.mark.parametrize("is_chunked", [False, True])
def test_an_upload_may_take_a_grace_and_its_size_at_the_slowest_honest_rate(is_chunked: bool) -> None:
    head = b"Transfer-Encoding: chunked" if is_chunked else b"Content-Length: 9000"
    request = request_of(HEAD + head + b"\r\n\r\n" + (b"1388\r\n" if is_chunked else b"") + bytes(5000))
    received = 5000 + (6 if is_chunked else 0)
    patience = Patience(grace=10.0, upload_rate=1000.0, least_rate=100.0)
    allowed = 10 + (received if is_chunked else 9000) / 1000
    assert not request.is_too_slow(request.began + allowed - 0.1, patience)
    assert request.is_too_slow(request.began + allowed + 0.1, patience)
    patience = Patience(grace=10.0, upload_rate=1.0, least_rate=1000.0)
    assert not request.is_too_slow(request.began + 10 + received / 1000 - 0.1, patience)
    assert request.is_too_slow(request.began + 10 + received / 1000 + 0.1, patience)


@pytest.mark.parametrize("is_chunked", [False, True])
def test_an_upload_at_an_honest_rate_goes_on_after_the_first_grace(is_chunked: bool) -> None:
    """It takes two seconds at least, and would have 80."""
    patience = Patience(grace=1.0, upload_rate=100.0, least_rate=1.0)
    announced = b"Transfer-Encoding: chunked" if is_chunked else b"Content-Length: 8000"
    with (
        running(ServerLimits(patience=patience)) as server,
        server.send(HEAD + b"Connection: close\r\n" + announced + b"\r\n\r\n") as sender,
    ):
        for _ in range(20):
            sender.sendall(b"190\r\n" + bytes(400) + b"\r\n" if is_chunked else bytes(400))
            time.sleep(0.1)
        sender.sendall(b"0\r\n\r\n" if is_chunked else b"")
        assert b"8000 bytes" in read_all(sender)


def test_an_upload_of_240_mb_at_the_slowest_honest_rate_is_within_its_time() -> None:
    patience = Patience()
    assert patience.grace + 240e6 / patience.upload_rate == 60 + 3750
    assert patience.least_rate < patience.upload_rate
    assert patience.head < patience.grace


def test_a_reader_may_take_a_grace_and_the_size_at_the_least_rate() -> None:
    patience = Patience()
    with connection_at_hand() as connection:
        connection.total_outbufs_len = 1
        connection.check(1000.0)
        connection.taken = 80_000
        connection.check(1000.0 + patience.grace + 80_000 / patience.least_rate - 1)
        assert connection.connected
        connection.check(1000.0 + patience.grace + 80_000 / patience.least_rate + 1)
        assert not connection.connected


@pytest.mark.parametrize("unread", [b"GET", b""])
def test_the_next_response_has_time_of_its_own_only_if_it_was_not_asked_for_at_once(unread: bytes) -> None:
    with connection_at_hand() as connection:
        connection.total_outbufs_len, connection.unread = 1, unread
        connection.check(1000.0)
        connection.total_outbufs_len = 0
        connection.idle_since = 1050.0
        connection.check(1050.0)
        connection.total_outbufs_len = 1
        connection.check(1051.0)
        connection.check(1062.0)
        assert connection.connected is not bool(unread)


# ---- what goes wrong with one connection ----


@pytest.fixture
def no_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Where bodies should lie."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "gone"))
    return tmp_path / "gone"


def test_an_upload_that_cannot_be_kept_is_refused_and_others_are_answered(no_folder: Path, quick: Running) -> None:
    quick.server.limits = ServerLimits()
    quick.server.adj.max_request_body_size = 1 << 30
    received = quick.exchange(HEAD + b"Content-Length: 200000\r\n\r\n" + bytes(200_000))
    assert status_of(received) == 507
    assert quick.ask() == "4 bytes"
    no_folder.mkdir()
    received = quick.exchange(HEAD + b"Connection: close\r\nContent-Length: 200000\r\n\r\n" + bytes(200_000))
    assert received.endswith(b"200000 bytes")


@pytest.mark.parametrize("size", [100_000, 200_000], ids=["a large part", "a whole"])
def test_a_file_that_cannot_be_closed_ends_no_server(
    monkeypatch: pytest.MonkeyPatch, patient: Running, size: int
) -> None:
    class Full(io.BytesIO):
        """Like a file on a full disk: what was kept in memory cannot be written, and closing tries it again."""

        def close(self) -> None:
            super().close()
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(tempfile, "TemporaryFile", lambda _mode: Full())
    with patient.send(HEAD + b"Content-Length: 200000\r\n\r\n" + bytes(size)):
        wait_for(lambda: any(each.body_size > 90_000 for each in patient.server.active_channels.values()) or size > 1e5)
        if size > 100_000:
            wait_for(lambda: patient.application.made == 1)
    patient.wait_for_connections(0)
    assert patient.ask() == "4 bytes"
    assert patient.thread.is_alive()


def test_no_connection_and_no_missing_folder_ends_the_looks_at_all(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, quick: Running
) -> None:
    def fail(*_: object) -> None:
        raise OSError("broken")

    monkeypatch.setattr(shutil, "disk_usage", fail)
    broken, other = quick.send(STARTS["a body"]), quick.send(STARTS["a head"])
    quick.wait_for_connections(2)
    (found,) = [
        each for each in quick.server.active_channels.values() if each.request and each.request.headers_finished
    ]
    found.check = fail
    assert read_all(other) == b""
    assert read_all(broken) == b""
    close_all([broken, other])
    quick.wait_for_connections(0)
    assert [each.message for each in caplog.records if "could not be checked" in each.message] == [
        "A connection could not be checked, and is closed"
    ]
    assert quick.ask() == "4 bytes"


# ---- how many there may be ----


def test_the_slowest_connection_of_an_address_gives_way_to_its_next(patient: Running) -> None:
    patient.server.limits = ServerLimits(per_address=3)
    first = [patient.send(start) for start in (b"", STARTS["a head"], STARTS["a body"])]
    wait_for(lambda: {each.worth(time.monotonic())[0] for each in patient.server.active_channels.values()} == {0, 1, 2})
    with patient.send(STARTS["a body"]):
        assert read_all(first[0]) == b"", "the idle one is closed first"
        with patient.send(STARTS["a body"]):
            assert read_all(first[1]) == b"", "then the one whose head is still arriving"
            patient.wait_for_connections(3)
    close_all(first)


def test_bodies_lie_in_the_data_folder_and_sockets_of_child_processes_do_not(monkeypatch: pytest.MonkeyPatch) -> None:
    """The path of a socket may have 107 bytes; that of a data folder is often longer."""
    monkeypatch.setattr(tempfile, "tempdir", tempfile.tempdir)
    monkeypatch.delitem(current_process()._config, "tempdir", raising=False)  # type: ignore[attr-defined]
    limits_of_board()
    assert tempfile.gettempdir() == str(settings.ENVIRONMENT.incoming)
    assert not get_temp_dir().startswith(str(settings.ENVIRONMENT.incoming))


def test_a_full_server_finds_room_for_another_address(patient: Running) -> None:
    patient.server.limits = ServerLimits(connections=20)
    crowd = [patient.send(STARTS["a body"], source="127.0.0.2") for _ in range(15)]
    others = [patient.send(STARTS["a body"], source="127.0.0.3") for _ in range(5)]
    patient.wait_for_connections(20)
    assert patient.ask(source="127.0.0.4") == "4 bytes"
    assert patient.server.crowd["127.0.0.2"] == 14
    assert patient.server.crowd["127.0.0.3"] == 5
    close_all([*crowd, *others])


def test_a_proxy_is_not_limited_as_one_address(patient: Running) -> None:
    patient.server.limits = ServerLimits(per_address=3, proxies=(ip_network("127.0.0.9/32"),))
    of_proxy = [patient.send(STARTS["a body"], source="127.0.0.9") for _ in range(10)]
    of_other = [patient.send(STARTS["a body"], source="127.0.0.8") for _ in range(10)]
    wait_for(lambda: patient.server.crowd == {"127.0.0.9": 10, "127.0.0.8": 3})
    close_all([*of_proxy, *of_other])


def test_a_proxy_with_an_address_of_ipv6_counts_alone_and_is_known() -> None:
    proxies = (ip_network("::1/128"), ip_network("2001:db8::7/128"), ip_network("10.0.0.0/8"))
    assert group_of("::1", proxies) == "::1"
    assert group_of("2001:db8::7", proxies) == "2001:db8::7"
    assert group_of("2001:db8::8", proxies) == "2001:db8::/64"
    with connection_at_hand() as connection:
        server = connection.server
        server.limits = ServerLimits(proxies=proxies)
        groups = [group_of(each, proxies) for each in ("::1", "::ffff:10.0.0.1", "::2", "2001:db8::8", "192.0.2.1")]
        assert [server.is_proxy(each) for each in groups] == [True, True, False, False, False]


def test_an_address_of_ipv6_counts_with_its_whole_network() -> None:
    assert group_of("2001:db8:1:2::7") == group_of("2001:db8:1:2:ffff::1") == "2001:db8:1:2::/64"
    assert group_of("2001:db8:1:3::7") != group_of("2001:db8:1:2::7")
    assert group_of("::ffff:192.0.2.7") == group_of("192.0.2.7") == "192.0.2.7"
    assert group_of("fe80::1%eth0") == "fe80::/64"


# ---- how much they may send ----


def test_who_sends_too_much_is_told_while_still_sending(quick: Running) -> None:
    """Closed at once, the connection would be reset, and the response lost with it."""
    with quick.send(HEAD + b"Content-Length: 40000000\r\n\r\n") as sender:
        for _ in range(400):
            sender.sendall(bytes(10_000))
        received = sender.recv(1000)
    assert status_of(received) == 413
    assert b"Send a smaller file." in received


def test_chunks_are_counted_as_they_arrive(quick: Running) -> None:
    many = b"".join(b"400\r\n" + bytes(1024) + b"\r\n" for _ in range(12))
    assert status_of(quick.exchange(HEAD + b"Transfer-Encoding: chunked\r\n\r\n" + many)) == 413


@pytest.mark.parametrize("chunk", [b"1\r\na\r\n", b"\r\n"], ids=["tiny", "empty"])
def test_a_body_that_is_mostly_framing_is_refused(patient: Running, chunk: bytes) -> None:
    received = patient.exchange(HEAD + b"Transfer-Encoding: chunked\r\n\r\n" + chunk * 50_000)
    assert status_of(received) == 400


def test_chunks_are_read_in_parts_of_any_size() -> None:
    sent = b'3\r\nabc\r\nA;name="value"\r\n0123456789\r\n00\r\nTrailer: x\r\n\r\n'
    for size in range(1, len(sent) + 1):
        request = request_of(HEAD + b"Transfer-Encoding: chunked\r\n\r\n")
        parts = [sent[at : at + size] for at in range(0, len(sent), size)]
        assert [request.received(part) for part in parts[:-1]] == [size] * (len(parts) - 1)
        assert request.received(parts[-1] + b"GET") == len(parts[-1])
        assert (request.completed, request.error) == (True, None)
        assert request.get_body_stream().read() == b"abc0123456789"


def test_many_large_uploads_take_a_bounded_part_of_the_disk(patient: Running) -> None:
    patient.server.limits = ServerLimits(body=300_000, bodies=2)
    head = HEAD + b"Connection: close\r\nContent-Length: 400000\r\n\r\n"
    small = patient.send(head + bytes(150_000), source="127.0.0.2")
    large = [patient.send(head + bytes(200_000), source="127.0.0.3") for _ in range(3)]
    wait_for(lambda: sum(each.body_size for each in patient.server.active_channels.values()) in (550_000, 350_000))
    refused = []
    for each in large:
        each.settimeout(0.5)
        try:
            refused.append(status_of(each.recv(1000)))
        except TimeoutError:
            continue
    assert refused == [507]
    small.sendall(bytes(250_000))
    assert b"400000 bytes" in read_all(small)
    close_all([small, *large])


# ---- what is read as two things is refused ----


@pytest.mark.parametrize(
    ("status", "request_"),
    [
        (400, HEAD + b"Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
        (400, b"POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
        (400, HEAD + b"Transfer-Encoding: \r\n\r\n"),
        (501, HEAD + b"Transfer-Encoding: gzip\r\n\r\n"),
        (501, HEAD + b"Transfer-Encoding: xchunked\r\n\r\n"),
        (400, HEAD + b"Content-Length: 3\r\nContent-Length: 4\r\n\r\nabcd"),
        (400, HEAD + b"Content-Length: +3\r\n\r\nabc"),
        (400, HEAD + b"Content-Length: " + b"9" * 6000 + b"\r\n\r\n"),
        (413, HEAD + b"Content-Length: " + b"9" * 300 + b"\r\n\r\n"),
        (400, HEAD + b"Transfer-Encoding: chunked\r\n\r\n" + b"1;" + b"a" * 5000),
        (400, HEAD + b"Transfer-Encoding: chunked\r\n\r\n0\r\n" + b"a: b\r\n" * 2000),
        *(
            (400, HEAD + b"Transfer-Encoding: chunked\r\n\r\n" + lines)
            for lines in (
                b"5\n\r\nhello\r\n0\r\n\r\n",
                b"5;a\n\r\nhello\r\n0\r\n\r\n",
                b"5\r\nhelloX\r\n0\r\n\r\n",
                b"+5\r\nhello\r\n0\r\n\r\n",
                b"0\r\na: b\n\nGET /smuggled HTTP/1.1\r\n\r\n",
            )
        ),
        (400, HEAD + b"Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n"),
        (400, HEAD + b"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
        (400, HEAD + b"X: y\r\n z\r\n\r\n"),
        (400, HEAD + b"A:" + b" " * 32_000 + b"\x01\r\n\r\n"),
        (400, HEAD + (b"A:" + b"\r\n" + b" " * 63) * 90 + b"\x01\r\n\r\n"),
        (431, HEAD + b"A:\r\n" * 7000 + b"\r\n"),
        (400, b"GET a://" + b"1" * 4000 + b" x\r\n\r\n"),
        (400, HEAD + b"X : y\r\n\r\n"),
        (400, HEAD + b"X: y\n: z\r\n\r\n"),
        (400, b"GET http://[ HTTP/1.1\r\n\r\n"),
        (400, b"get / HTTP/1.1\r\n\r\n"),
        (505, b"GET / HTTP/9.9\r\n\r\n"),
        (505, b"GET /\r\n\r\n"),
        (414, b"GET /" + b"x" * 5000 + b" HTTP/1.1\r\n\r\n"),
        (414, b"GET /" + b"x" * 60_000),
        (431, HEAD + b"X: " + b"x" * 60_000),
    ],
)
def test_an_unclear_request_is_refused_and_nothing_behind_it_is_read(
    patient: Running, status: int, request_: bytes
) -> None:
    received = patient.exchange(request_ + b"GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n")
    assert status_of(received) == status
    assert received.count(b"HTTP/1.") == 1
    assert b"othing was changed" in received
    assert b"server" not in received.split(b"\r\n\r\n")[0].lower()
    assert patient.application.made == 0


# Under the bound of two seconds of the processor: the slowest of these took ten.
SLOW_TO_READ = {
    "blanks": HEAD + b"A:" + b" " * 32_000 + b"\x01\r\n\r\n",
    "blanks on lines": HEAD + b"A:" + (b"\r\n" + b" " * 180) * 170 + b"\x01\r\n\r\n",
    "an address": b"GET a://" + b"1" * 30_000 + b" x\r\n\r\n",
}


@pytest.mark.parametrize("sent", SLOW_TO_READ.values(), ids=SLOW_TO_READ)
def test_a_head_is_read_in_a_moment(sent: bytes) -> None:
    began = time.process_time()
    assert request_of(sent).error is not None
    assert time.process_time() - began < 2.0


@pytest.mark.parametrize(
    "address", [b"/api/v1/boards HTTP/9.9", b"/api/" + b"x" * 5000 + b" HTTP/1.1", b"/api/" + b"x" * 60_000]
)
def test_a_refusal_of_the_api_is_json_and_others_are_text(patient: Running, address: bytes) -> None:
    head, _, body = patient.exchange(b"GET " + address + b"\r\n\r\n").partition(b"\r\n\r\n")
    assert b"\r\nContent-Type: application/json\r\n" in head
    (detail,) = json.loads(body).values()
    head, _, body = patient.exchange(b"GET " + address.replace(b"/api", b"/apo") + b"\r\n\r\n").partition(b"\r\n\r\n")
    assert b"\r\nContent-Type: text/plain; charset=utf-8\r\n" in head
    assert body.decode() == f"{detail}\n"


# ---- what HTTP promises ----


def test_a_head_request_has_the_headers_alone(patient: Running) -> None:
    asked = b"HEAD /file HTTP/1.1\r\nHost: x\r\n\r\nHEAD / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
    received = patient.exchange(asked)
    assert received.startswith(b"HTTP/1.1 200 OK\r\n")
    assert received.endswith(b"\r\n\r\n")
    assert len(received) < 1000


def test_a_response_without_a_body_keeps_the_connection(patient: Running) -> None:
    connection = HTTPConnection("127.0.0.1", patient.port, timeout=PATIENCE)
    for _ in range(3):
        connection.request("GET", "/same")
        response = connection.getresponse()
        assert (response.status, response.read(), response.will_close) == (304, b"", False)
    assert patient.server.crowd.total() == 1
    connection.close()


def test_who_asks_whether_to_go_on_is_told(patient: Running) -> None:
    expecting = HEAD + b"Expect: 100-continue\r\nConnection: close\r\n"
    with patient.send(expecting + b"Content-Length: 4\r\n\r\n") as sender:
        assert sender.recv(1000) == b"HTTP/1.1 100 Continue\r\n\r\n"
        sender.sendall(b"four")
        assert b"4 bytes" in read_all(sender)
    assert status_of(patient.exchange(expecting + b"\r\n")) == 200
    too_much = patient.exchange(expecting + b"Content-Length: 900000000\r\n\r\n")
    assert status_of(too_much) == 413


def test_a_request_in_three_parts_is_answered(patient: Running) -> None:
    with patient.send(HEAD + b"Connection: close\r\n") as sender:
        for part in (b"Content-Length: 4\r\n\r\nfo", b"ur"):
            time.sleep(0.1)
            sender.sendall(part)
        assert b"4 bytes" in read_all(sender)


def test_a_stop_waits_for_what_is_under_way_and_accepts_nothing_new() -> None:
    with running(ServerLimits()) as each:
        idle = each.send(b"")
        waiting = each.send(b"GET /waits HTTP/1.1\r\nHost: x\r\n\r\n")
        wait_for(lambda: any(channel.is_at_work for channel in each.server.active_channels.values()))
        each.server.stop()
        assert idle.recv(1) == b""
        each.application.goes_on.set()
        assert b"0 bytes" in read_all(waiting)
        close_all([idle, waiting])
