"""Many who look at once: ``python -m benchmarks.board_client ADDRESS SECONDS CLIENTS PATH...``, a JSON line at the end.

Each client keeps one connection and asks for one page after the other.
"""

from __future__ import annotations

import itertools
import json
import sys
import threading
import time
from collections import Counter
from collections.abc import Sequence
from http.client import HTTPConnection, HTTPException
from urllib.parse import urlsplit

PATIENCE = 60.0


def main(arguments: Sequence[str]) -> int:
    address, seconds, clients, *paths = arguments
    answers: Counter[str] = Counter()
    waits: list[float] = []
    latest = time.monotonic() + float(seconds)
    threads = [
        threading.Thread(target=ask_on, args=(address, paths[place:] + paths[:place], latest, answers, waits))
        for place in (number % len(paths) for number in range(int(clients)))
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print(json.dumps({"answers": answers, "waits": sorted(waits)}))
    return 0


def ask_on(address: str, paths: Sequence[str], latest: float, answers: Counter[str], waits: list[float]) -> None:
    place = urlsplit(address)
    connection = HTTPConnection(place.hostname or "", place.port, timeout=PATIENCE)
    for path in itertools.cycle(paths):
        started = time.monotonic()
        if started > latest:
            break
        try:
            connection.request("GET", path)
            response = connection.getresponse()
            response.read()
            answers[str(response.status)] += 1
        except (OSError, HTTPException) as error:
            answers[type(error).__name__] += 1
            connection.close()  # the next request opens it again
        waits.append(time.monotonic() - started)
    connection.close()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
