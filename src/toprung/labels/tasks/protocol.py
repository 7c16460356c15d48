"""What is a judge? Whoever is shown a query and two answers and says which is better."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from toprung.data.judgments import AssessorKind, Choice
from toprung.errors import ToprungError


@dataclass(frozen=True, slots=True)
class Text:
    """A query or an answer. The id is for files of answers: nobody who judges is shown it."""

    an_id: str
    text: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Answer:
    """What a judge said. Without a choice it is invalid, which is never a vote; ``raw`` is kept to be looked up."""

    choice: Choice | None
    tokens_in: int = 0
    tokens_out: int = 0
    cost: float = 0.0
    is_metered: bool = True
    """Whether tokens and cost are known; a budget cannot be held without."""
    raw: str = ""
    is_final: bool = False
    """Whether asking again cannot help: the judge refuses this pair."""


MOST_TOKENS = 10**12
"""No answer takes so many; what claims to is not believed."""


def read_count(value: object) -> int | None:
    """The number of tokens that a judge claims; None if it cannot be one."""
    if not isinstance(value, int) or isinstance(value, bool):
        return None
    return value if 0 <= value < MOST_TOKENS else None


def storable(text: str) -> str:
    r"""The text with a mark for what no file can hold: half a character, which JSON can escape.

    >>> storable("a\ud800b")
    'a?b'
    """
    return text.encode(errors="replace").decode()


class Judge(Protocol):
    """Compares two answers to a query.

    A judge whose ``asks_both_orders`` is asked each pair twice, the second time with the sides swapped; if the two
    answers disagree the pair is a tie.
    """

    @property
    def name(self) -> str:
        """The assessor that its judgments are of."""
        ...

    @property
    def kind(self) -> AssessorKind: ...

    @property
    def asks_both_orders(self) -> bool: ...

    def compare(self, query: Text, left: Text, right: Text) -> Answer:
        """Which of the two answers the query better; `NoAnswerError` if the judge could not be reached."""
        ...


class NoAnswerError(ToprungError):
    """The judge gave no answer to this pair, which stays open; others may still be answered."""


class JudgeStoppedError(ToprungError):
    """The judge answers nothing more: a wrong key, a program that cannot be started, a budget that is spent."""


class UndoError(Exception):
    """A person wants the last answer back."""


class QuitError(Exception):
    """A person wants to stop."""


class LeaveError(Exception):
    """A person wants to be rid of the task for good."""
