"""What stands on one row of a leaderboard? A run: its score, the ranks it may have, and what it is to the top."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from toprung.boards.outcomes import Outcomes

type Day = date  # where a field is called date


class Status(StrEnum):
    """What there is to say of a run's standing; NONE where there is nothing."""

    HOLDER = "top rung"
    FIRST = "stands first"
    """By scores alone, of which no claim is tested."""
    NOT_SUPPORTED = "claim not supported"
    VOIDED = "claim voided"
    """By the organisers of a hosted board, in public."""
    TIED = "tied with top"
    CONFLICT = "better in one way"
    HELD = "held the top rung"
    BASELINE = "baseline"
    NONE = ""


class AgainstTop(StrEnum):
    """What a run is to the one that stands first."""

    FIRST = "first"
    TIED = "cannot be told apart"
    CONFLICT = "each better in one way"
    BETTER = "better"
    WORSE = "worse"


@dataclass(frozen=True, kw_only=True)
class OutcomeShares:
    """Of all queries, how many came out how, from the view of the run; the six shares add up to 1."""

    only_this: float
    """Only this run found the answer."""
    better: float
    """Both found it, this run at the better rank."""
    same: float
    neither: float
    worse: float
    only_top: float
    """Only the run that stands first found it."""

    @classmethod
    def of(cls, outcomes: Outcomes) -> OutcomeShares:
        """From the outcomes of the first run as A and this one as B."""
        return cls(
            only_this=outcomes.share(outcomes.only_b),
            better=outcomes.share(outcomes.b_higher),
            same=outcomes.share(outcomes.same),
            neither=outcomes.share(outcomes.neither),
            worse=outcomes.share(outcomes.a_higher),
            only_top=outcomes.share(outcomes.only_a),
        )

    @property
    def wins(self) -> float:
        """Of all queries, those on which this run does better."""
        return self.only_this + self.better

    @property
    def losses(self) -> float:
        return self.worse + self.only_top


@dataclass(frozen=True, kw_only=True)
class BoardRow:
    """One run of a board; what only ranks can tell is None where there are only scores."""

    run: str
    score: float
    score_low: float
    score_high: float
    rank_low: int
    rank_high: int
    """The intervals of the ranks hold for all runs at once."""
    answered: float | None
    """The share of queries."""
    mean_esl: float | None
    """The mean rank over its answered queries; None without any."""
    outcomes: OutcomeShares | None
    """Against the run that stands first; None for that run itself."""
    against_top: AgainstTop
    group: int
    """From 1, the top group; runs of one group cannot be told apart from the first of it."""
    group_words: str
    status: Status
    is_baseline: bool = False
    date: Day | None = None
    team: str = ""
    tags: tuple[str, ...] = ()
    held_since: Day | None = None
    """When it took the top rung, and until when it held it, where dates are known."""
    held_until: Day | None = None


@dataclass(frozen=True, kw_only=True)
class BoardGroup:
    """Runs that share a frame, the first of them first."""

    number: int
    name: str
    words: str
    runs: tuple[str, ...]
