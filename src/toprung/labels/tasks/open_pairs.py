"""Which pairs lack votes that a plan asks for? Each pair so many times."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice

from toprung.data.judgments import Pair
from toprung.labels.tasks.asking import Chosen
from toprung.labels.tasks.desk_records import DeskRecords
from toprung.labels.tasks.draw_order import place_in_draw
from toprung.labels.tasks.questions import VoteNeeds
from toprung.labels.tasks.task import Task
from toprung.labels.votes.outcomes import PairOutcome


class OpenPairs:
    """Each pair until it has the votes that are planned and is decided; a task that is still to be done is a vote.

    Pairs with fewest votes come first, otherwise in an order drawn by the seed. A query with so many pairs that each
    task to come needs one of them goes before all others, for no query stands twice in a task. The last task is filled
    with repeats.
    """

    def __init__(self, needs: VoteNeeds, pairs: Iterable[Pair], *, seed: int) -> None:
        self._needs = needs
        self._places = {pair: place_in_draw(seed, pair.query_id, pair.a, pair.b) for pair in pairs}
        self._all = sorted(self._places, key=self._places.__getitem__)
        self._waiting = _Waiting()
        self._n_read: int | None = None

    def waiting(self, desk: DeskRecords) -> dict[Pair, int]:
        self._catch_up(desk)
        return self._waiting.lacking()

    def wants(self, desk: DeskRecords, task: Task) -> bool:
        """Some vote on its pairs is lacking, the one that it is waited for among them."""
        return any(self._n_lacking(desk, pair) >= 0 for pair in task.pairs if pair in self._places)

    def choose(self, desk: DeskRecords, n: int, fits: Callable[[Pair], bool]) -> Chosen:
        self._catch_up(desk)
        own: dict[str, Pair] = {}
        for pair in chain(self._waiting.pressing(n), self._waiting):
            if len(own) == n:
                break
            if pair.query_id not in own and fits(pair):
                own[pair.query_id] = pair
        is_last = len(own) == self._waiting.n_votes
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
        n_lacking = self._n_lacking(desk, pair)
        if n_lacking <= 0:
            self._waiting.remove(pair)
        else:
            outcome = self._outcome_of(desk, pair)
            n_before = desk.pending_of(pair.query_id).get(pair, 0) + (0 if outcome is None else outcome.n)
            self._waiting.put(pair, (n_before, self._places[pair]), n_lacking)

    def _n_lacking(self, desk: DeskRecords, pair: Pair) -> int:
        """Votes that no task is to bring; below 0 where tasks bring more than are lacking."""
        pending = desk.pending_of(pair.query_id).get(pair, 0)
        return self._needs.lacking(pair, self._outcome_of(desk, pair)) - pending

    def _outcome_of(self, desk: DeskRecords, pair: Pair) -> PairOutcome | None:
        return self._needs.merge(desk.outcomes_of(pair.query_id), (pair.query_id,)).get(pair)


type _Rank = tuple[int, int]


class _Waiting:
    """Pairs in the order of their ranks, all of them and by query, and how many votes they lack."""

    def __init__(self) -> None:
        self.n_votes = 0
        self._entries: dict[Pair, tuple[_Rank, int]] = {}
        self._ordered: list[tuple[_Rank, Pair]] = []
        self._of_query: defaultdict[str, list[tuple[_Rank, Pair]]] = defaultdict(list)
        self._sizes: Counter[str] = Counter()
        self._by_size: list[tuple[int, str]] = []

    def __iter__(self) -> Iterator[Pair]:
        return (pair for _, pair in self._ordered)

    def lacking(self) -> dict[Pair, int]:
        return {pair: self._entries[pair][1] for pair in self}

    def put(self, pair: Pair, rank: _Rank, n_votes: int) -> None:
        if self._entries.get(pair) == (rank, n_votes):
            return
        self.remove(pair)
        self._entries[pair] = (rank, n_votes)
        for entries in (self._ordered, self._of_query[pair.query_id]):
            insort(entries, (rank, pair))
        self._resize(pair.query_id, n_votes)

    def remove(self, pair: Pair) -> None:
        entry = self._entries.pop(pair, None)
        if entry is not None:
            rank, n_votes = entry
            for entries in (self._ordered, self._of_query[pair.query_id]):
                del entries[bisect_left(entries, (rank, pair))]
            self._resize(pair.query_id, -n_votes)

    def _resize(self, query_id: str, by: int) -> None:
        before = (-self._sizes[query_id], query_id)
        if before[0]:
            del self._by_size[bisect_left(self._by_size, before)]
        self.n_votes += by
        self._sizes[query_id] += by
        if self._sizes[query_id]:
            insort(self._by_size, (-self._sizes[query_id], query_id))

    def pressing(self, n: int) -> Iterator[Pair]:
        """The pairs of queries that lack a vote for each task to come."""
        n_tasks = -(-self.n_votes // n)
        for negative, query_id in list(islice(self._by_size, n)):
            if -negative < n_tasks:
                return
            yield from (pair for _, pair in self._of_query[query_id])
