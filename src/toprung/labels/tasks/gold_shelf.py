"""Which golds go into a task that is dealt now? Those used least, that this assessor has not seen."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Callable, Collection, Iterator

from toprung.data.judgments import Pair
from toprung.labels.tasks.desk_records import DeskRecords
from toprung.labels.tasks.draw_order import place_in_draw
from toprung.labels.tasks.golds import Gold


class GoldShelf:
    """All golds of a desk, those used least in front, in an order drawn by the seed."""

    def __init__(self, *, seed: int) -> None:
        self._seed = seed
        self._golds: dict[Pair, Gold] = {}
        self._entries: dict[Pair, tuple[int, int, Pair]] = {}
        self._ordered: list[tuple[int, int, Pair]] = []
        self._n_golds = self._n_tasks = 0

    def queries(self, desk: DeskRecords) -> set[str]:
        """Those that golds are of."""
        self._catch_up(desk)
        return {pair.query_id for pair in self._golds}

    def draw(
        self,
        desk: DeskRecords,
        n: int,
        *,
        queries: Collection[str],
        seen: Collection[Pair],
        can_show: Callable[[Pair], bool] = lambda _: True,
    ) -> list[Gold]:
        """So many golds of different queries, or fewer if there are not so many; those seen only if others lack."""
        self._catch_up(desk)
        taken: dict[str, Gold] = {}
        for fits in (lambda pair: pair not in seen, lambda _: True):
            for gold in self._fitting(fits):
                if len(taken) == n:
                    return list(taken.values())
                if gold.query_id not in queries and can_show(gold.pair):
                    taken.setdefault(gold.query_id, gold)
        return list(taken.values())

    def _fitting(self, fits: Callable[[Pair], bool]) -> Iterator[Gold]:
        return (self._golds[pair] for *_, pair in self._ordered if fits(pair))

    def _catch_up(self, desk: DeskRecords) -> None:
        """With the golds and tasks that came since."""
        for gold in desk.golds[self._n_golds :]:
            if gold.pair not in self._golds:
                self._golds[gold.pair] = gold
                self._put((0, place_in_draw(self._seed, "gold", gold.query_id, gold.good, gold.bad), gold.pair))
        for task in desk.dealt[self._n_tasks :]:
            for pair in task.golds:
                self._count_use(pair)
        self._n_golds, self._n_tasks = len(desk.golds), len(desk.dealt)

    def _put(self, entry: tuple[int, int, Pair]) -> None:
        self._entries[entry[-1]] = entry
        insort(self._ordered, entry)

    def _count_use(self, pair: Pair) -> None:
        entry = self._entries.get(pair)
        if entry is not None:
            del self._ordered[bisect_left(self._ordered, entry)]
            self._put((entry[0] + 1, *entry[1:]))
