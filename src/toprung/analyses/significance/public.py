"""What may everyone see of the grid of all pairs? Only its scores tell more than the board does."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from toprung.analyses.significance.find import SignificanceGrid
from toprung.boards.disclosure.disclosure import Disclosure


def in_public(found: SignificanceGrid, release: Disclosure) -> SignificanceGrid:
    means = np.array([release.shown_scores[run] for run in found.runs])
    return replace(found, means=means, digest="", score_decimals=release.decimals)
