"""How is a hosted campaign judged from here? Its desk is asked step by step; every answer has an id, and is kept once.

What was sent and not answered is sent again with the same id: the server keeps it once and replies the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from toprung.client.connection import Connection
from toprung.client.record import Record
from toprung.data.judgments import Choice
from toprung.errors import InputError
from toprung.words.wording import list_names


@dataclass(frozen=True, kw_only=True)
class HostedTask:
    """A task in one's hands, as the server has it."""

    assignment: str
    pay: str
    pairs: tuple[tuple[str, str, str], ...]
    """Question, left, right; none before it is begun."""
    open_slots: tuple[int, ...]
    done: tuple[str, ...]
    """Ids of answers, in the order they were given."""
    n_pairs: int

    @classmethod
    def of(cls, record: Record) -> HostedTask:
        """What the server says, checked: it may be another than one thinks."""
        pairs = tuple((_text(each, "question"), _text(each, "left"), _text(each, "right")) for each in _pairs(record))
        slots = tuple(int(each) for each in record.numbers("open"))
        if pairs and not all(0 <= slot < len(pairs) for slot in slots):
            raise InputError(f"{record.source}: found a pair that is not in its task; expected one of {len(pairs)}.")
        return cls(
            assignment=record.identifier("assignment"),
            pay=record.text("pay"),
            pairs=pairs,
            open_slots=slots,
            done=tuple(each.identifier("id") for each in record.records("done")),
            n_pairs=record.whole("n_pairs"),
        )


def _pairs(record: Record) -> tuple[Record, ...]:
    return record.records("pairs")


def _text(record: Record, name: str) -> str:
    """With its lines: the screen takes out what a terminal would obey."""
    value = record.fields.get(name)
    return value if isinstance(value, str) else record.text(name)


@dataclass(frozen=True, kw_only=True)
class HostedDesk:
    """The desk of one campaign."""

    connection: Connection
    board: str
    name: str

    def look(self) -> Record:
        """Consent text, guidelines, and which step comes next."""
        return self.connection.ask(self._path)

    def consent(self, *, version: int, agree: bool) -> Record:
        return self._post("consent", {"version": version, "agree": agree})

    def try_pair(self, choice: Choice) -> Record:
        return self._post("trial", {"choice": str(choice)})

    def take_task(self) -> HostedTask:
        return HostedTask.of(self._post("task"))

    def start(self) -> HostedTask:
        """The task with its pairs, also one that was begun before."""
        task = HostedTask.of(self._post("task/start"))
        if task.open_slots and not task.pairs:
            raise InputError(f"{self.connection.server}: found a task without its pairs; expected them.")
        return task

    def answer(self, task: HostedTask, slot: int, choice: Choice, *, ms: int) -> str:
        """The id of the answer, kept when this returns."""
        answer_id = uuid4().hex
        sent = {"assignment": task.assignment, "slot": slot, "choice": str(choice), "answer_id": answer_id, "ms": ms}
        self._post("answers", sent)
        return answer_id

    def undo(self, task: HostedTask, answer_id: str) -> None:
        self._post("undo", {"assignment": task.assignment, "answer_id": answer_id})

    def hand_in(self) -> Record:
        return self._post("hand-in")

    def leave(self) -> Record:
        """Give the task back for good; what was answered is paid by its share."""
        return self._post("leave")

    @property
    def _path(self) -> str:
        return f"boards/{self.board}/judging/{self.name}"

    def _post(self, step: str, payload: Mapping[str, Any] | None = None) -> Record:
        return self.connection.ask(f"{self._path}/{step}", method="POST", payload=payload)


def find_desk(connection: Connection, board: str, campaign: str | None) -> HostedDesk:
    """The campaign of this name, or the only one there is."""
    if campaign is not None:
        if not campaign.replace("-", "").replace("_", "").isalnum() or not campaign.isascii():
            raise InputError(f"Found the campaign '{campaign[:60]}'; expected its name, such as second-look.")
        return HostedDesk(connection=connection, board=board, name=campaign)
    names = [each.identifier("name") for each in connection.ask(f"boards/{board}/judging").records("items")]
    if not names:
        raise InputError(f"Found no campaign to judge on {board}; expected one. Nothing is asked there now.")
    if len(names) > 1:
        raise InputError(f"Found {list_names(names)} to judge on {board}; expected one of them: --campaign NAME.")
    return HostedDesk(connection=connection, board=board, name=names[0])
