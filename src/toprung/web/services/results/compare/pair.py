"""How do two runs of a board compare, by themselves? By the rules of the board; who else is on it does not matter.

What the two are with all runs compared at once stands in the rows of the board (``core.store.relations``): so a
comparison that was made stays as it is when another run comes.
"""

from __future__ import annotations

from toprung.analyses.compare.find import Comparisons, compare
from toprung.data.matrices import FirstRanks, ScoreTable
from toprung.scoring.catalogue import scale_of
from toprung.web.core.models.boards import Board
from toprung.web.core.models.labels import LabelSet
from toprung.web.core.store.columns import board_matrix
from toprung.web.core.store.rules import claim_policy
from toprung.web.core.store.run_pairs import RunPair


def compare_runs(board: Board, labels: LabelSet, pair: RunPair) -> Comparisons:
    return compare_two(board, board_matrix(labels, pair.both, board))


def compare_two(board: Board, matrix: FirstRanks | ScoreTable) -> Comparisons:
    """The two runs of a matrix, A and B, on the official measure."""
    policy = claim_policy(board)
    return compare(
        matrix,
        rule=policy.rule,
        alpha=policy.alpha,
        margins=policy.margins,
        gamma=policy.gamma,
        scale=scale_of(matrix.measure),
        tells_paper=False,
        seed=board.seed,
    )
