"""How long does one wait for a check when many submit? ``python -m benchmarks.submitting``.

A board with runs is served by ``toprung serve``. Each of the submitters sends a file of 1,000 queries, follows its
check, submits the run, waits a while and goes on, as ``toprung submit`` does it: the pages are computed anew meanwhile.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.board import served
from toprung.client.connection import Connection
from toprung.client.sending import Sending, open_file
from toprung.client.submitting import Submitting
from toprung.data.formats.runs.files import read_run, write_stored_run
from toprung.data.run_card import RunCard
from toprung.errors import InputError

if TYPE_CHECKING:
    from toprung.web.core.models.boards import Board

SLUG_RUNS = 20
DEPTH = 10
LOOKED_EVERY = 1.0
"""Seconds, as the page that follows a check does."""
MOST_FILES = 30
"""Of one person: a server takes no more in an hour."""
LONGEST_WAIT = 5.0
"""Seconds that 95 of 100 checks may keep a sender waiting."""


@dataclass(kw_only=True)
class Waits:
    """How long each check was waited for, from the last byte to the verdict, and how all of it ended."""

    seconds: list[float] = field(default_factory=list)
    ended: Counter[str] = field(default_factory=Counter)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--people", type=int, default=20, help="who submit (default: 20)")
    parser.add_argument("--seconds", type=float, default=60.0, help="that they do so (default: 60)")
    parser.add_argument(
        "--pause", type=float, default=10.0, help="of each between two files, in the mean (default: 10)"
    )
    parser.add_argument("--queries", type=int, default=1000, help="(default: 1000)")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="toprung-bench-") as folder:
        slug, tokens = make_people(Path(folder), options.people, options.queries)
        with served(Path(folder)) as server:
            waits = submit_all(server.address, slug, tokens, options)
    return tell(waits, options)


def make_people(folder: Path, number: int, n_queries: int) -> tuple[str, list[tuple[str, str]]]:
    """The board, and each person's team and token."""
    from toprung.web.ops.start import set_up

    set_up(folder)
    from benchmarks.board_data import make_board
    from toprung.web.core.models.boards import Board, BoardRole, Role
    from toprung.web.core.models.people import Membership, Scope, User
    from toprung.web.services.people.teams import found_team
    from toprung.web.services.people.tokens import make_token

    slug = make_board(SLUG_RUNS, n_queries).slug
    Board.objects.filter(slug=slug).update(quota=1000)
    board = Board.objects.get(slug=slug)
    give_files(board, n_queries)
    people = []
    for each in range(number):
        user = User.objects.create_user(f"person{each}@example.org", None, name=f"Person {each}")
        team = found_team(f"Submitters {each}")
        Membership.objects.create(team=team, user=user)
        BoardRole.objects.create(board=board, user=user, role=Role.PARTICIPANT)
        _, secret = make_token(user, name="bench", scopes=[Scope.READ, Scope.SUBMIT])
        people.append((team.slug, secret))
    return slug, people


def give_files(board: Board, n_queries: int) -> None:
    """A stored file for each run that is there: every file that comes is compared with some of them."""
    from django.core.files import File

    rng = random.Random(f"files of {board.slug}")  # not as any of the submitters: copies are refused
    with tempfile.TemporaryDirectory() as folder:
        text, stored = Path(folder) / "run.txt", Path(folder) / "run.parquet"
        for upload in board.uploads.all():
            write_run(text, n_queries, rng)
            write_stored_run(read_run(text), stored)
            with stored.open("rb") as file:
                upload.parquet.save(f"{upload.pk}.parquet", File(file))


def submit_all(address: str, slug: str, people: Sequence[tuple[str, str]], options: argparse.Namespace) -> Waits:
    waits, latest = Waits(), time.monotonic() + options.seconds
    submitters = [
        Submitter(
            connection=Connection(server=address, token=token),
            board=slug,
            team=team,
            number=number,
            rng=random.Random(number),
            waits=waits,
        )
        for number, (team, token) in enumerate(people)
    ]
    threads = [
        threading.Thread(target=each.submit_on, args=(latest, options.pause, options.queries)) for each in submitters
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return waits


@dataclass(frozen=True, kw_only=True)
class Submitter:
    """One person at a terminal."""

    connection: Connection
    board: str
    team: str
    number: int
    rng: random.Random
    waits: Waits

    def submit_on(self, latest: float, pause: float, n_queries: int) -> None:
        turn = 0
        with tempfile.TemporaryDirectory() as folder:
            while turn < MOST_FILES:
                time.sleep(self.rng.uniform(0, 2 * pause))
                if time.monotonic() > latest:
                    return
                turn += 1
                path = Path(folder) / "run.txt"
                write_run(path, n_queries, self.rng)
                try:
                    self.submit(path, f"run {self.number} {turn}")
                except InputError as error:
                    self.waits.ended[str(error)[:100]] += 1

    def submit(self, path: Path, name: str) -> None:
        asked = self.connection
        with open_file(path) as file:
            sending = Sending(connection=asked, board=self.board, team=self.team, file=file, on_progress=lambda _: None)
            sent = sending.send()
        began, state = time.monotonic(), "waiting"
        while state in ("waiting", "checking", "receiving"):
            time.sleep(LOOKED_EVERY)
            state = asked.ask(f"boards/{self.board}/files/{sent}").text("state")
        self.waits.seconds.append(time.monotonic() - began)
        if state == "accepted":
            card = RunCard(name=name, description="One of many.")
            Submitting(connection=asked, board=self.board, team=self.team, card=card).submit(sent)
        self.waits.ended[state] += 1


def write_run(path: Path, n_queries: int, rng: random.Random) -> None:
    with path.open("w") as file:
        for query in range(n_queries):
            found = rng.randrange(DEPTH)
            for rank in range(DEPTH):
                document = f"d{query}" if rank == found else f"n{rng.randrange(10**9)}"
                file.write(f"{query:06} Q0 {document} {rank + 1} {DEPTH - rank} bench\n")


def tell(waits: Waits, options: argparse.Namespace) -> int:
    median, slow, slowest = np.quantile(waits.seconds, [0.5, 0.95, 1.0])
    told = ", ".join(f"{count:,} × {how}" for how, count in waits.ended.items())
    print(
        f"{options.people} people for {options.seconds:g} s: {told}; they waited {median:.1f} s for a check in the "
        f"median, 95% of them up to {slow:.1f} s, the longest {slowest:.1f} s. "
        f"To hold: 95% within {LONGEST_WAIT:g} s."
    )
    return 0 if set(waits.ended) == {"accepted"} and slow <= LONGEST_WAIT else 1


if __name__ == "__main__":
    sys.exit(main())
