"""Serves the reconstruction as a board: 13 dated runs, teams, an embargo, and a login link for everyone who may come.

The runs go the way of all runs of the past: imported, checked, scored and settled in the order of their dates. The
dates of runs.csv are moved so that the last run came a few days ago: embargoes and quotas are about days that are near.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass, replace
from datetime import UTC, datetime, time, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from demo.build import main as build_files

from toprung.data.formats.tables.metadata_files import read_metadata
from toprung.data.run_metadata import Metadata
from toprung.errors import ToprungError
from toprung.web.core.config.environment import Environment
from toprung.web.ops.organisers import login_link
from toprung.web.ops.serve import Serving, serve

if TYPE_CHECKING:
    from toprung.web.core.models.boards import Board
    from toprung.web.core.models.people import User

HERE = Path(__file__).parent
SLUG = "reconstruction"
N_DEV = 200
"""Of the private queries, those whose labels are public here, for dry runs."""
DAYS_SINCE_LAST = 12
EMBARGOED = "R12"
EMBARGO_DAYS = 180


@dataclass(frozen=True, kw_only=True)
class Person:
    """Somebody who comes to the demo."""

    name: str
    comes_as: str
    role: str = ""
    teams: tuple[str, ...] = ()

    @property
    def email(self) -> str:
        return f"{self.name.lower()}@demo.invalid"


PEOPLE = (
    Person(name="Olga", comes_as="organiser", role="organiser"),
    Person(name="Pia", comes_as="participant of teams A and E", role="participant", teams=("team A", "team E")),
    Person(name="Tom", comes_as="participant of team B", role="participant", teams=("team B",)),
    Person(name="Asa", comes_as="assessor", role="assessor"),
    Person(name="Vera", comes_as="viewer", role="viewer"),
)


def main() -> None:
    asked = read_arguments()
    say("Building run files and labels ...")
    build_files(asked.files)
    split_labels(asked.files)
    serving = Serving(
        data_folder=asked.data, host="127.0.0.1", port=asked.port, organiser=PEOPLE[0].email, processes=asked.processes
    )
    try:
        sys.exit(serve(serving, say=say, prepare=lambda environment: prepare(environment, asked.files)))
    except ToprungError as error:
        sys.exit(f"{error} (make demo PORT=8001 takes another port)" if "port" in str(error) else str(error))


def read_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=Path, default=Path("build/demo"), help="where run files and labels lie")
    parser.add_argument("--data", type=Path, default=Path("build/demo/board"), help="the data folder of the board")
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--processes", type=int, default=2)
    return parser.parse_args()


def say(line: str) -> None:
    print(line, flush=True)


def split_labels(folder: Path) -> None:
    """The first of the private queries are for dry runs, the others stay private."""
    lines = (folder / "private.qrels").read_text().splitlines(keepends=True)
    (folder / "dev-queries.qrels").write_text("".join(lines[:N_DEV]))
    (folder / "private-queries.qrels").write_text("".join(lines[N_DEV:]))


def prepare(environment: Environment, files: Path) -> None:
    """The board, unless it is there, and a link for everyone; what was cut short is gone on with."""
    people = {person: find_or_make(person) for person in PEOPLE}
    make_board(files, people[PEOPLE[0]])
    for person, user in people.items():
        join(person, user)
    say("")
    say("Come in as (each link works once, for a day; more: toprung login-link EMAIL):")
    width = max(len(person.comes_as) for person in PEOPLE)
    for person, user in people.items():
        say(f"  {person.comes_as:<{width}}  {login_link(environment, user)}")
    say(f"  {'anybody':<{width}}  {environment.public_url}/b/{SLUG}/")
    say("")


def find_or_make(person: Person) -> User:
    from toprung.web.core.models.people import User

    found = User.objects.filter(email=person.email).first()
    is_organiser = person.role == "organiser"
    return found or User.objects.create_user(person.email, None, name=person.name, may_create_boards=is_organiser)


def make_board(files: Path, organiser: User) -> Board:
    """The board with its runs, scored, and what its pages show; what organisers see of its validity comes after."""
    from toprung.web.core.models.boards import Board
    from toprung.web.core.queue import examine
    from toprung.web.services.boards.create import create_board
    from toprung.web.services.boards.import_runs import import_runs
    from toprung.web.services.boards.toml import read_board
    from toprung.web.services.claims.settle import settle_board
    from toprung.web.services.results.compute import compute_results
    from toprung.web.services.runs.score import score_submission

    board = Board.objects.filter(slug=SLUG).first()
    if board is None:
        described = read_board((HERE / "board.toml").read_bytes(), find_file=lambda name: files / name)
        opened = datetime.combine(min(known_of_runs().dates().values()), time(), UTC)
        board = create_board(replace(described.plan, opens_at=opened), described.labels, by=organiser)
    if not board.submissions.exists():
        say("Importing 13 runs ...")
        import_runs(board, files / "runs", known_of_runs(), by=organiser)
    if board.results_done == 0:
        say("Scoring them, and computing what the pages show ...")
        for submission in board.submissions.order_by("number"):
            score_submission(submission.pk)
        settle_board(board.pk)
        compute_results(board.pk)
        examine.enqueue(board.pk)
    return board


def known_of_runs() -> Metadata:
    """As runs.csv says it, moved to these days; all are submissions, so that their labels are their names."""
    known = read_metadata(HERE / "runs.csv")
    last = max(known.dates().values())
    moved_by = datetime.now(UTC).date() - timedelta(days=DAYS_SINCE_LAST) - last
    until = datetime.now(UTC).date() + timedelta(days=EMBARGO_DAYS)
    entries = [
        replace(
            entry,
            date=entry.date + moved_by,
            is_baseline=False,
            anonymous_until=until if entry.name == EMBARGOED else None,
        )
        for entry in known.entries
        if entry.date is not None
    ]
    return replace(known, entries=tuple(entries))


def join(person: Person, user: User) -> None:
    """Their role and their teams."""
    from toprung.web.core.models.boards import Board, BoardRole
    from toprung.web.core.models.people import Membership, Team

    if person.role:
        BoardRole.objects.get_or_create(board=Board.objects.get(slug=SLUG), user=user, defaults={"role": person.role})
    for team in Team.objects.filter(name__in=person.teams):
        Membership.objects.get_or_create(team=team, user=user, defaults={"is_owner": True})


if __name__ == "__main__":
    main()
