"""What would the real boards have seen, had their runs come in other orders?

The runs of each board are handed in one by one, in orders drawn at random, and each claim is decided by the engine.
``python -m tests.boards.engine.replays`` prints the figures, over 20 orders unless another number is given.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from tests.boards.engine.real_boards import read_dev215, read_trec_covid
from tests.conftest import SHARED_DATA

from toprung.boards.engine import claims
from toprung.boards.engine.claims import decide_claim
from toprung.boards.engine.rules import ClaimPolicy, Rule
from toprung.boards.engine.top_group import find_top_group
from toprung.boards.succession import Entrant, succeed
from toprung.data.matrices import FirstRanks, ScoreTable, to_scores
from toprung.stats.intervals.bootstrap import column_means

ORDERS = 20


@dataclass(frozen=True, kw_only=True)
class Replay:
    """A board's runs in one order: the claims made, and who holds the rung at last."""

    claims: tuple[claims.TestedClaim, ...]
    holder: str

    @property
    def n_passed(self) -> int:
        return sum(claim.passed for claim in self.claims)


def replay(matrix: FirstRanks | ScoreTable, runs: Sequence[str], policy: ClaimPolicy) -> Replay:
    """Hand in the runs one by one."""
    means = dict(zip(matrix.runs, column_means(to_scores(matrix).values).tolist(), strict=True))
    made: list[claims.TestedClaim] = []
    state, holder = policy.start(), Entrant(run=runs[0], score=means[runs[0]])
    for number, run in enumerate(runs[1:], start=2):

        def passes(entrant: Entrant[str], top: Entrant[str], there: Sequence[str] = runs[:number]) -> bool:
            nonlocal state
            claim, state = decide_claim(
                matrix, run=entrant.run, holder=top.run, state=state, policy=policy, there=there
            )
            made.append(claim)
            return claim.passed

        holder = succeed(holder, Entrant(run=run, score=means[run]), passes=passes)
    return Replay(claims=tuple(made), holder=holder.run)


@dataclass(frozen=True, kw_only=True)
class Replays:
    """The same board in many orders."""

    orders: int
    claims: float
    """In the mean over orders."""
    passed: float
    held_by_member: int
    """In how many orders the last holder is in the top group."""
    holder_score: float
    lowest_holder_score: float
    best_score: float


def replay_often(matrix: FirstRanks | ScoreTable, rule: Rule, *, orders: int = ORDERS, seed: int = 0) -> Replays:
    rng = np.random.default_rng(seed)
    found = [replay(matrix, rng.permutation(matrix.runs).tolist(), ClaimPolicy(rule=rule)) for _ in range(orders)]
    group = find_top_group(matrix)
    held = [float(group.scores[group.row(each.holder)]) for each in found]
    return Replays(
        orders=orders,
        claims=float(np.mean([len(each.claims) for each in found])),
        passed=float(np.mean([each.n_passed for each in found])),
        held_by_member=sum(each.holder in group.members for each in found),
        holder_score=float(np.mean(held)),
        lowest_holder_score=min(held),
        best_score=float(group.scores[0]),
    )


def main() -> None:
    orders = int(sys.argv[1]) if len(sys.argv) > 1 else ORDERS
    covid, dev215 = read_trec_covid(SHARED_DATA), read_dev215(SHARED_DATA)
    boards = ("TREC-COVID", covid, Rule.MEASURE), ("dev215", dev215, Rule.MEASURE), ("dev215", dev215, Rule.NO_HARM)
    for name, matrix, rule in boards:
        found = replay_often(matrix, rule, orders=orders)
        print(
            f"{name}, {matrix.measure}, {len(matrix.runs)} runs, {len(matrix.query_ids)} queries, rule {rule}, "
            f"{orders} orders: {found.claims:.2f} claims, {found.passed:.2f} passed; last holder in the top group "
            f"{found.held_by_member} times; its score {found.holder_score:.4f} in the mean, at least "
            f"{found.lowest_holder_score:.4f}, the best {found.best_score:.4f}"
        )


if __name__ == "__main__":
    main()
