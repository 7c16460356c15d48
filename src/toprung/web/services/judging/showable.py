"""Which pairs can be shown to an assessor? Those whose texts are there and differ; many are looked up at once.

An offer asks of one pair after another. What it is about to ask is looked up beforehand (`expect`), in one look-up of
queries and one of passages: one for each text would take most of the time of an offer, while all others wait.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterable, Mapping
from itertools import islice

from toprung.data.judgments import Pair
from toprung.web.core.models.boards import Board
from toprung.web.core.store import texts as stored

LONGEST_SHOWN = 20_000
"""Characters of a passage: nobody compares two books."""
KNOWN_AT_ONCE = 200_000
"""Texts of which a process remembers whether they can be shown."""
MORE_EACH_TIME = 4

type LookUp = Callable[[Board, Collection[str]], dict[str, str]]
type Asked = Callable[[Callable[[Pair], bool]], object]
"""What asks whether pairs can be shown, as an offer does."""


class ShowablePairs:
    """What is known of a board's texts, for as long as its files stay as they are."""

    def __init__(self, board_pk: int) -> None:
        self._queries = _Marks(board_pk, stored.queries)
        self._passages = _Marks(board_pk, stored.passages)

    def can_show(self, pair: Pair) -> bool:
        """Whether there is a text for the query and for both answers, and the two are not the same."""
        self._learn([pair])
        question = self._queries.of(pair.query_id)
        one, other = self._passages.of(pair.a), self._passages.of(pair.b)
        return None not in (question, one, other) and one != other

    def expect(self, asked: Asked) -> None:
        """Look up whatever is going to be asked.

        What is not known is taken to fit, so that as much is asked as is needed; where it does not fit after all, more
        is looked up the next time, for there may be thousands without a text.
        """
        n_at_least, unknown = 0, self._find_unknown(asked, 0)
        while unknown and n_at_least < KNOWN_AT_ONCE:
            self._learn(unknown)
            n_at_least = MORE_EACH_TIME * max(n_at_least, len(unknown))
            unknown = self._find_unknown(asked, n_at_least)

    def _find_unknown(self, asked: Asked, n_at_least: int) -> list[Pair]:
        found: dict[Pair, None] = {}

        def guess(pair: Pair) -> bool:
            if self._knows(pair):
                return self.can_show(pair)
            found.setdefault(pair)
            return len(found) > n_at_least

        asked(guess)
        return list(found)

    def _knows(self, pair: Pair) -> bool:
        return self._queries.knows(pair.query_id) and self._passages.knows(pair.a) and self._passages.knows(pair.b)

    def _learn(self, pairs: Collection[Pair]) -> None:
        self._queries.learn(pair.query_id for pair in pairs)
        self._passages.learn(each for pair in pairs for each in (pair.a, pair.b))


class _Marks:
    """Of each text that was looked up what tells it from others; None where there is none that can be shown."""

    def __init__(self, board_pk: int, look_up: LookUp) -> None:
        self._board_pk = board_pk
        self._look_up = look_up
        self._known: dict[str, int | None] = {}
        self._changing = threading.Lock()

    def knows(self, an_id: str) -> bool:
        return an_id in self._known

    def of(self, an_id: str) -> int | None:
        return self._known.get(an_id)

    def learn(self, ids: Iterable[str]) -> None:
        wanted = set(ids)
        new = {an_id for an_id in wanted if an_id not in self._known}
        if not new:
            return
        found = self._look_up(Board(pk=self._board_pk), new)
        with self._changing:  # campaigns of one board are asked about at the same time
            self._known |= {an_id: _mark(found.get(an_id, "")) for an_id in new}
            oldest = list(islice(self._known, max(0, len(self._known) - KNOWN_AT_ONCE)))
            for an_id in oldest:
                if an_id not in wanted:  # the other text of a pair may have been known for long
                    del self._known[an_id]


def _mark(text: str) -> int | None:
    """Equal for texts that differ in blanks alone."""
    words = words_shown(text)
    return hash(words) if words else None


def words_shown(text: str) -> str:
    """What tells a text from others: its words, without how many blanks are between; nothing of what is a book."""
    words = " ".join(text.split())
    return words if len(words) <= LONGEST_SHOWN else ""


def texts_shown(texts: Mapping[str, str]) -> dict[str, str]:
    """Of texts that an assessor can be shown what tells them from others, by their ids."""
    return {an_id: words for an_id, text in texts.items() if (words := words_shown(text))}
