"""What did a judge answer so far? Every answer to every order of a pair, as the state keeps it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Self

from toprung.data.judgments import Choice
from toprung.errors import FormatError, InputError
from toprung.labels.effort.effort import Effort
from toprung.labels.tasks.protocol import Answer, storable
from toprung.labels.tasks.questions import Question

ANSWERS = "answers"
INVALID = "invalid"

type Order = tuple[str, str, str]
"""Query, left, right."""


def orders_of(question: Question, *, both: bool) -> list[Order]:
    """As it is shown, and of a judge of both orders the other way round too."""
    shown = (question.query_id, question.left, question.right)
    return [shown, (question.query_id, question.right, question.left)] if both else [shown]


@dataclass(kw_only=True)
class Answered:
    """The answers of one judge, and the money they cost, in this sitting and before."""

    choices: dict[Order, Choice | None] = field(default_factory=dict)
    """The last answer to each order; None if it is invalid."""
    n_invalid: Counter[Order] = field(default_factory=Counter)
    """How often each was invalid."""
    refused: set[Order] = field(default_factory=set)
    """Those that asking again cannot help."""
    spent: float = 0.0
    dearest: float = 0.0

    @classmethod
    def read(cls, effort: Effort, assessor: str) -> Self:
        """What is on disk."""
        found = cls()
        for number, record in enumerate(effort.read(ANSWERS), start=1):
            try:
                if record["assessor"] == assessor:
                    choice = None if record["choice"] == INVALID else Choice(record["choice"])
                    order = (record["query_id"], record["left"], record["right"])
                    found.add(order, choice, float(record.get("cost", 0)), is_final=bool(record.get("is_final")))
            except (KeyError, ValueError, TypeError, OverflowError):
                source = str(effort.path_of(ANSWERS))
                raise FormatError(source=source, line=number, found=str(record)[:200], expected="an answer") from None
        return found

    def add(self, order: Order, choice: Choice | None, cost: float, *, is_final: bool = False) -> None:
        self.choices[order] = choice
        self.n_invalid[order] += choice is None
        self.spent += cost
        self.dearest = max(self.dearest, cost)
        if is_final:
            self.refused.add(order)

    def is_open(self, order: Order, *, ask_again: int) -> bool:
        """Whether an order is to be asked: it has no answer, or none that is valid in so many tries more."""
        if order not in self.choices:
            return True
        is_invalid = self.choices[order] is None and order not in self.refused
        return is_invalid and self.n_invalid[order] <= ask_again


def checked(record: dict[str, Any]) -> dict[str, Any]:
    """The record of an answer, if it is one."""
    if not all(isinstance(record.get(name), str) for name in ("assessor", "query_id", "left", "right", "choice")):
        raise InputError(f"{str(record)[:200]}, which is no answer")
    return record


def to_record(assessor: str, order: Order, answer: Answer) -> dict[str, Any]:
    """As a line of JSONL holds it: without what is not known."""
    query_id, left, right = order
    choice = INVALID if answer.choice is None else str(answer.choice)
    record = {"assessor": assessor, "query_id": query_id, "left": left, "right": right, "choice": choice}
    known = {
        "tokens_in": answer.tokens_in,
        "tokens_out": answer.tokens_out,
        "cost": answer.cost,
        "is_final": answer.is_final,
        "raw": storable(answer.raw),
    }
    return record | {name: value for name, value in known.items() if value}
