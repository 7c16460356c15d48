"""Do waits tell test pairs from others? ``python -m benchmarks.judging_waits``.

A campaign is served by ``toprung serve``; one person after the other fetches every pair of a task and answers it over a
connection on this machine, and the time until the last byte is noted. How well a wait, or all of them together, tell a
test pair is the area under the curve: .5 is a coin. What else the machine does makes waits longer, and tells nothing;
it is no reason to measure alone. Whether it takes longer to hand in a task in which a test pair was missed is said too.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import re
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit
from urllib.request import urlopen
from uuid import uuid4

import numpy as np
from numpy.typing import NDArray
from tests.web.judging.areas import auc, guess, standard_error

from benchmarks.judging import SECONDS_TO_START, fill_campaign, serve_campaign
from benchmarks.judging_client import PLATFORM_MARK, STUDY

MOST = 0.53
SLOT = re.compile(rb'name="slot" value="(\d+)"')
WAITS = ("page of a pair", "reply to an answer")
ENOUGH = 100_000
"""Tasks that the money pays for: it does not run out."""


@dataclass
class Waits:
    """Seconds of each pair and each hand-in, and what was known of them."""

    pairs: list[list[float]] = field(default_factory=list)
    is_gold: list[bool] = field(default_factory=list)
    hand_ins: list[float] = field(default_factory=list)
    missed: list[bool] = field(default_factory=list)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tasks", type=int, default=770, help="of thirteen pairs each (default: 770, 10,010 pairs)")
    parser.add_argument("--queries", type=int, default=3334, help="of three pairs each (default: 3334)")
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="toprung-waits-") as folder:
        data = Path(folder) / "data"
        key = fill_campaign(data, given.queries, ENOUGH, os.environ)
        with serve_campaign(data, Path(folder) / "server.log", os.environ) as (url, _):
            urlopen(f"{url}/healthz", timeout=SECONDS_TO_START).close()  # until its first process is up
            waits = Waits()
            for number in range(given.tasks):
                do_task(Browser(f"{url}/judge/{key}/"), number, waits)
    return say(waits)


class Browser:
    """Keeps cookies and its connection, and says how long each reply took."""

    def __init__(self, url: str) -> None:
        self._address, self._cookies = urlsplit(url), dict[str, str]()
        self._connection = http.client.HTTPConnection(self._address.netloc, timeout=60)

    def get(self, page: str) -> tuple[bytes, float]:
        return self._ask("GET", page, None, "text/html")

    def post(self, page: str, fields: dict[str, Any], accept: str = "text/html") -> tuple[bytes, float]:
        return self._ask("POST", page, urlencode(fields), accept)

    def close(self) -> None:
        self._connection.close()

    def _ask(self, method: str, page: str, body: str | None, accept: str) -> tuple[bytes, float]:
        headers = {
            "Accept": accept,
            "Content-Type": "application/x-www-form-urlencoded",
            "Cookie": "; ".join(f"{name}={value}" for name, value in self._cookies.items()),
            "X-CSRFToken": self._cookies.get("csrftoken", ""),
        }
        began = time.perf_counter()
        self._connection.request(method, self._address.path + page, body, headers)
        reply = self._connection.getresponse()
        content = reply.read()
        taken = time.perf_counter() - began
        for line in reply.headers.get_all("Set-Cookie") or []:
            name, _, rest = line.partition("=")
            self._cookies[name] = rest.partition(";")[0]
        if reply.status >= http.client.BAD_REQUEST:
            raise RuntimeError(f"{method} {page}: {reply.status}, {content[:200]!r}")
        return content, taken


def do_task(browser: Browser, number: int, waits: Waits) -> None:
    """From the link of the platform to the thanks; every second person takes the left side whatever it says."""
    person = f"{PLATFORM_MARK}-waits-{number:06}"
    browser.get(f"?{urlencode({'PROLIFIC_PID': person, 'STUDY_ID': STUDY, 'SESSION_ID': f'{person}-s'})}")
    browser.get("consent/")
    browser.post("consent/", {"agree": "1"})
    browser.post("guidelines/", {"choice": "right"})
    browser.get("ready/")
    browser.post("ready/", {})
    task = json.loads(browser.get("task.json")[0])
    has_missed = False
    for _ in task["open"]:
        page, shown_after = browser.get("pairs/")
        slot = slot_of(page)
        better = better_side(task["pairs"][slot])
        choice = "left" if number % 2 else better or "left"
        said = {"assignment": task["assignment"], "slot": slot, "choice": choice, "answer_id": uuid4().hex, "ms": 1500}
        _, kept_after = browser.post("answer/", said, accept="application/json")
        waits.pairs.append([shown_after, kept_after])
        waits.is_gold.append(bool(better))
        has_missed |= bool(better) and choice != better
    waits.hand_ins.append(browser.post("hand-in/", {})[1])
    waits.missed.append(has_missed)
    browser.close()


def slot_of(page: bytes) -> int:
    """The place in the task that the page of a pair asks about."""
    found = SLOT.search(page)
    if found is None:
        raise RuntimeError("Found a page without a pair; expected one of the task.")
    return int(found[1])


def better_side(pair: dict[str, str]) -> str:
    """Of a test pair, whose question is of the queries that begin with a g; of others nothing."""
    asked = pair["question"].split()[3]
    if not asked.startswith("g"):
        return ""
    return "left" if asked in pair["left"] else "right"


def say(waits: Waits) -> int:
    """1 where a wait tells test pairs better than a coin does."""
    pairs, golds = np.array(waits.pairs), np.array(waits.is_gold)
    areas = {name: _either_way(auc(pairs[:, place], golds)) for place, name in enumerate(WAITS)}
    areas["both, and their squares"] = guess(pairs, golds)
    print(f"{len(golds):,} pairs, {int(golds.sum()):,} of them test pairs; standard error {standard_error(golds):.4f}")
    for place, name in enumerate(WAITS):
        print(f"{name:28} median {1000 * float(np.median(pairs[:, place])):.1f} ms")
    for name, area in areas.items():
        print(f"{name:28} area {area:.4f} (at most {MOST})")
    _say_hand_ins(np.array(waits.hand_ins), np.array(waits.missed))
    return int(max(areas.values()) > MOST)


def _say_hand_ins(seconds: NDArray[np.float64], missed: NDArray[np.bool_]) -> None:
    one, other = (1000 * float(np.median(seconds[each])) for each in (missed, ~missed))
    area, error = _either_way(auc(seconds, missed)), standard_error(missed)
    print(
        f"hand-in, missed or not       median {one:.1f} and {other:.1f} ms; area {area:.3f}, standard error {error:.3f}"
    )


def _either_way(area: float) -> float:
    return max(area, 1 - area)


if __name__ == "__main__":
    raise SystemExit(main())
