"""How do two runs of a board compare? By the rules of the board, with what the library knows of a pair."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from toprung.analyses.compare.find import Comparisons, compare
from toprung.analyses.compare.pair import Pair, PairComparison
from toprung.boards.engine.top_group import TopGroup
from toprung.data.matrices import FirstRanks, ScoreTable
from toprung.scoring.catalogue import scale_of
from toprung.web.core.models.boards import Board
from toprung.web.core.models.labels import LabelSet
from toprung.web.core.store.rules import claim_policy


@dataclass(frozen=True, kw_only=True)
class Compared:
    """A pair by itself, as the library compared it, and what it is among all runs of the board."""

    found: Comparisons
    relation: int
    """+1 where B is better than A with all runs compared at once, −1 where A is, 0 where they are not told apart."""
    n_runs: int

    @property
    def pair(self) -> PairComparison:
        return self.found.pairs[0]


def compare_pairs(
    board: Board, matrix: FirstRanks | ScoreTable, top_group: TopGroup, pairs: Sequence[Pair]
) -> list[Compared]:
    """Each pair ``(A, B)`` by itself, on the official measure; together, since they share their resamples."""
    policy = claim_policy(board)
    found = compare(
        matrix,
        pairs=pairs,
        rule=policy.rule,
        alpha=policy.alpha,
        margins=policy.margins,
        gamma=policy.gamma,
        scale=scale_of(matrix.measure),
        top=top_group,
        tells_paper=False,
        seed=board.seed,
    )
    n_runs = len(top_group.runs)
    return [
        Compared(found=replace(found, pairs=(pair,)), relation=top_group.relation(pair.a, pair.b), n_runs=n_runs)
        for pair in found.pairs
    ]


def comparison_key(board: Board, labels: LabelSet, challenger: str, holder: str) -> str:
    """A comparison is of two runs and one version of the labels, as one policy shows it."""
    return f"{challenger} {holder} v{labels.version} {board.release}"
