"""From where are results computed, and may they be stored? Not where newer ones are, or the labels are not in use."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from django.utils import timezone

from toprung.web.core.models.boards import Board
from toprung.web.core.models.labels import LabelSet
from toprung.web.core.models.results import Audience
from toprung.web.core.models.runs import Submission
from toprung.web.core.store.locks import lock_board


class OvertakenError(Exception):
    """There are newer results, or the labels are no more those of the board: these are of no use."""


def store_unless_newer(
    board: Board,
    kind: str,
    audience: Audience,
    content: dict[str, Any],
    *,
    generation: int,
    labels_version: int = 0,
    key: str = "",
    made_of: str = "",
) -> None:
    """Store a result by itself; not over that of who began later and was faster."""
    which: dict[str, Any] = {"labels_version": labels_version, "kind": kind, "key": key, "audience": audience}
    made = {"content": content, "generation": generation, "made_of": made_of, "computed_at": timezone.now()}
    with lock_board(board.pk) as locked:
        if not locked.results.filter(**which, generation__gt=generation).exists():
            locked.results.update_or_create(**which, defaults=made)


@dataclass(frozen=True, kw_only=True)
class Computation:
    """What results are computed from: the board as it is, or as it will be under labels that are being prepared."""

    board: Board
    labels: LabelSet
    submissions: Sequence[Submission]
    """With their scores under the labels."""
    generation: int
    """The board's `results_due` when this was gathered."""

    @property
    def version(self) -> int:
        return self.labels.version

    @contextmanager
    def keep(self) -> Iterator[None]:
        """Store in here: the board is locked, and an OvertakenError is raised where there is newer to see."""
        with lock_board(self.board.pk) as board:
            of_version = board.results.filter(kind="board", labels_version=self.version)
            in_use = board.label_sets.filter(pk=self.labels.pk, superseded_at=None, given_up_at=None)
            if board.is_final or of_version.filter(generation__gt=self.generation).exists() or not in_use.exists():
                raise OvertakenError
            yield

    def store(
        self, kind: str, audience: Audience, content: dict[str, Any], *, key: str = "", made_of: str = ""
    ) -> None:
        made = {"content": content, "generation": self.generation, "made_of": made_of, "computed_at": timezone.now()}
        self.board.results.update_or_create(
            labels_version=self.version, kind=kind, key=key, audience=audience, defaults=made
        )
