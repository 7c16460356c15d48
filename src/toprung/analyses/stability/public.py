"""What may everyone see of ranks under the bootstrap? Only their scores tell more than the board does."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from toprung.analyses.stability.find import Stability
from toprung.boards.disclosure.disclosure import Disclosure


def in_public(found: Stability, release: Disclosure) -> Stability:
    (board,) = found.boards
    scores = np.array([release.shown_scores[run] for run in board.runs])
    shown = replace(board, scores=scores, digest="", score_decimals=release.decimals)
    return replace(found, boards=(shown,))
