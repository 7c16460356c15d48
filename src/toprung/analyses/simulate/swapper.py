"""Who attacks? Someone who chooses, query by query, between two documents, and hears only what is shown.

One of the two is what the labels call relevant. With it first a query scores 1, else ½ as RR does, or 0 where the
other document counts for nothing. On new queries every such run deserves the mean of the two; all that is above is
gained from the answers. Each run may come from another account, so a ladder for each team starts as often as there are
accounts; the ladder of the board stands where it is said to start.
"""

from __future__ import annotations

import numpy as np

from toprung.boards.disclosure.luck import HALF
from toprung.boards.disclosure.release import Ladder, Release
from toprung.stats.finding import MEAN_DIGITS
from toprung.stats.inputs import Bools, Floats

FIRST = 1.0


class Swapper:
    """An attacker on so many queries; ``start`` is the best of the board, as a share of what the attacker deserves."""

    def __init__(
        self,
        n_queries: int,
        release: Release,
        *,
        accounts: int,
        rng: np.random.Generator,
        spread: float = HALF,
        start: float = 1.0,
    ) -> None:
        self.n_queries = n_queries
        self.second = FIRST - spread
        self.deserved = (FIRST + self.second) / 2
        self.start = start * self.deserved
        self._lots = rng.spawn(1)[0]
        self._is_first: Bools = rng.random(n_queries) < 0.5
        on_hidden = release.on_hidden(n_queries, spread=spread)
        self.needed = on_hidden.needed if isinstance(on_hidden, Ladder) else on_hidden.grid
        self._ladders = [on_hidden] * (1 if on_hidden.is_of_board else accounts)
        if on_hidden.is_of_board:
            self._ladders = [on_hidden.show(self.start)[1]]
        self._sent = 0

    def submit(self, picks: Bools, answered: Bools | None = None, *, is_alone: bool = False) -> float | None:
        """From the next account in turn; queries that are not answered score 0.

        ``is_alone``: the other document is left out, so that a query whose pick is wrong scores 0 as well.
        """
        per_query = np.where(picks == self._is_first, FIRST, 0.0 if is_alone else self.second)
        per_query = per_query if answered is None else np.where(answered, per_query, 0.0)
        whose = self._sent % len(self._ladders)
        self._sent += 1
        ladder = self._ladders[whose].drawing(float(self._lots.standard_normal()))
        told, self._ladders[whose] = ladder.show(_mean(per_query), per_query)
        return told.shown

    def gain(self, picks: Bools) -> float:
        """Of a run with both documents on every query."""
        return _mean(np.where(picks == self._is_first, FIRST, self.second)) - self.deserved


def _mean(per_query: Floats) -> float:
    return round(float(per_query.mean()), MEAN_DIGITS)
