"""How is a board said? What each figure is; who may be best and who proved it is said by the engine's words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from toprung.boards.engine.words import RULE_WORDS, say_last_proved
from toprung.result import Explanation
from toprung.words.assumptions import FAIR_SAMPLE
from toprung.words.wording import say_queries, show_confidence

if TYPE_CHECKING:
    from toprung.analyses.leaderboard.find import Leaderboard


def say_because(board: Leaderboard) -> str:
    """Which submission was the last to prove an improvement when it came; empty where no claims were tested."""
    if not board.has_claims or len(board.rows) < 2:
        return ""
    row = None if board.holder is None else board[board.holder]
    return say_last_proved(
        board.holder,
        None if row is None else row.proved_since,
        n_later=board.n_later,
        is_member=row is None or row.top_group,
        overtaken_by=board.overtaken_by,
    )


def say_all(board: Leaderboard) -> str:
    """For whom the intervals of the ranks hold."""
    return "the one run" if len(board.rows) == 1 else f"all {len(board.rows):,} runs"


def say_notes(board: Leaderboard) -> Iterator[str]:
    """What each figure is, what was left out, what to be careful about."""
    sure = show_confidence(board.confidence)
    yield (
        f"Rank: the ranks these queries cannot rule out, for {say_all(board)} at once with {sure} "
        "confidence (Mogstad et al. 2024). A run may be best if no other is better: then its ranks go up to 1."
    )
    yield (
        f"{board.measure}: mean over {say_queries(board.n_queries)} with its own {sure} interval (BCa bootstrap). "
        "Intervals that overlap do not show that runs are alike: runs are compared query by query."
    )
    if board.has_claims and board.rule is not None:
        yield (
            f"Status: what came of a run's claim when it came (rule {board.rule}: {RULE_WORDS[board.rule]}); "
            "who may be best now is another question."
        )
    if board.has_ranks:
        yield "Answered: share of queries. ESL: mean rank where the run answers; runs answer different queries."
    if board.misalignment:
        yield board.misalignment.warning


def explain(board: Leaderboard) -> Explanation:
    """How the board was made."""
    sure = show_confidence(board.confidence)
    how = (
        f"All runs are compared at once on {board.measure}, with {sure} confidence that no two are told apart wrongly "
        "(resampled largest t, step-down; Mogstad et al. 2024): a run may be best if no other is better, and the ranks "
        f"it may have follow. Each score has a {sure} bootstrap interval of its own"
    )
    if board.has_claims:
        how += "; a submission above the holder is a claim, held to the level that online fallback gives it"
    claims = ("The dates are those of submission, and every submission is here.",) if board.has_claims else ()
    mean = f"The mean of {board.measure} is what counts."
    return Explanation(how=f"{how}.", assumptions=(FAIR_SAMPLE, mean, *claims))
