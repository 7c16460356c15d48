"""How do two runs of a board compare? By the rules of the board, with what the library knows of a pair."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from toprung.analyses.compare.find import Comparisons, compare
from toprung.analyses.compare.pair import Pair, PairComparison
from toprung.boards.engine.top_group import TopGroup
from toprung.boards.engine.words import say_relation
from toprung.data.matrices import FirstRanks, ScoreTable
from toprung.scoring.catalogue import scale_of
from toprung.web.core.models.boards import Board
from toprung.web.core.models.labels import LabelSet
from toprung.web.core.models.results import Audience
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

    def among(self, top_group: TopGroup) -> Compared:
        """The same pair among the runs that another audience sees."""
        relation = top_group.relation(self.pair.a, self.pair.b)
        return replace(self, relation=relation, n_runs=len(top_group.runs))


def compare_pairs(
    board: Board, matrix: FirstRanks | ScoreTable, top_group: TopGroup, pairs: Sequence[Pair]
) -> list[Compared]:
    """Each pair ``(A, B)`` by itself, on the official measure; together, since they share their resamples."""
    policy = claim_policy(board)
    found = compare(
        matrix,
        pairs,
        rule=policy.rule,
        alpha=policy.alpha,
        margins=policy.margins,
        gamma=policy.gamma,
        scale=scale_of(matrix.measure),
        seed=board.seed,
    )
    n_runs = len(top_group.runs)
    return [
        Compared(found=replace(found, pairs=(pair,)), relation=top_group.relation(pair.a, pair.b), n_runs=n_runs)
        for pair in found.pairs
    ]


def show_relation(a: str, b: str, relation: int, n_runs: int) -> dict[str, Any]:
    """What the two are on the board: of a stored comparison the only part that other runs change."""
    return {"relation": relation, "n_runs": n_runs, "on_board": " ".join(say_relation(a, b, relation, n_runs))}


def renew_relations(board: Board, labels: LabelSet, audience: Audience, top_group: TopGroup) -> None:
    """Bring stored comparisons in line with the board as it stands; the pairs themselves stay as they are."""
    runs = set(top_group.runs)
    for stored in board.results.filter(kind="compare", labels_version=labels.version, audience=audience):
        a, b = stored.content["a"], stored.content["b"]
        if {a, b} <= runs:
            shown = show_relation(a, b, top_group.relation(a, b), len(runs))
            if not shown.items() <= stored.content.items():
                stored.content |= shown
                stored.save(update_fields=["content"])


def comparison_key(board: Board, labels: LabelSet, challenger: str, holder: str) -> str:
    """A comparison is of two files and one version of the labels, as one policy shows it: it never changes."""
    return f"{challenger} {holder} v{labels.version} {board.release}"
