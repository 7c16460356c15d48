"""Which pairs are worth asking now? The one place that a desk asks, whenever it deals a task."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, islice
from typing import Protocol

from toprung.data.judgments import Pair
from toprung.labels.tasks.desk_records import DeskRecords
from toprung.labels.tasks.draw_order import place_in_draw
from toprung.labels.tasks.questions import VoteNeeds


@dataclass(frozen=True, kw_only=True)
class Chosen:
    """The pairs of a task, no two of a query; repeats fill it up."""

    own: tuple[Pair, ...] = ()
    repeats: tuple[Pair, ...] = ()


class AskingPlan(Protocol):
    """Says which pairs are wanted."""

    def choose(self, desk: DeskRecords, n: int, fits: Callable[[Pair], bool]) -> Chosen:
        """At most so many pairs of different queries, of those that fit an assessor; none if nothing is wanted.

        It follows from the records: ``desk.outcomes_of`` a query are the votes that count, ``desk.pending_of`` it what
        stands in tasks that are still to be done. To take no more time the more pairs there are, a plan reads on in
        ``desk.changes`` from where it was.
        """
        ...


class OpenPairs:
    """Each pair until it is decided; pairs in a task that is still to be done wait for that.

    Pairs with fewest votes come first, otherwise in an order drawn by the seed. A query with so many pairs that each
    task to come needs one of them goes before all others, for no query stands twice in a task. The last task is filled
    with repeats.
    """

    def __init__(self, needs: VoteNeeds, *, seed: int) -> None:
        self._needs = needs
        self._places = {pair: place_in_draw(seed, pair.query_id, pair.a, pair.b) for pair in needs.pairs}
        self._all = sorted(self._places, key=self._places.__getitem__)
        self._waiting = _Waiting()
        self._n_read: int | None = None

    def choose(self, desk: DeskRecords, n: int, fits: Callable[[Pair], bool]) -> Chosen:
        self._catch_up(desk)
        own: dict[str, Pair] = {}
        for pair in chain(self._waiting.pressing(n), self._waiting):
            if len(own) == n:
                break
            if pair.query_id not in own and fits(pair):
                own[pair.query_id] = pair
        is_last = len(own) == len(self._waiting)
        repeats = self._repeats(desk, own, n - len(own), fits) if own and is_last else ()
        return Chosen(own=tuple(own.values()), repeats=tuple(repeats))

    def _repeats(self, desk: DeskRecords, own: dict[str, Pair], n: int, fits: Callable[[Pair], bool]) -> Iterable[Pair]:
        start = 7919 * desk.last_number % len(self._all)  # elsewhere each time
        found: dict[str, Pair] = {}
        for pair in chain(islice(self._all, start, None), islice(self._all, start)):
            if len(found) == n:
                break
            if pair.query_id not in own and fits(pair):
                found.setdefault(pair.query_id, pair)
        return found.values()

    def _catch_up(self, desk: DeskRecords) -> None:
        """With the votes and tasks that came since."""
        if self._n_read is None:
            touched: Iterable[Pair] = self._all
        else:
            changed = dict.fromkeys(islice(desk.changes, self._n_read, None))
            touched = dict.fromkeys(chain.from_iterable(map(self._needs.is_voted_on_by, changed)))
        self._n_read = len(desk.changes)
        for pair in touched:
            if pair in self._places:
                self._look_at(desk, pair)

    def _look_at(self, desk: DeskRecords, pair: Pair) -> None:
        outcome = self._needs.merge(desk.outcomes_of(pair.query_id), (pair.query_id,)).get(pair)
        if pair in desk.pending_of(pair.query_id) or not self._needs.asks(pair, outcome):
            self._waiting.remove(pair)
        else:
            self._waiting.put(pair, (0 if outcome is None else outcome.n, self._places[pair]))


type _Rank = tuple[int, int]


class _Waiting:
    """Pairs in the order of their ranks, all of them and by query."""

    def __init__(self) -> None:
        self._ranks: dict[Pair, _Rank] = {}
        self._ordered: list[tuple[_Rank, Pair]] = []
        self._of_query: defaultdict[str, list[tuple[_Rank, Pair]]] = defaultdict(list)
        self._sizes: Counter[str] = Counter()
        self._by_size: list[tuple[int, str]] = []

    def __len__(self) -> int:
        return len(self._ordered)

    def __iter__(self) -> Iterator[Pair]:
        return (pair for _, pair in self._ordered)

    def put(self, pair: Pair, rank: _Rank) -> None:
        if self._ranks.get(pair) == rank:
            return
        self.remove(pair)
        self._ranks[pair] = rank
        for entries in (self._ordered, self._of_query[pair.query_id]):
            insort(entries, (rank, pair))
        self._resize(pair.query_id, 1)

    def remove(self, pair: Pair) -> None:
        rank = self._ranks.pop(pair, None)
        if rank is not None:
            for entries in (self._ordered, self._of_query[pair.query_id]):
                del entries[bisect_left(entries, (rank, pair))]
            self._resize(pair.query_id, -1)

    def _resize(self, query_id: str, by: int) -> None:
        before = (-self._sizes[query_id], query_id)
        if before[0]:
            del self._by_size[bisect_left(self._by_size, before)]
        self._sizes[query_id] += by
        if self._sizes[query_id]:
            insort(self._by_size, (-self._sizes[query_id], query_id))

    def pressing(self, n: int) -> Iterator[Pair]:
        """The pairs of queries that have one for each task to come."""
        n_tasks = -(-len(self) // n)
        for negative, query_id in list(islice(self._by_size, n)):
            if -negative < n_tasks:
                return
            yield from (pair for _, pair in self._of_query[query_id])
