"""A line between a client and a real server that can be cut, or stand still, after so many bytes."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress

ENOUGH = 1 << 16


class BrokenLine:
    """Forwards what comes to a port; each connection after the other as it is told, and the rest as it is."""

    def __init__(self, port: int) -> None:
        self.target = port
        self.cut_after: list[int | None] = []
        """For the next connections that send more: after so many bytes to the server the line is cut."""
        self.stand_still_after: int | None = None
        """When so many bytes were carried in all, nothing goes through any more."""
        self.carried = 0
        self.stands_still = threading.Event()
        self.lock = threading.Lock()
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listening.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def stop(self) -> None:
        self.listening.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self.listening.accept()
                threading.Thread(target=self._carry, args=[client], daemon=True).start()

    def _carry(self, client: socket.socket) -> None:
        with client, socket.create_connection(("127.0.0.1", self.target)) as server, suppress(OSError):
            threading.Thread(target=_copy, args=[server, client], daemon=True).start()
            sent = 0
            while data := client.recv(ENOUGH):
                sent += len(data)
                if self._is_cut(sent):
                    break
                self.carried += len(data)
                if self.stand_still_after is not None and self.carried >= self.stand_still_after:
                    self.stands_still.set()
                    client.recv(1 << 30)  # until its owner is gone
                    break
                server.sendall(data)

    def _is_cut(self, sent: int) -> bool:
        with self.lock:
            if self.cut_after and self.cut_after[0] is not None and sent >= self.cut_after[0]:
                self.cut_after.pop(0)
                return True
            return False


def _copy(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(ENOUGH):
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)
