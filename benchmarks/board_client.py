"""Many who look at once: ``python -m benchmarks.board_client ADDRESS SECONDS CLIENTS PAUSE PATH...``, JSON at the end.

Each client keeps one connection and asks for one page after the other, with a pause between them.
"""

from __future__ import annotations

import itertools
import json
import sys
import threading
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException, RemoteDisconnected
from urllib.parse import urlsplit

PATIENCE = 60.0


@dataclass(frozen=True, kw_only=True)
class Readers:
    """Who looks, until when, and what they got."""

    address: str
    latest: float
    pause: float
    answers: Counter[str] = field(default_factory=Counter)
    waits: list[float] = field(default_factory=list)

    def look_on(self, paths: Sequence[str]) -> None:
        """As one of them."""
        place = urlsplit(self.address)
        connection = HTTPConnection(place.hostname or "", place.port, timeout=PATIENCE)
        for path in itertools.cycle(paths):
            if time.monotonic() > self.latest:
                break
            self.look(connection, path)
            time.sleep(self.pause)
        connection.close()

    def look(self, connection: HTTPConnection, path: str) -> None:
        started = time.monotonic()
        try:
            self.answers[get(connection, path)] += 1
        except (OSError, HTTPException) as error:
            self.answers[type(error).__name__] += 1
            connection.close()  # the next request opens it again
        self.waits.append(time.monotonic() - started)


def get(connection: HTTPConnection, path: str) -> str:
    """The status; asked again where the server closed a connection that was kept, as browsers do."""
    is_kept = connection.sock is not None
    try:
        connection.request("GET", path)
        response = connection.getresponse()
    except (ConnectionResetError, BrokenPipeError, RemoteDisconnected):
        connection.close()
        if not is_kept:
            raise
        connection.request("GET", path)
        response = connection.getresponse()
    response.read()
    return str(response.status)


def main(arguments: Sequence[str]) -> int:
    address, seconds, clients, pause, *paths = arguments
    readers = Readers(address=address, latest=time.monotonic() + float(seconds), pause=float(pause))
    threads = [
        threading.Thread(target=readers.look_on, args=(paths[place:] + paths[:place],))
        for place in (number % len(paths) for number in range(int(clients)))
    ]
    for thread in threads:
        thread.start()
        time.sleep(readers.pause / len(threads))  # people do not come all in the same moment
    for thread in threads:
        thread.join()
    print(json.dumps({"answers": readers.answers, "waits": sorted(readers.waits)}))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
