"""Which pairs are worth asking now? The one place that a desk asks, whenever it deals a task."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from toprung.data.judgments import Pair
from toprung.labels.tasks.desk_records import DeskRecords
from toprung.labels.tasks.task import Task


@dataclass(frozen=True, kw_only=True)
class Chosen:
    """The pairs of a task, no two of a query; repeats fill it up."""

    own: tuple[Pair, ...] = ()
    repeats: tuple[Pair, ...] = ()
    penalty: float | None = None
    """λ of the strengths that they were chosen by."""


class AskingPlan(Protocol):
    """Says which pairs are wanted."""

    def waiting(self, desk: DeskRecords) -> dict[Pair, int]:
        """The pairs that would be asked if everyone came now, each with how many votes on it."""
        ...

    def wants(self, desk: DeskRecords, task: Task) -> bool:
        """Whether a task that was dealt and nobody has is still worth doing."""
        ...

    def choose(self, desk: DeskRecords, n: int, fits: Callable[[Pair], bool]) -> Chosen:
        """At most so many pairs of different queries, of those that fit an assessor; none if nothing is wanted.

        It follows from the records: ``desk.outcomes_of`` a query are the votes that count, ``desk.pending_of`` it what
        stands in tasks that are still to be done. To take no more time the more pairs there are, a plan reads on in
        ``desk.changes`` from where it was.
        """
        ...
