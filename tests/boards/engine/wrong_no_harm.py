"""How often is harm excluded that is there?

Pairs of runs as on MS MARCO, of which B is then harmed by just so much as the margin allows: it misses answers, ranks
many answers a little lower, or a few far down. Harm is then excluded wrongly, and should be in 5% of the pairs at most.
And pairs of which B answers more and ranks lower, so that their true means are equal: by ``no_harm`` such a run passes
if it is lucky in the measure, one claim in twenty at most.

``python -m tests.boards.engine.wrong_no_harm`` prints the figures.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import takewhile

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from toprung.boards.engine.claims import hold_to_level
from toprung.boards.engine.parts import parts_of_ranks
from toprung.boards.engine.rules import Rule
from toprung.stats.intervals.harm import harm_bounds, usual_margin
from toprung.stats.models.board_model import ms_marco_like
from toprung.stats.sequences.online import OnlineTest

type Ranks = NDArray[np.int32]

HARMS = ("answers missed", "many ranked lower", "few ranked far down")
PAIRS = {50: 10_000, 215: 10_000, 1_000: 10_000, 5_793: 3_000}
"""For each number of queries, how many pairs are simulated."""
FAR_DOWN = 100
ANSWERED_AT = 10
MORE_ANSWERED = {215: 0.09, 1_000: 0.05, 5_793: 0.03}
"""For each number of queries, how many more are answered by a run that trades rank for answers: P_a is then small."""


def draw_pair(queries: int, rng: np.random.Generator) -> tuple[Ranks, Ranks]:
    """Two runs that are truly equal."""
    model = ms_marco_like()
    assert model.ranks is not None
    levels = model.draw([model.mean] * 2, queries=queries, rng=rng)
    first, second = model.ranks[levels].astype(np.int32)
    return first, second


@dataclass(frozen=True, kw_only=True)
class Usual:
    """Over very many queries: which share B answers, which share both answer, and B's RR there."""

    answered: float
    both: float
    rr_of_both: float


@lru_cache(maxsize=1)
def usual() -> Usual:
    first, second = draw_pair(4_000_000, np.random.default_rng(1))
    both = (first > 0) & (second > 0)
    return Usual(
        answered=float(np.mean(second > 0)), both=float(np.mean(both)), rr_of_both=float(np.mean(1 / second[both]))
    )


def harm(first: Ranks, second: Ranks, kind: str, rng: np.random.Generator) -> Ranks:
    """B, worse by the margin in the mean over all queries there could be."""
    both = (first > 0) & (second > 0)
    luck = rng.random(len(second))
    if kind == "answers missed":
        is_missed = luck < usual_margin(len(second)) / usual().answered
        return np.where(is_missed, 0, second)
    margin = usual_margin(int(both.sum()))
    if kind == "many ranked lower":  # to twice the rank: half of RR is lost
        return np.where(both & (luck < margin / (usual().rr_of_both / 2)), 2 * second, second)
    lost = usual().rr_of_both - 1 / FAR_DOWN
    return np.where(both & (luck < margin / lost), FAR_DOWN, second)


def trade(first: Ranks, second: Ranks, more: float, rng: np.random.Generator) -> Ranks:
    """B answers so many more, at rank 10, and where both answer goes to twice the rank as often as evens the means."""
    luck = rng.random(len(second))
    answers_more = np.where((second == 0) & (luck < more / (1 - usual().answered)), ANSWERED_AT, second)
    lost = more / ANSWERED_AT / (usual().both * usual().rr_of_both / 2)
    return np.where((first > 0) & (second > 0) & (luck < lost), 2 * second, answers_more)


def excluded_wrongly(queries: int, kind: str, *, pairs: int, seed: int = 0) -> float:
    """The share of pairs in which the harm that is there is excluded."""
    count = 0
    for number in range(pairs):
        rng = np.random.default_rng([seed, queries, number])
        first, second = draw_pair(queries, rng)
        parts = parts_of_ranks(first, harm(first, second, kind, rng))
        bounds = parts.answered_harm if kind == "answers missed" else parts.ranking_harm
        assert bounds is not None
        count += bounds.is_excluded(1)
    return count / pairs


def excluded_for_near_copies(queries: int) -> float:
    """Exactly, where B is as A but for answers that it misses: the chance that it misses few enough to be excluded."""
    bounds = (harm_bounds(-(np.arange(queries) < lost).astype(np.float64)) for lost in range(queries + 1))
    most_lost = sum(1 for _ in takewhile(lambda each: each.is_excluded(1), bounds)) - 1
    return float(stats.binom.cdf(most_lost, queries, usual_margin(queries)))


def crowned_though_equal(queries: int, *, pairs: int, seed: int = 0) -> tuple[float, float]:
    """The share of traded pairs whose first claim passes by ``no_harm``, and the share with P_a within its level."""
    passed, answers_more = 0, 0
    for number in range(pairs):
        rng = np.random.default_rng([seed, queries, number])
        first, second = draw_pair(queries, rng)
        parts = parts_of_ranks(first, trade(first, second, MORE_ANSWERED[queries], rng))
        decision, _ = hold_to_level(parts, state=OnlineTest(), rule=Rule.NO_HARM)
        assert parts.answered is not None
        passed += decision.is_rejected
        answers_more += 2 * parts.answered.p <= decision.level
    return passed / pairs, answers_more / pairs


def main() -> None:
    for low, high in ((15, 100), (100, 200), (200, 400), (950, 1_050), (5_750, 5_800)):
        rates = [excluded_for_near_copies(queries) for queries in range(low, high)]
        print(f"near-copies that miss answers, {low:,} to {high - 1:,} queries: {min(rates):.3f} to {max(rates):.3f}")
    for queries in MORE_ANSWERED:
        passed, shown = crowned_though_equal(queries, pairs=PAIRS[queries])
        print(
            f"rank traded for answers, {queries:,} queries, {PAIRS[queries]:,} pairs: passed by no_harm {passed:.4f}, "
            f"shown to answer more {shown:.4f}",
            flush=True,
        )
    for kind in HARMS:
        for queries, pairs in PAIRS.items():
            rate = excluded_wrongly(queries, kind, pairs=pairs)
            print(f"{kind}, {queries:,} queries, {pairs:,} pairs: wrongly excluded {rate:.4f}", flush=True)


if __name__ == "__main__":
    main()
