"""Where may the records of a judging effort lie? Wherever their order is kept and one writes at a time.

A folder of files is one such store (`Effort`), tables of a database are another. Whatever decides (who is offered which
pairs, what counts, what is asked next) reads records and says what to add; it knows nothing of files and tables.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import AbstractContextManager
from typing import Any, Protocol

from toprung.data.judgments import Judgment, Judgments
from toprung.errors import FormatError, InputError

JUDGMENTS = "judgments"


class RecordStore(Protocol):
    """Records by kind, such as ``pools``, ``tasks`` and ``judgments``, which only grow in number; and a manifest."""

    @property
    def manifest(self) -> dict[str, Any]:
        """What the effort as a whole is: its seed, policies and inputs."""
        ...

    def note(self, entries: Mapping[str, Any]) -> None:
        """Put entries into the manifest."""
        ...

    def alone(self) -> AbstractContextManager[None]:
        """Nobody else writes meanwhile, and what others wrote before can be read. Whoever has it may ask for it again.

        What was appended is kept for good when this is left. It may be kept before; if it is left by an exception it
        may also be gone.
        """
        ...

    def read(self, kind: str, *, after: int = 0) -> list[dict[str, Any]]:
        """All records of a kind but the first so many, in the order they were written."""
        ...

    def append(self, kind: str, records: Iterable[Mapping[str, Any]]) -> None:
        """Write records behind those there are."""
        ...

    def name_of(self, kind: str) -> str:
        """What to call the place of a kind of record in messages."""
        ...

    def read_judgments(self) -> Judgments:
        """All judgments ever made here, each once: one that was written again is the same."""
        rows: dict[str, Judgment] = {}
        for number, record in enumerate(self.read(JUDGMENTS), start=1):
            judgment = self.to_judgment(record, number)
            rows.setdefault(judgment.judgment_id, judgment)
        return Judgments.of(rows.values())

    def to_judgment(self, record: dict[str, Any], number: int) -> Judgment:
        """From the record of this number; one that is no judgment is a `FormatError`."""
        try:
            return Judgment.from_record(record)
        except InputError as error:
            source = self.name_of(JUDGMENTS)
            raise FormatError(source=source, line=number, found=str(error), expected="a judgment") from None

    def add_judgments(self, judgments: Iterable[Judgment]) -> None:
        self.append(JUDGMENTS, (each.to_record() for each in judgments))
