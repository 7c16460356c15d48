"""Who sends a request slowly, or is gone in the middle of one, keeps no thread of the web server for ever."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path

import pytest

THREADS, PATIENCE = 2, 30.0
SERVER = """
import struct, sys
from gunicorn.app.base import BaseApplication
from toprung.web.ops import web_worker

web_worker.HEAD_SECONDS, web_worker.PAUSE = 1.0, struct.pack("ll", 1, 0)

def read_all(environ, start_response):
    size = len(environ["wsgi.input"].read())
    start_response("200 OK", [("Content-Type", "text/plain")])
    return [bytes(50_000_000)] if environ["PATH_INFO"] == "/large" else [b"%d bytes" % size]

class Server(BaseApplication):
    def load_config(self):
        settings = {"bind": "127.0.0.1:0", "worker_class": web_worker.WebWorker, "threads": THREADS, "workers": 1}
        for name, value in {**settings, "when_ready": tell, "control_socket_disable": True}.items():
            self.cfg.set(name, value)

    def load(self):
        return read_all

def tell(server):
    print(server.LISTENERS[0].sock.getsockname()[1], flush=True)

Server().run()
"""


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    """Of a server with two threads that waits a second for the head of a request, and for each byte of its body."""
    code = SERVER.replace("THREADS", str(THREADS))
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as server:
        assert server.stdout is not None
        yield int(server.stdout.readline())
        server.terminate()


def send(port: int, start: bytes) -> socket.socket:
    sender = socket.create_connection(("127.0.0.1", port))
    sender.sendall(start)
    return sender


def ask(port: int) -> str:
    connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    connection.request("POST", "/", b"four")
    answer = connection.getresponse().read().decode()
    connection.close()
    return answer


HEAD = b"POST / HTTP/1.1\r\nHost: localhost\r\n"
STARTS = {
    "a head": HEAD + b"X-Name: ",
    "a body": HEAD + b"Content-Length: 1000\r\n\r\nten bytes.",
    "an answer": b"GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n",
}


@pytest.mark.parametrize("start", STARTS.values(), ids=STARTS)
def test_who_is_gone_in_the_middle_keeps_nobody_waiting(port: int, start: bytes) -> None:
    gone = [send(port, start) for _ in range(2 * THREADS)]
    assert ask(port) == "4 bytes"
    for each in gone:
        each.close()


def test_a_head_that_comes_byte_by_byte_is_not_waited_for(port: int) -> None:
    slow = [send(port, HEAD + b"X-Name: ") for _ in range(THREADS)]
    refused, began = set[int](), time.monotonic()
    while len(refused) < THREADS and time.monotonic() - began < PATIENCE:
        for number, each in enumerate(slow):
            try:
                each.sendall(b"a")
            except OSError:
                refused.add(number)
        time.sleep(0.1)
    for each in slow:
        each.close()
    assert len(refused) == THREADS
    assert ask(port) == "4 bytes"


def test_a_request_in_three_parts_is_answered(port: int) -> None:
    with send(port, HEAD + b"Connection: close\r\n") as sender:
        for part in (b"Content-Length: 4\r\n\r\nfo", b"ur"):
            time.sleep(0.3)
            sender.sendall(part)
        answer = b"".join(iter(lambda: sender.recv(1000), b""))
    assert b"4 bytes" in answer


def test_the_web_server_is_that_one() -> None:
    from toprung.web.ops import server_settings, web_worker

    assert server_settings.sendfile is False
    assert server_settings.worker_class == f"{web_worker.__name__}.WebWorker"
    assert Path(web_worker.__file__).name == "web_worker.py"
    assert web_worker.HEAD_SECONDS < web_worker.PAUSE_SECONDS < server_settings.timeout
