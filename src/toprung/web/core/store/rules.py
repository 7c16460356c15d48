"""What are this board's rules, as the library knows them?"""

from __future__ import annotations

from toprung.boards.claims import ClaimPolicy
from toprung.boards.lin2021.verdict import LinRule
from toprung.boards.policy import Embargo, SmallChanges, Window
from toprung.boards.release import Release, read_release
from toprung.stats.sequences.online import OnlineTest, read_gamma
from toprung.web.core.models.boards import Board


def claim_policy(board: Board) -> ClaimPolicy:
    return ClaimPolicy(
        rule="score" if board.rule == "score" else LinRule(board.rule),
        facet=board.facet,  # type: ignore[arg-type]  # the choices are those of the library
        facet_test=board.facet_test,  # type: ignore[arg-type]  # the same
        alpha=board.alpha,
        gamma=read_gamma(board.gamma),
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


def release_of(board: Board) -> Release:
    """What everyone sees of scores; as a team stands before its first run."""
    return read_release(board.release)
