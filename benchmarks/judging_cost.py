"""What do an answer and an offer cost the server? ``python -m benchmarks.judging_cost``.

Whole requests, through all that the web server does but for its socket, by one person after the other. CPU time and
questions to the database hardly depend on what else the machine does: that an offer costs the same with 1,000 and with
10,000 pairs is seen on a busy machine, too. The campaign is that of `benchmarks.judging`.
"""

from __future__ import annotations

import argparse
import io
import json
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

from benchmarks.judging_client import PLATFORM_MARK, STUDY

ROOT = Path(__file__).parents[1]
SIZES = (334, 3334)
"""Queries of three pairs each."""
MONEY = 100_000
"""Tasks that it pays for: it does not run out."""
WARM_UP = 3
"""Tasks that are not counted: the first reads the desk, and fills what a process keeps."""


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tasks", type=int, default=30, help="of a person each (default: 30)")
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--key", help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    if given.folder:
        print(json.dumps(measure(given.folder, given.key, given.tasks)))
        return 0
    found = [_measure_apart(n, given.tasks) for n in SIZES]
    print(f"{'median of a request':24}" + "".join(f"{3 * n:>18,} pairs" for n in SIZES))
    for what in found[0]:
        cells = (f"{ms:.2f} ms, {asked:.0f} questions" for ms, asked in (costs[what] for costs in found))
        print(f"{what:24}" + "".join(f"{cell:>24}" for cell in cells))
    return 0


def _measure_apart(n_queries: int, n_tasks: int) -> dict[str, tuple[float, float]]:
    """In a process of its own: one opens a data folder once."""
    with tempfile.TemporaryDirectory(prefix="toprung-judging-") as folder:
        data = str(Path(folder) / "data")
        key = _run("tests.chaos.judging_stage", data, str(n_queries), str(MONEY)).strip()
        told = _run("benchmarks.judging_cost", "--folder", data, "--key", key, "--tasks", str(n_tasks))
    found: dict[str, tuple[float, float]] = json.loads(told)
    return found


def _run(module: str, *arguments: str) -> str:
    command = [sys.executable, "-m", module, *arguments]
    return subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True).stdout


def measure(folder: Path, key: str, n_tasks: int) -> dict[str, tuple[float, float]]:
    """By kind of request the median CPU in milliseconds, and of questions to the database."""
    from toprung.web.ops.start import open_folder

    open_folder(folder)
    meter = Meter()
    for number in range(WARM_UP + n_tasks):
        if number == WARM_UP:
            meter.costs.clear()
        do_task(Browser(key, meter), number)
    return {
        what: (median(ms for ms, _ in costs), median(asked for _, asked in costs))
        for what, costs in meter.costs.items()
    }


class Meter:
    """What each request took."""

    def __init__(self) -> None:
        self.costs: defaultdict[str, list[tuple[float, int]]] = defaultdict(list)
        self._n_asked = 0

    def take(self, what: str, ask: Callable[[], Any]) -> Any:
        from django.db import connection

        self._n_asked, began = 0, time.process_time()
        with connection.execute_wrapper(self._count):
            found = ask()
        self.costs[what].append((1000 * (time.process_time() - began), self._n_asked))
        return found

    def _count(self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        self._n_asked += 1
        return execute(sql, params, many, context)


class Browser:
    """Speaks to the server's application as the web server does, and keeps cookies."""

    def __init__(self, key: str, meter: Meter) -> None:
        from toprung.web.ops.wsgi import application

        self._application, self._home, self._meter = application, f"/judge/{key}/", meter
        self._cookies: dict[str, str] = {}

    def get(self, what: str, page: str = "", query: dict[str, str] | None = None) -> bytes:
        return self._ask(what, "GET", page, query=urlencode(query or {}))

    def post(self, what: str, page: str, fields: dict[str, Any] | None = None) -> bytes:
        return self._ask(what, "POST", page, body=urlencode(fields or {}).encode())

    def _ask(self, what: str, method: str, page: str, *, query: str = "", body: bytes = b"") -> bytes:
        environ = {
            "REQUEST_METHOD": method,
            "SCRIPT_NAME": "",
            "PATH_INFO": self._home + page,
            "QUERY_STRING": query,
            "SERVER_NAME": "localhost",
            "SERVER_PORT": "8000",
            "SERVER_PROTOCOL": "HTTP/1.1",
            "REMOTE_ADDR": "127.0.0.1",
            "HTTP_HOST": "localhost:8000",
            "HTTP_ACCEPT": "application/json" if page == "answer/" else "text/html",
            "HTTP_COOKIE": "; ".join(f"{name}={value}" for name, value in self._cookies.items()),
            "HTTP_X_CSRFTOKEN": self._cookies.get("csrftoken", ""),
            "CONTENT_TYPE": "application/x-www-form-urlencoded",
            "CONTENT_LENGTH": str(len(body)),
            "wsgi.version": (1, 0),
            "wsgi.url_scheme": "http",
            "wsgi.input": io.BytesIO(body),
            "wsgi.errors": sys.stderr,
            "wsgi.multithread": True,
            "wsgi.multiprocess": True,
            "wsgi.run_once": False,
        }
        content: bytes = self._meter.take(what, lambda: self._speak(environ))
        return content

    def _speak(self, environ: dict[str, Any]) -> bytes:
        def start(status: str, headers: list[tuple[str, str]], _fault: object = None, /) -> Callable[[bytes], object]:
            if not status.startswith(("2", "3")):
                raise RuntimeError(f"{environ['PATH_INFO']}: {status}")
            for name, value in headers:
                if name == "Set-Cookie":
                    kept, _, rest = value.partition("=")
                    self._cookies[kept] = rest.partition(";")[0]
            return len  # what it would write by itself nobody reads

        reply = self._application(environ, start)
        try:
            return b"".join(reply)
        finally:
            reply.close()


def do_task(browser: Browser, number: int) -> None:
    """From the link of the platform to the thanks."""
    words = {"PROLIFIC_PID": f"{PLATFORM_MARK}-{number}", "STUDY_ID": STUDY, "SESSION_ID": f"{PLATFORM_MARK}-s{number}"}
    browser.get("the link", query=words)
    browser.get("consent, shown", "consent/")
    browser.post("consent, given", "consent/", {"agree": "1"})
    browser.post("guidelines, tried", "guidelines/", {"choice": "left"})
    browser.get("offer", "ready/")
    browser.post("begin", "ready/")
    task = json.loads(browser.get("task, whole", "task.json"))
    for slot in task["open"]:
        said = {"assignment": task["assignment"], "slot": slot, "choice": "left", "answer_id": uuid4().hex, "ms": 1500}
        browser.post("answer", "answer/", said)
    browser.post("hand in", "hand-in/")
    browser.get("thanks", "thanks/")


if __name__ == "__main__":
    raise SystemExit(main())
