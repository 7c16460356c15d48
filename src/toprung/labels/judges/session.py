"""What came of it? How many pairs were answered in one sitting, what it cost, and why it ended."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(kw_only=True)
class Session:
    """Counts of one run of a judge; ``ended`` says why it stopped before all was answered."""

    n_pairs: int = 0
    """Judged; an invalid answer is no judgment."""
    n_answers: int = 0
    n_invalid: int = 0
    """Pairs that got an invalid answer in either order."""
    n_asked_again: int = 0
    """Answers asked for because the one before was invalid."""
    n_mended: int = 0
    """Those of them that are valid."""
    n_failed: int = 0
    """Pairs that got no answer and stay open."""
    last_failure: str = ""
    """Why the last of them got none, unless a file just does not hold it."""
    n_voided: int = 0
    """Judgments taken back, because golds of their task were missed."""
    n_skipped: int = 0
    n_without_text: int = 0
    """Pairs left out because an answer, or the query, has no text."""
    n_left: int = 0
    n_golds: int = 0
    n_golds_missed: int = 0
    n_tasks_accepted: int = 0
    n_tasks_excluded: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    cost: float = 0.0
    ended: str = ""
