"""What are this board's rules, as the library knows them?"""

from __future__ import annotations

from toprung.boards.engine.margins import Margins
from toprung.boards.engine.rules import ClaimPolicy, read_rule
from toprung.boards.policy import Embargo, SmallChanges, Window
from toprung.stats.sequences.online import OnlineTest, read_gamma
from toprung.web.core.models.boards import Board


def claim_policy(board: Board) -> ClaimPolicy:
    return ClaimPolicy(
        rule=read_rule(board.rule),
        alpha=board.alpha,
        gamma=read_gamma(board.gamma),
        margins=Margins(answered=board.answered_margin, ranking=board.ranking_margin),
    )


def online_state(board: Board) -> OnlineTest:
    """Where the sequence of claims stands."""
    return OnlineTest(
        alpha=board.alpha, gamma=read_gamma(board.gamma), tested=board.claims_tested, carried=board.level_carried
    )


def window(board: Board) -> Window:
    return Window(limit=board.quota, days=board.quota_days)


def embargo(board: Board) -> Embargo:
    return Embargo(months=board.embargo_months)


def small_changes() -> SmallChanges:
    return SmallChanges()
