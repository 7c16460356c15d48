"""What does the web server say of a request that no page ever sees, and how long does it wait for one?

A thread reads a request and answers it, and there are few. So none waits for ever: not for who sends the head of a
request byte by byte, nor for who is gone without a word in the middle of an upload or of an answer, such as a phone.
"""

from __future__ import annotations

import errno
import socket
import struct
import time
from contextlib import suppress
from typing import Any

from gunicorn.http.errors import LimitRequestLine
from gunicorn.workers.gthread import ThreadWorker

HEAD_SECONDS = 20.0
"""For the whole head of a request, which fits into a packet or two."""
PAUSE_SECONDS = 60
"""In which not one byte comes of a body, or is taken of an answer."""
PAUSE = struct.pack("ll", PAUSE_SECONDS, 0)


class WebWorker(ThreadWorker):  # type: ignore[misc] # without types
    """A process of the web server: as gunicorn has it, but for its words and its patience."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.reading: dict[Any, float] = {}
        """Connections whose head a thread is reading, and until when it may take."""

    def enqueue_req(self, conn: Any) -> None:
        for pause in (socket.SO_RCVTIMEO, socket.SO_SNDTIMEO):
            conn.sock.setsockopt(socket.SOL_SOCKET, pause, PAUSE)
        super().enqueue_req(conn)

    def handle(self, conn: Any) -> Any:
        """In a thread."""
        self.reading[conn] = time.monotonic() + HEAD_SECONDS
        try:
            return super().handle(conn)
        finally:
            self.reading.pop(conn, None)

    def handle_request(self, req: Any, conn: Any) -> Any:
        """The head is there."""
        self.reading.pop(conn, None)
        try:
            return super().handle_request(req, conn)
        except BlockingIOError as error:  # the pause was too long: as if they had hung up
            raise ConnectionResetError(errno.ECONNRESET, "nothing came, or was taken") from error

    def murder_pending(self) -> None:
        """About once a second, beside the threads: whoever reads from a connection that is shut finds its end."""
        super().murder_pending()
        now = time.monotonic()
        for conn in [each for each, until in list(self.reading.items()) if until < now]:
            with suppress(OSError):
                conn.sock.shutdown(socket.SHUT_RDWR)

    def handle_error(self, req: Any, client: Any, addr: Any, exc: BaseException) -> None:
        said = AddressTooLongError(exc.size) if isinstance(exc, LimitRequestLine) else exc
        super().handle_error(req, client, addr, said)


class AddressTooLongError(LimitRequestLine):  # type: ignore[misc] # without types
    """In words for who followed a link."""

    def __str__(self) -> str:
        return "The address is too long. Nothing was changed; open the link again as it was given to you."
