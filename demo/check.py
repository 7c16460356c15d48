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
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from queue import Empty, Queue
from threading import Thread
from typing import TYPE_CHECKING

from demo.board import PEOPLE
from demo.boards import BOARDS
from demo.coherence import count_compared, find_contradictions
from demo.judged import find_missing, find_no_way_in
from demo.made.board import Planted
from demo.told import Told
from demo.visitor import Answer, Visitor

from toprung.web.ops.children import before_begin
from toprung.web.ops.start import open_folder

if TYPE_CHECKING:
    from demo.visits import Visit

    from toprung.web.core.models.boards import Board
    from toprung.web.core.models.claims import Claim
    from toprung.web.core.models.results import Standing

ROOT = Path(__file__).parents[1]
PATIENCE = 600.0
"""Seconds until the demo has to be ready; it takes less than one minute where nothing else runs."""
IN_THE_BACKGROUND = 120.0
"""Seconds until what the worker has left to do has to be done."""
LAST_LINE = "anybody"
LINE = re.compile(r"^  (\S.*?)  +(http://\S+)$")
ROLES = {"Olga": "organiser", "Pia": "participant", "Tom": "other team", "Asa": "assessor", "Vera": "viewer"}
"""What each who comes is called in the table of visits."""
SEE_ALL = ("anybody", "organiser")
"""They visit all boards; everyone else the first, for roles are the same on all."""
ARE_TOLD = (*SEE_ALL, "participant")
"""Whom all boards tell the same; the last of them has runs."""
STRICT = "default-src 'none'"


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
        preexec_fn=before_begin(gives_way=False),  # noqa: PLW1509 - there is one thread so far
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

    boards = list(Board.objects.select_related("holder").order_by("pk"))
    for board, demo in zip(boards, BOARDS, strict=True):
        yield from wait_for_the_worker(board.pk)
        yield from find_another_story(board, demo.planted)
    first, *others = [list(all_visits(board)) for board in boards]
    if missing := sorted(names_of_pages() - {visit.name for visit in first}):
        yield f"Found pages that nobody visits: {', '.join(missing)}; expected each in demo/visits.py."
    yield from find_another_campaign(boards[0], addresses[LAST_LINE])
    for visitor in let_in(addresses):
        if visitor.role in ARE_TOLD:
            yield from find_disagreements(visitor, boards)
        sees_all = visitor.role in SEE_ALL
        yield from walk(visitor, [*first, *(visit for visits in others for visit in visits if sees_all)])


def find_disagreements(visitor: Visitor, boards: Sequence[Board]) -> Iterator[str]:
    """Where two places of a board contradict each other, as this visitor reads them."""
    for board in boards:
        told = told_to(visitor, board)
        yield from (f"{visitor.role}: {board.title}: {fault}." for fault in find_contradictions(told))
        runs, pairs = count_compared(told)
        print(f"{board.title}: {runs} runs and {pairs} pairs are told alike everywhere to {visitor.role}.", flush=True)


def told_to(visitor: Visitor, board: Board) -> Told:
    """By HTTP, mails as they would be sent. The API takes no cookies: only what it tells everyone is read."""
    from toprung.web.services.runs.mail import body_of

    def fetch(path: str) -> str:
        answer = visitor.get(path)
        return answer.body if answer.status == 200 else ""

    return Told(
        slug=board.slug,
        fetch=fetch,
        ask=fetch if visitor.role == LAST_LINE else lambda _: "",
        mail=lambda run: "".join(map(body_of, board.submissions.filter(run_id=run))),
        is_everyone=visitor.role == LAST_LINE,
    )


def walk(visitor: Visitor, visits: Sequence[Visit]) -> Iterator[str]:
    """Everything that this visitor finds wrong, on the pages and where they lead."""
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


def find_another_story(board: Board, planted: Planted) -> Iterator[str]:
    """Where the board says something else than the runs were made for."""
    from toprung.web.core.models.results import Audience

    members = board.standings.filter(audience=Audience.ORGANISERS, top_group=True)
    passed = board.claims.filter(passed=True).order_by("number")
    found = {name_of(each) for each in members.select_related("submission").order_by("place")}
    told = {
        "may be best": (sorted(found), sorted(planted.may_be_best)),
        "proved an improvement": ([name_of(each) for each in passed.select_related("submission")], [*planted.proved]),
    }
    for what, (seen, expected) in told.items():
        if seen != expected:
            yield f"{board.title}: found that {', '.join(seen)} {what}; expected {', '.join(expected)}."


def find_another_campaign(board: Board, address: str) -> Iterator[str]:
    """Where its campaign shows something else than it was made for, or lets nobody in."""
    campaign = board.campaigns.get()
    stranger = Visitor(role=LAST_LINE, address=address.rstrip("/"))
    for fault in (*find_missing(campaign), *find_no_way_in(stranger, campaign)):
        yield f"{board.title}: {campaign.title}: {fault}."
    print(f"{campaign.title}: {campaign.records.filter(kind='judgments').count()} answers, and a way in.", flush=True)


def name_of(found: Standing | Claim) -> str:
    """Of the run; where the runs are synthetic and have no name but their id, that is it."""
    return found.submission.name


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
    home = addresses[LAST_LINE].rstrip("/")
    yield Visitor(role=LAST_LINE, address=home)
    for person in PEOPLE:
        visitor = Visitor(role=ROLES[person.name], address=home)
        if visitor.come_by(addresses[person.comes_as]).status != 302 or visitor.get("/account/").status != 200:
            sys.exit(f"Found no way in as {person.comes_as}; expected the link to let them in.")
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
