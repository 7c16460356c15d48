"""Was it submitted? Once, whatever the line does: each attempt has a key, by which the server knows it again."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from dataclasses import dataclass

from toprung.client.connection import BrokenError, Connection, ServerRefusedError
from toprung.client.record import Record
from toprung.data.run_card import RunCard
from toprung.errors import InputError

PAGE = 100
MOST_RUNS = 10_000


def runs_of(connection: Connection, board: str, team: str | None) -> Iterator[Record]:
    """The runs of a team, or of all one's teams, also those that are not on the board yet."""
    yield from list_all(connection, f"boards/{board}/runs", {"team": team}, most=MOST_RUNS)


def list_all(connection: Connection, path: str, query: dict[str, str | int | None], *, most: int) -> Iterator[Record]:
    """The items of a list, page by page, up to so many."""
    offset = 0
    while offset < most:
        page = connection.ask(path, query={**query, "limit": min(PAGE, most - offset), "offset": offset})
        items = page.records("items")
        yield from items
        offset += len(items)
        if not items or offset >= page.whole("count"):
            return


@dataclass(frozen=True, kw_only=True)
class Submitting:
    """A run that is to be: on which board, for which team, with which card."""

    connection: Connection
    board: str
    team: str
    card: RunCard

    @property
    def address(self) -> str:
        """Of the board, which commands take as its name wherever they are typed."""
        return f"{self.connection.server}/b/{self.board}/"

    def check_card(self) -> None:
        """What the server would only say after the file has arrived: no description, or a name that the team used."""
        if not self.card.description:
            raise InputError("Found no description; expected one in --meta, that says what is new in this run.")
        for run in runs_of(self.connection, self.board, self.team):
            label = run.text("label")
            if run.text("name").casefold() == self.card.name.casefold():
                raise InputError(
                    f"Name: found '{self.card.name}', which {label} of your team has; expected a new name. "
                    f"To see how {label} is: toprung status {self.address} {label}"
                )

    def submit(self, file: str) -> Record:
        """Submit a file; where the answer is lost it is asked again under the same key, and counted once."""
        key, failed = secrets.token_urlsafe(24), 0
        while True:
            try:
                return self._post(file, key)
            except BrokenError as error:
                broken = error
            failed += 1
            if failed >= self.connection.backoff.tries:
                raise InputError(f"{broken} {self.say_unknown()}")
            try:
                self.connection.wait(failed, broken)
            except InputError as error:
                raise InputError(f"{error} {self.say_unknown()}") from None

    def _post(self, file: str, key: str) -> Record:
        payload = {"file": file, **self.card.to_json()}
        try:
            return self.connection.ask_once(
                f"boards/{self.board}/runs", method="POST", payload=payload, headers={"Idempotency-Key": key}
            )
        except ServerRefusedError as error:
            if error.status < 500:
                raise
            raise BrokenError(str(error)) from None

    def say_unknown(self) -> str:
        return f"Whether the run was submitted is not known; this tells: toprung status {self.address}"
