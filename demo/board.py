"""Serves the boards of the demo: dated runs, teams, an embargo, and a login link for everyone who may come.

The runs go the way of all runs of the past: imported, checked, scored and settled in the order of their dates.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, time
from pathlib import Path
from typing import TYPE_CHECKING

from demo.boards import BOARDS
from demo.campaign import make_campaign
from demo.made.board import DemoBoard

from toprung.errors import InputError, ToprungError
from toprung.web.core.config.environment import Environment
from toprung.web.ops.organisers import login_link
from toprung.web.ops.run import listen
from toprung.web.ops.serve import Serving, serve

if TYPE_CHECKING:
    from toprung.web.core.models.boards import Board
    from toprung.web.core.models.people import User


HOST = "127.0.0.1"
MOST_PORTS = 100
"""Ports that are tried for one that is free."""


@dataclass(frozen=True, kw_only=True)
class Person:
    """Somebody who comes to the demo."""

    name: str
    comes_as: str
    role: str = ""
    """On every board."""
    teams: tuple[str, ...] = ()

    @property
    def email(self) -> str:
        return f"{self.name.lower()}@demo.invalid"


PEOPLE = (
    Person(name="Olga", comes_as="organiser", role="organiser"),
    Person(
        name="Pia",
        comes_as="participant of U. Halden, Hazel NLP, Umber and teams A and E",
        role="participant",
        teams=("U. Halden", "Hazel NLP", "Umber", "team A", "team E"),
    ),
    Person(
        name="Tom",
        comes_as="participant of Norrland IR, Birch Search, Slate and team B",
        role="participant",
        teams=("Norrland IR", "Birch Search", "Slate", "team B"),
    ),
    Person(name="Asa", comes_as="assessor", role="assessor"),
    Person(name="Vera", comes_as="viewer", role="viewer"),
)


def main() -> None:
    asked = read_arguments()
    if asked.port and not is_free(asked.port):
        sys.exit(refuse_port(asked.port))
    say("Building run files and labels ...")
    folders = {board: board.build_in(asked.files) for board in BOARDS}
    serving = Serving(
        data_folder=asked.data, host=HOST, port=asked.port, organiser=PEOPLE[0].email, processes=asked.processes
    )
    try:
        sys.exit(serve(serving, say=say, prepare=lambda environment: prepare(environment, folders)))
    except ToprungError as error:
        sys.exit(str(error))


def is_free(port: int) -> bool:
    try:
        listen(HOST, port).close()
    except (InputError, OverflowError):
        return False
    return True


def refuse_port(port: int) -> str:
    """A sentence that offers the next free port."""
    offered = next(filter(is_free, range(port + 1, port + MOST_PORTS)), 0)
    return f"Found port {port} of {HOST} not to be had; expected a free one. Run: make demo PORT={offered}"


def read_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=Path, default=Path("build/demo"), help="where run files and labels lie")
    parser.add_argument("--data", type=Path, default=Path("build/demo/board"), help="the data folder of the server")
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--processes", type=int, default=2)
    return parser.parse_args()


def say(line: str) -> None:
    print(line, flush=True)


def prepare(environment: Environment, folders: Mapping[DemoBoard, Path]) -> None:
    """The boards, unless they are there, and a link for everyone; what was cut short is gone on with."""
    people = {person: find_or_make(person) for person in PEOPLE}
    organiser = people[PEOPLE[0]]
    boards = [make_board(board, files, organiser) for board, files in folders.items()]
    campaign = make_campaign(boards[0], organiser)
    for person, user in people.items():
        join(person, user, boards)
    say("")
    say("Come in as (each link works once, for a day; more: toprung login-link EMAIL):")
    width = max(len(person.comes_as) for person in PEOPLE)
    for person, user in people.items():
        say(f"  {person.comes_as:<{width}}  {login_link(environment, user)}")
    say(f"  {'whoever judges a task':<{width}}  {environment.public_url}/judge/{campaign.key}/")
    say(f"  {'anybody':<{width}}  {environment.public_url}/")
    say("")


def find_or_make(person: Person) -> User:
    from toprung.web.core.models.people import User

    found = User.objects.filter(email=person.email).first()
    is_organiser = person.role == "organiser"
    return found or User.objects.create_user(person.email, None, name=person.name, may_create_boards=is_organiser)


def make_board(demo: DemoBoard, files: Path, organiser: User) -> Board:
    """The board with its runs, scored, and what its pages show; what organisers see of its validity comes after."""
    from toprung.web.core.models.boards import Board
    from toprung.web.core.queue import examine
    from toprung.web.services.boards.create import create_board
    from toprung.web.services.boards.import_runs import import_runs
    from toprung.web.services.boards.toml import read_board
    from toprung.web.services.claims.settle import settle_board
    from toprung.web.services.data.give import FileSaid, give_file
    from toprung.web.services.results.compute import compute_results
    from toprung.web.services.runs.score import score_submission

    known = demo.known()
    board = Board.objects.filter(slug=demo.slug).first()
    if board is None:
        described = read_board(demo.described.read_bytes(), find_file=lambda name: files / name)
        opened = datetime.combine(min(known.dates().values()), time(), UTC)
        board = create_board(replace(described.plan, opens_at=opened), described.labels, by=organiser)
        board.label_sets.update(published_at=opened, current_since=opened)  # they were there before the first run
    say(f"{board.title}: {len(known.entries)} runs ...")
    if not board.submissions.exists():
        import_runs(board, files / "runs", known, by=organiser)
    if board.results_done == 0:
        for submission in board.submissions.order_by("number"):
            score_submission(submission.pk)
        settle_board(board.pk)
        compute_results(board.pk)
        examine.enqueue(board.pk)
    for kind, name in demo.files:
        if not board.data_files.filter(name=name).exists():
            give_file(board, FileSaid(kind=kind, name=name), files / name, by=organiser)
    if demo.new_labels:
        publish_labels(board, files / demo.new_labels, by=organiser)
    return board


def publish_labels(board: Board, file: Path, *, by: User) -> None:
    """The second version of the official labels, unless it is there."""
    from toprung.web.core.models.labels import LabelUse
    from toprung.web.services.labels.publish import current_version, plan_version, publish

    current = current_version(board, LabelUse.OFFICIAL)
    if current.version == 1:
        changes = "One label in ten was replaced after a second look."
        publish(board, current, plan_version(current, file, file.name), changes=changes, by=by)


def join(person: Person, user: User, boards: Sequence[Board]) -> None:
    """Their role on every board, and their teams."""
    from toprung.web.core.models.boards import BoardRole
    from toprung.web.core.models.people import Membership, Team

    for board in boards:
        BoardRole.objects.get_or_create(board=board, user=user, defaults={"role": person.role})
    for team in Team.objects.filter(name__in=person.teams):
        Membership.objects.get_or_create(team=team, user=user, defaults={"is_owner": True})


if __name__ == "__main__":
    main()
