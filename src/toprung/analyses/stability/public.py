"""What may everyone see of ranks under the bootstrap? Scores as released; of hidden labels shares in whole steps."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from toprung.analyses.stability.board import BoardStability
from toprung.analyses.stability.find import Stability
from toprung.boards.disclosure.disclosure import Disclosure
from toprung.stats.ranks.mass import expected_rank


def in_public(found: Stability, release: Disclosure) -> Stability:
    (board,) = found.boards
    scores = np.array([release.shown_scores[run] for run in board.runs])
    shown = replace(board, scores=scores, digest="", score_decimals=release.decimals)
    return replace(found, boards=(_in_steps(shown, release) if release.is_hidden else shown,))


def _in_steps(board: BoardStability, release: Disclosure) -> BoardStability:
    """The ranks that a run took in few trials may be gone; those that it may truly have stay as they are."""
    mass = np.zeros_like(board.mass)
    for row, exact in enumerate(board.mass):
        (taken,) = np.nonzero(exact)
        mass[row, taken] = release.trial_shares(exact[taken].tolist())
    remark = f"Of hidden labels shares of trials come in steps of {release.share_step_said}: 0% may be a few of them."
    return replace(board, mass=mass, expected_ranks=expected_rank(mass), remarks=(*board.remarks, remark))
