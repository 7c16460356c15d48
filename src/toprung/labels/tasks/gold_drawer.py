"""Which golds go into the next task? Each as often as the others, none of a query that the task asks about."""

from __future__ import annotations

from collections.abc import Collection, Iterable

import numpy as np

from toprung.data.judgments import Pair
from toprung.errors import InputError
from toprung.labels.tasks.golds import Gold


def too_few_golds(found: int, expected: int) -> InputError:
    return InputError(
        f"Found {found} golds for a task, of queries that the task does not ask about; expected {expected}. "
        "Give more golds, or make tasks of fewer pairs or golds."
    )


class GoldDrawer:
    """Draws from a shuffled pile without putting back; when the pile runs out all golds are shuffled in again."""

    def __init__(self, golds: Iterable[Gold], rng: np.random.Generator) -> None:
        self._golds = sorted(set(golds))
        self._rng = rng
        self._pile: list[Gold] = []

    def draw(self, n: int, *, queries: Collection[str], avoid: Collection[Pair] = ()) -> list[Gold]:
        """So many golds of different queries, none of them among ``queries``; those to avoid only if others lack."""
        taken = self._take(n, set(queries), avoid)
        if len(taken) < n and avoid:
            taken += self._take(n - len(taken), {*queries, *(gold.query_id for gold in taken)}, ())
        if len(taken) < n:
            raise too_few_golds(len(taken), n)
        return taken

    def _take(self, n: int, queries: set[str], avoid: Collection[Pair]) -> list[Gold]:
        taken = self._search_pile(n, queries, avoid)
        if len(taken) < n:
            fresh = [self._golds[place] for place in self._rng.permutation(len(self._golds)).tolist()]
            self._pile = fresh + self._pile
            taken += self._search_pile(n - len(taken), {*queries, *(gold.query_id for gold in taken)}, avoid)
        return taken

    def _search_pile(self, n: int, queries: set[str], avoid: Collection[Pair]) -> list[Gold]:
        """From the top of the pile; what does not fit stays where it is."""
        taken: list[Gold] = []
        place = len(self._pile) - 1
        unfit = set(queries)
        while len(taken) < n and place >= 0:
            gold = self._pile[place]
            is_avoided = bool(avoid) and gold.pair in avoid
            if gold.query_id not in unfit and not is_avoided:
                taken.append(self._pile.pop(place))
                unfit.add(gold.query_id)
            place -= 1
        return taken
