"""Which answer is best? A tournament over the pairs of a pool, held again among the leaders until one is left.

If all that remain have the same number of wins they go round in a cycle, and all are kept. A query whose leaders have
a pair that nobody judged gets no label: the pair is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from toprung.data.judgments import Pair
from toprung.labels.pools.pool import Pool
from toprung.labels.votes.outcomes import PairOutcome

TIED = 0.5
HALF_WINS = 2
"""Wins are counted in halves, so that they are whole numbers, and their sums exact."""

type Wins = Callable[[str, str], float | None]
"""How much of the pair the first item wins: 1, ½ or 0; None if nobody judged it."""


@dataclass(frozen=True, kw_only=True)
class BestAnswers:
    """The best answers of one query, by whichever rule; none while ``missing`` pairs stand in the way."""

    query_id: str
    best: tuple[str, ...]
    missing: tuple[Pair, ...] = ()
    rounds: int = 0
    is_incomplete: bool = False
    """Whether pairs were not judged, and the others decided."""
    is_unsure: bool = False
    """Whether there are votes, and none is best because the likeliest is not likely enough."""

    @property
    def is_cycle(self) -> bool:
        """Whether several answers are best: they beat each other in a circle, or tie."""
        return len(self.best) > 1

    @property
    def is_settled(self) -> bool:
        return bool(self.best)


def hold_tournaments(
    pools: Iterable[Pool], outcomes: Mapping[Pair, PairOutcome], *, allow_incomplete: bool = False
) -> dict[str, BestAnswers]:
    """The best answers of every pool, by query.

    With ``allow_incomplete`` the pairs that were judged decide alone, and the result says so; a pool of several of
    which no pair was judged still has none. Neither has a pool of one answer that is no label.
    """

    def wins_in(query_id: str) -> Wins:
        def wins(one: str, other: str) -> float | None:
            found = outcomes.get(Pair._make((query_id, one, other) if one < other else (query_id, other, one)))
            if found is None:
                return None
            winner = found.winner
            return TIED if winner is None else float(winner == one)

        return wins

    return {
        pool.query_id: hold_tournament(
            pool.query_id, pool.items, wins_in(pool.query_id), allow_incomplete=allow_incomplete
        )
        if pool.n_pairs or pool.is_settled
        else BestAnswers(query_id=pool.query_id, best=())
        for pool in pools
    }


def hold_tournament(query_id: str, items: Sequence[str], wins: Wins, *, allow_incomplete: bool = False) -> BestAnswers:
    """The tournament of one query."""
    playing, rounds = tuple(items), 0
    shares = {pair: wins(*pair) for pair in combinations(playing, 2)}
    judged = {pair: share for pair, share in shares.items() if share is not None}
    # The leaders of a round were in play before, so that a pair they lack was missing from the start.
    missing = tuple(Pair.of(query_id, *pair) for pair, share in shares.items() if share is None)
    if missing and not (allow_incomplete and judged):
        return BestAnswers(query_id=query_id, best=(), missing=missing)
    while len(playing) > 1:
        rounds += 1
        leaders = _leaders(playing, judged)
        if leaders == playing:
            break
        playing = leaders
    return BestAnswers(query_id=query_id, best=playing, missing=missing, rounds=rounds, is_incomplete=bool(missing))


def _leaders(playing: tuple[str, ...], judged: Mapping[tuple[str, str], float]) -> tuple[str, ...]:
    """Those with most wins among themselves."""
    half_wins = dict.fromkeys(playing, 0.0)
    for pair in combinations(playing, 2):
        share = judged.get(pair)
        if share is not None:
            half_wins[pair[0]] += HALF_WINS * share
            half_wins[pair[1]] += HALF_WINS * (1 - share)
    most = max(half_wins.values())
    return tuple(item for item in playing if half_wins[item] == most)
