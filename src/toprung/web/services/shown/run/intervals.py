"""How sure is a share of queries? Its interval, as exact as the audience may see the share itself."""

from __future__ import annotations

from toprung.stats.intervals.wilson import wilson_interval
from toprung.web.core.models.boards import Board
from toprung.web.core.models.results import Audience
from toprung.web.core.store.disclosing import disclosure_of


def interval_of_share(board: Board, audience: Audience, share: float, n_queries: int) -> tuple[float, float]:
    """Wilson's of 95%, from the share as it is shown: so it tells nothing that the share does not.

    For everyone it is widened to the steps of shares, which covers what was rounded.
    """
    low, high = wilson_interval(share * n_queries, n_queries)
    told = disclosure_of(board)
    if audience is Audience.ORGANISERS or not told.is_hidden:
        return low, high
    half = told.share_step / 2
    low, high = told.widened(low - half, high + half, told.share_step)
    return max(0.0, low), min(1.0, high)
