"""Does the demo work? Starts it in a folder of its own, fetches every page as everyone who may come, and ends it.

Exits with 0, or says what was found and what was expected.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from queue import Empty, Queue
from threading import Thread
from typing import TYPE_CHECKING

from demo.visitor import Answer, Visitor

from toprung.web.ops.children import die_with_parent
from toprung.web.ops.start import open_folder

if TYPE_CHECKING:
    from toprung.web.core.models.boards import Board

ROOT = Path(__file__).parents[1]
PATIENCE = 600.0
"""Seconds until the demo has to be ready; it takes less than one minute where nothing else runs."""
IN_THE_BACKGROUND = 120.0
"""Seconds until what the worker has left to do has to be done."""
LAST_LINE = "anybody"
LINE = re.compile(r"^  (\S.*?)  +(http://\S+)$")
AS_IN_THE_DEMO = {
    "organiser": "organiser",
    "participant of teams A and E": "participant",
    "participant of team B": "other team",
    "assessor": "assessor",
    "viewer": "viewer",
}
STRICT = "default-src 'none'"
MAY_BE_BEST = ("R13", "R12", "R11", "R10", "R9", "R8")
PROVED = ("R5", "R11")
"""The story of the reconstruction: who may be best, in order of score, and whose claims passed, in order of time."""


def main() -> None:
    started = time.monotonic()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("Ended from outside."))  # so that the demo is ended too
    with tempfile.TemporaryDirectory(prefix="toprung-demo-") as folder, running_demo(Path(folder)) as said:
        addresses = read_addresses(said)
        print(f"The demo is ready after {time.monotonic() - started:.0f} s.", flush=True)
        faults = list(find_faults(Path(folder), addresses))
    for fault in faults:
        print(fault)
    sys.exit(1 if faults else 0)


@contextmanager
def running_demo(folder: Path) -> Iterator[Queue[str | None]]:
    """What the demo prints, line by line, None at its end; it is ended here, whatever happens."""
    command = [sys.executable, "-m", "demo.board", "--data", str(folder / "board"), "--port", "0"]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("TOPRUNG_")}
    demo = subprocess.Popen(  # noqa: S603 - our own
        command,
        stdout=subprocess.PIPE,
        text=True,
        env=environment,
        preexec_fn=die_with_parent(),  # noqa: PLW1509 - there is one thread so far
    )
    said: Queue[str | None] = Queue()
    Thread(target=lambda: listen(demo, said), daemon=True).start()
    try:
        yield said
    finally:
        demo.send_signal(signal.SIGINT)
        try:
            code = demo.wait(60)
        except subprocess.TimeoutExpired:
            demo.kill()
            code = demo.wait()
    if code != 0:
        sys.exit(f"The demo ended with {code}; expected 0 after Ctrl-C.")


def listen(demo: subprocess.Popen[str], said: Queue[str | None]) -> None:
    assert demo.stdout is not None  # noqa: S101 - for the type checker: it is a pipe
    for line in demo.stdout:
        print(line, end="", flush=True)
        said.put(line.rstrip("\n"))
    said.put(None)


def read_addresses(said: Queue[str | None]) -> dict[str, str]:
    """For each who may come the address they come by."""
    addresses: dict[str, str] = {}
    latest = time.monotonic() + PATIENCE
    while LAST_LINE not in addresses:
        try:
            line = said.get(timeout=max(0.0, latest - time.monotonic()))
        except Empty:
            sys.exit(f"Found no board after {PATIENCE:.0f} s; expected one.")
        if line is None:
            sys.exit("Found the demo ended before it was ready; see above.")
        if found := LINE.match(line):
            addresses[found[1]] = found[2]
    return addresses


def find_faults(folder: Path, addresses: Mapping[str, str]) -> Iterator[str]:
    """Everything that is not as it should be, in words."""
    open_folder(folder / "board")
    from demo.visits import all_visits, names_of_pages

    from toprung.web.core.models.boards import Board

    board = Board.objects.select_related("holder").get()
    yield from wait_for_the_worker(board.pk)
    yield from find_another_story(board)
    visits = list(all_visits(board))
    if missing := sorted(names_of_pages() - {visit.name for visit in visits}):
        yield f"Found pages that nobody visits: {', '.join(missing)}; expected each in demo/visits.py."
    for visitor in let_in(addresses):
        links: dict[str, str] = {}
        for visit in visits:
            answer = visitor.get(visit.path)
            yield from judge(visitor, answer, None if visit.statuses is None else visit.statuses[visitor.role])
            links |= dict.fromkeys(answer.links, visit.path)
        visited = {visit.path for visit in visits}
        for path, source in links.items():
            if path not in visited:
                yield from judge_link(visitor, visitor.get(path), source)
        print(f"Fetched {len({*visited, *links})} pages and files as {visitor.role}.", flush=True)


def find_another_story(board: Board) -> Iterator[str]:
    """Where the board says something else than the runs were made for."""
    from toprung.web.core.models.results import Audience

    members = board.standings.filter(audience=Audience.ORGANISERS, top_group=True).order_by("place")
    told = {
        "may be best": (tuple(members.values_list("submission__run_id", flat=True)), MAY_BE_BEST),
        "proved an improvement": (
            tuple(board.claims.filter(passed=True).order_by("number").values_list("submission__run_id", flat=True)),
            PROVED,
        ),
    }
    for what, (found, expected) in told.items():
        if found != expected:
            yield f"Found that {', '.join(found)} {what}; expected {', '.join(expected)}."


def wait_for_the_worker(board_pk: int) -> Iterator[str]:
    """The page of validity is computed after the others, while the board is up."""
    from toprung.web.core.models.results import StoredResult

    latest = time.monotonic() + IN_THE_BACKGROUND
    while not StoredResult.objects.filter(board=board_pk, kind="validity").exists():
        if time.monotonic() > latest:
            yield f"Found no validity after {IN_THE_BACKGROUND:.0f} s; expected the worker to have computed it."
            return
        time.sleep(0.5)


def let_in(addresses: Mapping[str, str]) -> Iterator[Visitor]:
    """Everyone, each through their own link; and somebody without one."""
    home = addresses[LAST_LINE].partition("/b/")[0]
    yield Visitor(role=LAST_LINE, address=home)
    for comes_as, role in AS_IN_THE_DEMO.items():
        visitor = Visitor(role=role, address=home)
        if visitor.come_by(addresses[comes_as]).status != 302 or visitor.get("/account/").status != 200:
            sys.exit(f"Found no way in as {comes_as}; expected the link to let them in.")
        yield visitor


def judge(visitor: Visitor, answer: Answer, expected: int | None) -> Iterator[str]:
    if answer.status >= 500 or (expected is not None and answer.status != expected):
        wanted = "no failure" if expected is None else expected
        yield f"{visitor.role}: {answer.path}: found {answer.status}; expected {wanted}."
    if answer.is_page and STRICT not in answer.headers.get("content-security-policy", ""):
        yield f"{visitor.role}: {answer.path}: found no strict content security policy."


def judge_link(visitor: Visitor, answer: Answer, source: str) -> Iterator[str]:
    """What a page leads to has to be there for who sees the page."""
    yield from judge(visitor, answer, None)
    if answer.status == 404:
        yield f"{visitor.role}: {source} leads to {answer.path}: found 404; expected a page."


if __name__ == "__main__":
    main()
