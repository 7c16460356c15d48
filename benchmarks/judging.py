"""Is every answer kept once when many judge at once? ``python -m benchmarks.judging``.

A campaign is served by ``toprung serve``. Simulated assessors of a platform answer task after task; replies are lost,
answers come twice, late and in another order, cookies are lost, and in the middle the web server's processes and a
worker are killed. Then it is counted: each answer that was acknowledged is there once, nobody saw a pair twice, no pair
has more votes than planned, the money was never above the budget, and no name of the platform is in database, log or
export. The short form is a test, ``tests/chaos/test_judging.py``.

How long people wait is told by ``--spare``, which kills nothing, on a machine that does nothing else: longer than asked
for is a fault there. What a request costs is told by ``python -m benchmarks.judging_cost``.

On PostgreSQL: ``python scripts/with_postgres.py python -m benchmarks.judging``.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.request import urlopen

import numpy as np

from benchmarks.judging_client import SimulatedAssessor, Told

ROOT = Path(__file__).parents[1]
SECONDS_TO_START, SECONDS_TO_FINISH, SECONDS_TO_END = 240, 300, 60
SLOTS = 13
"""Of a task: ten pairs and three golds."""
MOST_OF_ANSWER, MOST_OF_OFFER = 0.150, 0.250
"""Seconds of the 95th of a hundred, where people think for five seconds between answers."""


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--assessors", type=int, default=200, help="who judge at once (default: 200)")
    parser.add_argument("--seconds", type=float, default=180.0, help="that they begin tasks (default: 180)")
    parser.add_argument("--thinks", type=float, default=5.0, help="seconds between answers, in the mean (default: 5)")
    parser.add_argument("--queries", type=int, default=3334, help="of three pairs each (default: 3334, 10,002 pairs)")
    parser.add_argument("--tasks", type=int, default=480, help="that the money pays for (default: 480)")
    parser.add_argument("--spare", action="store_true", help="kill nothing")
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="toprung-judging-") as folder:
        found = run(
            Path(folder) / "data",
            assessors=given.assessors,
            seconds=given.seconds,
            thinks=given.thinks,
            queries=given.queries,
            tasks=given.tasks,
            kills=not given.spare,
        )
    for what, value in found.items():
        print(f"{what:32} {value}")
    return 1 if found["faults"] else 0


def run(
    folder: Path,
    *,
    assessors: int,
    seconds: float,
    thinks: float,
    queries: int,
    tasks: int,
    kills: bool,
    environment: Mapping[str, str] = os.environ,
) -> dict[str, object]:
    """What was found; ``faults`` lists what must not be."""
    key, told, log = fill_campaign(folder, queries, tasks, environment), Told(), folder.with_name("server.log")
    with serve_campaign(folder, log, environment) as (url, server):
        urlopen(f"{url}/healthz", timeout=SECONDS_TO_START).close()  # until its first process is up
        people = [SimulatedAssessor(f"{url}/judge/{key}/", number=n, told=told) for n in range(assessors)]
        began = time.process_time()
        threads = _start(people, seconds, thinks, told)
        killed = _kill_in_the_middle(server, told, n_answers=tasks * SLOTS // 2, seconds=seconds) if kills else 0
        for thread in threads:
            thread.join(timeout=seconds + SECONDS_TO_FINISH)
        cpu = f"{time.process_time() - began:.0f}, {_cpu_of(server):.0f}"
        counted = _count(folder, log, told, environment)
    return {
        "assessors": assessors,
        "processes killed": killed,
        "tasks handed in": told.n_tasks,
        "answers acknowledged": len(told.kept),
        "sent again and replied the same": told.n_repeats,
        "requests tried again": told.n_tried_again,
        "answer p50, p95 (ms)": _say(told.answers, MOST_OF_ANSWER),
        "offer p50, p95 (ms)": _say(told.offers, MOST_OF_OFFER),
        "CPU of people, of server (s)": cpu,
        **counted,
        "faults": [*told.faults[:5], *_find_faults(counted), *([] if kills else find_slow(told))],
    }


def _start(people: Sequence[SimulatedAssessor], seconds: float, thinks: float, told: Told) -> list[threading.Thread]:
    """They come within the first sixth of the time."""
    until = time.monotonic() + seconds
    work = [
        threading.Thread(target=_work, args=(each, until, thinks, seconds / 6, told), daemon=True) for each in people
    ]
    for thread in work:
        thread.start()
    return work


def _work(assessor: SimulatedAssessor, until: float, thinks: float, comes_within: float, told: Told) -> None:
    try:
        assessor.work(until, thinks=thinks, comes_within=comes_within)
    except Exception as error:  # whatever stops one of them is a fault to report; the others go on
        told.faults.append(repr(error))


def _say(seconds: list[float], most: float) -> str:
    if not seconds:
        return "none"
    middle, high = np.percentile(seconds, [50, 95]) * 1000
    return f"{middle:.0f}, {high:.0f} (at most {most * 1000:.0f})"


def find_slow(told: Told) -> Iterator[str]:
    """What took longer than it may, in the 95th of a hundred."""
    for what, seconds, most in (("answer", told.answers, MOST_OF_ANSWER), ("offer", told.offers, MOST_OF_OFFER)):
        high = float(np.percentile(seconds, 95)) if seconds else 0.0
        if high > most:
            yield f"{what} p95: {high * 1000:.0f} ms; expected at most {most * 1000:.0f}"


def fill_campaign(folder: Path, queries: int, tasks: int, environment: Mapping[str, str]) -> str:
    return _ask_module("judging_stage", [str(folder), str(queries), str(tasks)], environment).strip()


def _ask_module(name: str, arguments: Sequence[str], environment: Mapping[str, str]) -> str:
    command = [sys.executable, "-m", f"tests.chaos.{name}", *arguments]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr[-3000:])
    return done.stdout


@contextmanager
def serve_campaign(folder: Path, log: Path, environment: Mapping[str, str]) -> Iterator[tuple[str, int]]:
    """Its address and process; all that it says goes to the log, each request among it."""
    program = [sys.executable, "-c", "from toprung.cli.main import main; main()"]
    command = [*program, "serve", "--data", str(folder), "--port", "0", "--processes", "2"]
    told = {**environment, "PYTHONUNBUFFERED": "1", "TOPRUNG_LOG_FORMAT": "json"}
    with log.open("wb") as file:
        server = subprocess.Popen(command, stdout=file, stderr=subprocess.STDOUT, env=told)
    try:
        yield _wait_for_address(log, server), server.pid
    finally:
        server.terminate()
        server.wait(timeout=SECONDS_TO_END)


def _wait_for_address(log: Path, server: subprocess.Popen[bytes]) -> str:
    end = time.monotonic() + SECONDS_TO_START
    while time.monotonic() < end and server.poll() is None:
        if found := re.search(r"^Toprung is at ([^,\s]+)", log.read_text(errors="replace"), re.MULTILINE):
            return found[1]
        time.sleep(0.1)
    raise RuntimeError(f"no server: {log.read_text(errors='replace')[-3000:]}")


def _kill_in_the_middle(server: int, told: Told, *, n_answers: int, seconds: float) -> int:
    """When half of the answers are there that the money pays for, or half of the time has passed."""
    end = time.monotonic() + seconds / 2
    while len(told.kept) < n_answers and time.monotonic() < end:
        time.sleep(0.05)
    return _kill_children(server)


def _kill_children(server: int) -> int:
    """Processes of the web server and one worker, without a word; the server starts others."""
    direct = _children(server)
    web = [pid for pid in direct if "toprung.web.ops.web_server" in _command(pid)]
    workers = [pid for pid in direct if "ox_worker" in _command(pid)]
    chosen = [*web, *workers[:1]]
    for pid in chosen:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    return len(chosen)


def _children(parent: int) -> list[int]:
    tasks = Path(f"/proc/{parent}/task/{parent}/children")
    return [int(pid) for pid in tasks.read_text().split()]


def _cpu_of(process: int) -> float:
    """Seconds of a process and all below it, those among them that have ended."""
    told = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    own = sum(map(int, told[11:15])) / os.sysconf("SC_CLK_TCK")
    return own + sum(map(_cpu_of, _children(process)))


def _command(pid: int) -> str:
    return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")


def _count(folder: Path, log: Path, told: Told, environment: Mapping[str, str]) -> dict[str, object]:
    """What is in the database, asked beside the server."""
    found = json.loads(_ask_module("judging_counts", [str(folder), str(log)], environment))
    kept = found.pop("answers")
    lost = [each for each, choice in told.kept.items() if kept.get(each) != choice]
    return {**found, "acknowledged and not kept": len(lost), "kept and not acknowledged": len(kept.keys() - told.kept)}


MUST_BE_NONE = (
    "acknowledged and not kept",
    "kept and not acknowledged",
    "answers kept twice",
    "slots answered twice",
    "pairs twice to one person",
    "pairs with more votes than planned",
    "tasks with two people",
    "tasks left open",
    "above the budget",
    "impossible events",
    "platform ids found in",
    "not searched",
)


def _find_faults(counted: Mapping[str, object]) -> Iterator[str]:
    if not counted["answers kept"]:
        yield "nothing was answered"
    for what in MUST_BE_NONE:
        if counted[what]:
            yield f"{what}: {counted[what]}"


if __name__ == "__main__":
    raise SystemExit(main())
