"""One process of the web server: how many connections it holds, which it closes first, and how it ends.

``python -m toprung.web.ops.web_server LISTENER METRICS`` serves on an open socket until it is told to stop. Several
such processes may share the socket; each counts connections and uploads for itself.
"""

from __future__ import annotations

import multiprocessing.util
import os
import resource
import shutil
import signal
import socket
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from ipaddress import ip_address
from typing import Any

from waitress import wasyncore
from waitress.adjustments import Adjustments
from waitress.server import TcpWSGIServer
from waitress.task import ThreadedTaskDispatcher

from toprung.net.outward import Network
from toprung.web.ops.connections import HEALTH, IN_MEMORY, NO_ROOM, InTurns, Patience, WebConnection, group_of

type Application = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]

THREADS = 4
GRACE = 20.0
"""Seconds in which a process ends what is under way when it is told to stop; its parent waits longer."""
LARGEST_HEAD = 32 << 10
ANSWER_IN_MEMORY = 256 << 10
"""Bytes of a response; larger ones lie in a file without a name, in the data folder."""
ENVELOPE = 8 << 20
"""Bytes of a form around its file: the board itself says that a file is too large."""
ACCEPTED_AT_ONCE = 8
CHECKED_EACH = 1.0
"""Seconds between two looks at who is too slow."""
FILES_OF_CONNECTION, OTHER_FILES, MOST_FILES = 3, 200, 1 << 16
"""Open files: a socket, a body and a response each; database and others; what a process asks the system for."""


@dataclass(frozen=True, kw_only=True)
class ServerLimits:
    """What the connections of one process may take together."""

    connections: int = 2048
    per_address: int = 128
    """Of one address, or one /64 of IPv6; enough for a class behind one address, since idle ones give way."""
    body: int = 512 << 20
    """Bytes of one request."""
    bodies: int = 4
    """All bodies that wait together take as much disk as so many of the largest."""
    proxies: Sequence[Network] = ()
    """Whence a proxy comes: all its connections are from its own address, so they are not limited by address."""
    patience: Patience = field(default_factory=Patience)


class WebServer(TcpWSGIServer):  # type: ignore[misc] # waitress has no types
    """Waitress with limits for addresses, deadlines, and an orderly end."""

    channel_class = WebConnection

    def __init__(
        self, application: Application, listener: socket.socket, limits: ServerLimits, threads: int = THREADS
    ) -> None:
        self.limits, self.patience, self.crowd = limits, limits.patience, Counter[str]()
        self.is_stopping, self.checks_at = False, 0.0
        self.hangs_until = 0.0
        """Until then requests are taken to hang: one did a moment ago."""
        dispatcher, self.health_dispatcher = start_threads(threads), start_threads(1)
        settings = Adjustments(
            sockets=[listener],
            server_name=listener.getsockname()[0],
            ident=None,
            max_request_header_size=LARGEST_HEAD,
            max_request_body_size=limits.body,
            inbuf_overflow=IN_MEMORY,
            outbuf_overflow=ANSWER_IN_MEMORY,
            outbuf_high_watermark=sys.maxsize,  # No thread waits for a reader; a connection has one response at most.
            log_socket_errors=False,
            clear_untrusted_proxy_headers=False,  # Django decides by TOPRUNG_URL whether it believes them.
        )
        super().__init__(
            without_bodies_of_head(application),
            map={},
            _sock=listener,
            dispatcher=dispatcher,
            adj=settings,
            bind_socket=False,
            sockinfo=(listener.family, listener.type, listener.proto, listener.getsockname()),
        )

    # ---- who may connect ----

    def handle_accept(self) -> None:
        for _ in range(ACCEPTED_AT_ONCE):
            try:
                accepted = self.accept()
                if accepted is None:
                    return
                connection, address = accepted
                self.set_socket_options(connection)
            except OSError:  # It was gone again.
                continue
            crowded = self._find_crowded(group_of(str(address[0]), self.limits.proxies))
            if crowded and not self._close_least(crowded):
                connection.close()
                continue
            self.channel_class(self, connection, address, self.adj, map=self._map)
            if crowded:  # The next connection may get the number of the closed one, of which the loop still has news.
                return

    def _find_crowded(self, group: str) -> str:
        """The address that loses a connection when one more of `group` comes; empty if there is room for it.

        When the server is full, the address with most connections loses one, so another address always finds room.
        """
        if self.crowd[group] >= self.limits.per_address and not self.is_proxy(group):
            return group
        if len(self.active_channels) < self.limits.connections:
            return ""
        return max(self.crowd, key=lambda each: (not self.is_proxy(each), self.crowd[each]))

    def is_proxy(self, group: str) -> bool:
        return "/" not in group and any(ip_address(group) in network for network in self.limits.proxies)

    def _close_least(self, group: str) -> bool:
        now = time.monotonic()
        closable = [each for each in self.active_channels.values() if each.group == group and not each.is_held]
        if not closable:
            return False
        least = min(closable, key=lambda each: each.worth(now))
        least.reset()
        return True

    # ---- how long they may take, and how much ----

    def readable(self) -> bool:
        return bool(self.accepting)

    def _check_all(self) -> None:
        """Between two rounds of the loop: what is closed within one may be taken for the connection that comes next."""
        now = time.monotonic()
        if now >= self.checks_at:
            self.checks_at = now + CHECKED_EACH
            for each in list(self.active_channels.values()):
                try:
                    each.check(now)
                except Exception:
                    self.logger.exception("A connection could not be checked, and is closed")
                    wasyncore.dispatcher.close(each)
            self._bound_bodies()

    def _bound_bodies(self) -> None:
        """Refuse uploads where all of them take too much disk, beginning with the address that has most."""
        arriving = [each for each in self.active_channels.values() if each.body_size > IN_MEMORY]
        by_address = Counter[str]()
        for each in arriving:
            by_address[each.group] += each.body_size
        too_much = by_address.total() - self.limits.bodies * self.limits.body
        with suppress(OSError):  # The folder is gone; see Request.received.
            too_much = max(too_much, self.limits.body - shutil.disk_usage(tempfile.gettempdir()).free)
        while too_much > 0 and arriving:
            largest = max(arriving, key=lambda each: (by_address[each.group], each.body_size))
            arriving.remove(largest)
            too_much -= largest.body_size
            by_address[largest.group] -= largest.body_size
            if not largest.is_at_work:
                largest.refuse(NO_ROOM)

    def add_task(self, task: WebConnection) -> None:
        is_health = task.requests[0].path == HEALTH
        (self.health_dispatcher if is_health else self.task_dispatcher).add_task(task)

    def remove_task(self, task: WebConnection) -> None:
        for dispatcher in (self.task_dispatcher, self.health_dispatcher):
            with dispatcher.lock:
                dispatcher.queue.remove(task)

    # ---- until when ----

    def run(self) -> None:
        """Serve until told to stop; then end what is under way, for a while."""
        while not self.is_stopping:
            wasyncore.poll2(CHECKED_EACH, self._map)
            self._check_all()
        self.accepting = False
        latest = time.monotonic() + GRACE
        while time.monotonic() < latest and self._close_idle():
            wasyncore.poll2(0.1, self._map)
            self._check_all()
        for dispatcher in (self.task_dispatcher, self.health_dispatcher):
            dispatcher.shutdown(timeout=1)
        wasyncore.close_all(self._map)

    def _close_idle(self) -> bool:
        """Returns whether others are left."""
        for each in list(self.active_channels.values()):
            if not each.is_busy:
                each.lingers_until = each.lingers_until or 0.0  # It has been answered.
                each.handle_close()
        return bool(self.active_channels)

    def stop(self) -> None:
        """For a signal handler, or another thread."""
        self.is_stopping = True
        with suppress(OSError):  # The loop has ended already.
            self.pull_trigger()


def start_threads(number: int) -> ThreadedTaskDispatcher:
    dispatcher = ThreadedTaskDispatcher()
    dispatcher.queue = InTurns()
    dispatcher.set_thread_count(number)
    return dispatcher


def without_bodies_of_head(application: Application) -> Application:
    """Waitress would send the body of a response to HEAD."""

    def answer(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        response = application(environ, start_response)
        if environ["REQUEST_METHOD"] != "HEAD":
            return response
        if hasattr(response, "close"):
            response.close()
        return []

    return answer


def raise_open_files() -> int:
    """Ask for as many open files as the system allows; returns how many connections they are enough for."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, MOST_FILES)
    if soft != resource.RLIM_INFINITY and soft < most:
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
            soft = most
    return MOST_FILES if soft == resource.RLIM_INFINITY else max((soft - OTHER_FILES) // FILES_OF_CONNECTION, 16)


def main() -> None:
    descriptor, *metrics = sys.argv[1:]
    parent = os.getppid()
    if metrics:
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = metrics[0]
    from toprung.web.ops.wsgi import application

    with socket.socket(fileno=int(descriptor)) as listener:
        server = WebServer(application, listener, limits_of_board())
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: server.stop())
        server.run()
    if metrics and os.getppid() != parent:  # It was killed, and deletes nothing.
        shutil.rmtree(metrics[0], ignore_errors=True)


def limits_of_board() -> ServerLimits:
    from django.conf import settings

    environment = settings.ENVIRONMENT
    # Sockets of child processes stay in the system's folder, for the path of a socket must be short.
    multiprocessing.util.get_temp_dir()
    # Bodies lie on the disk of the data, for elsewhere may be memory; nobody else may look into that folder.
    tempfile.tempdir = str(environment.incoming)
    return ServerLimits(
        connections=min(raise_open_files(), ServerLimits.connections),
        body=environment.max_upload_bytes + ENVELOPE,
        proxies=environment.proxies,
    )


if __name__ == "__main__":
    main()
