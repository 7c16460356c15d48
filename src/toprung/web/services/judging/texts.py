"""What is an assessor shown? The texts of a query and of two answers; a pair is not asked that cannot be shown so."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Self

from toprung.web.core.models.boards import Board
from toprung.web.core.models.data import TEXT_KINDS, DataFile, FileKind
from toprung.web.core.models.judging import Campaign
from toprung.web.core.store.texts import ToldText, told
from toprung.web.services.judging.showable import ShowablePairs
from toprung.words.visible import spell_hidden

MOST_BOARDS = 8
"""So many a process knows the texts of."""


@dataclass(frozen=True)
class CampaignTexts:
    """The texts of a board, as long as its files stay as they are: two are equal that show the same."""

    board_pk: int
    files: tuple[object, ...]
    """What tells the files apart that texts come from."""

    @classmethod
    def of(cls, campaign: Campaign) -> Self:
        files = DataFile.objects.filter(board=campaign.board_id, kind__in=TEXT_KINDS, n_blocks__gt=0).order_by("pk")
        return cls(campaign.board_id, tuple(files.values_list("pk", "digest", "added_at")))

    @property
    def showable(self) -> ShowablePairs:
        """Which pairs can be shown; what was looked up is remembered."""
        return _showable(self)

    def queries(self, query_ids: Iterable[str]) -> dict[str, ToldText]:
        return self._look_up(FileKind.QUERIES, query_ids)

    def passages(self, doc_ids: Iterable[str]) -> dict[str, ToldText]:
        return self._look_up(FileKind.PASSAGES, doc_ids)

    def _look_up(self, kind: FileKind, ids: Iterable[str]) -> dict[str, ToldText]:
        found = told(Board(pk=self.board_pk), kind, set(ids))
        return {an_id: each._replace(text=to_shown(each.text)) for an_id, each in found.items()}


@lru_cache(maxsize=MOST_BOARDS)
def _showable(texts: CampaignTexts) -> ShowablePairs:
    return ShowablePairs(texts.board_pk)


def to_shown(text: str) -> str:
    r"""A text as it is shown: characters that nobody sees are spelt out, blanks at the ends are gone.

    >>> to_shown(" one\r\ntwo\x00 ")
    'one\ntwo[U+0000]'
    """
    return spell_hidden(text.replace("\r\n", "\n").strip())
