"""Which pairs may change what is believed to be best? Asked anew at every offer, of what is known by then."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import islice

import numpy as np

from toprung.data.judgments import Pair
from toprung.labels.doubt.prior import StrengthPrior, estimate_prior
from toprung.labels.plans.agenda import Agenda
from toprung.labels.plans.ask import Finish, fits_all
from toprung.labels.plans.plan import AdaptivePlan
from toprung.labels.pools.pool import Pool
from toprung.labels.tasks.asking import Chosen
from toprung.labels.tasks.desk_records import DeskRecords
from toprung.labels.tasks.open_pairs import OpenPairs
from toprung.labels.tasks.questions import VoteNeeds
from toprung.labels.tasks.task import Task


class DoubtfulPairs:
    """Pairs of audits and challenges as ever, and of each query whose best answer is in doubt the pair that tells most.

    λ is estimated anew when the number of a task is a power of two, and stands in each task, so that another process
    goes on with the same: same records, same offers.
    """

    def __init__(self, plan: AdaptivePlan, pools: Sequence[Pool], needs: VoteNeeds, *, seed: int) -> None:
        self._plan = plan
        self._pools = {pool.query_id: pool for pool in pools}
        self._others = OpenPairs(needs, needs.beside_pools(), seed=seed)
        self._seed = seed
        self._agenda: Agenda | None = None
        self._n_read = 0

    def wants(self, desk: DeskRecords, task: Task) -> bool:
        agenda = self._catch_up(desk)
        is_asked = any(agenda.asks(pair.query_id) for pair in task.pairs if pair.query_id in self._pools)
        return is_asked or self._others.wants(desk, task)

    def choose(self, desk: DeskRecords, n: int, fits: Callable[[Pair], bool] = fits_all) -> Chosen:
        first = self._others.choose(desk, n, fits).own
        taken = {pair.query_id for pair in first}
        agenda = self._catch_up(desk)
        rest = agenda.choose(
            n - len(first),
            rng=np.random.default_rng([self._seed, desk.last_number, 2]),
            fits=lambda pair: pair.query_id not in taken and fits(pair),
        )
        return Chosen(own=(*first, *rest), penalty=agenda.prior.penalty)

    def waiting(self, desk: DeskRecords) -> dict[Pair, int]:
        rng = np.random.default_rng([self._seed, desk.last_number, 2])
        doubtful = self._catch_up(desk).choose(len(self._pools), rng=rng)
        return self._others.waiting(desk) | dict.fromkeys(doubtful, 1)

    def finished(self, desk: DeskRecords) -> Counter[Finish | None]:
        """How many queries are finished, by why; those that are not under None."""
        return self._catch_up(desk).finished()

    def _catch_up(self, desk: DeskRecords) -> Agenda:
        """With the votes and tasks that came since."""
        changed = {pair.query_id for pair in islice(desk.changes, self._n_read, None)}
        self._n_read = len(desk.changes)
        prior = self._find_prior(desk) if changed or self._agenda is None else self._agenda.prior
        if self._agenda is None or prior != self._agenda.prior:
            self._agenda = self._make_agenda(desk, prior)
        else:
            touched = sorted(changed & self._pools.keys())
            self._agenda.update(
                {query_id: desk.outcomes_of(query_id) for query_id in touched},
                {query_id: self._pending_of(desk, query_id) for query_id in touched},
            )
        return self._agenda

    def _find_prior(self, desk: DeskRecords) -> StrengthPrior:
        number = desk.last_number + 1
        if desk.penalty is None or number.bit_count() == 1:
            return StrengthPrior(penalty=estimate_prior(desk.outcomes()).penalty)
        return StrengthPrior(penalty=desk.penalty)

    def _make_agenda(self, desk: DeskRecords, prior: StrengthPrior) -> Agenda:
        pending = {pair: n for each in self._pools for pair, n in self._pending_of(desk, each).items()}
        return Agenda(self._plan, self._pools.values(), desk.outcomes(), pending=pending, prior=prior, seed=self._seed)

    def _pending_of(self, desk: DeskRecords, query_id: str) -> dict[Pair, int]:
        """Those of the pool: an audit of its answers tells the plan nothing it waits for."""
        items = set(self._pools[query_id].items)
        return {pair: n for pair, n in desk.pending_of(query_id).items() if {pair.a, pair.b} <= items}
