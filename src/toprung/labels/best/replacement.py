"""When may a challenger replace the best known answer? Only after more than one judgment, for one is often wrong.

With a single judgment, a challenger that truly wins 27% of the time takes the place 27% of the time; with best of three
18%; by strength 3%; with a sequential test 2%. An answer that stays is no news, one that is replaced moves every score:
so whatever leaves a doubt keeps the champion.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Protocol

from toprung.errors import InputError, check_choice
from toprung.stats.inputs import check_share


class Decision(StrEnum):
    """What the judgments on a challenge say so far."""

    REPLACE = "replace"
    KEEP = "keep"
    ASK_AGAIN = "ask again"


class ReplacementRule(Protocol):
    """Decides on a challenge from the counts of judgments so far."""

    def decide(self, wins: int, losses: int, ties: int = 0) -> Decision:
        """``wins`` of the challenger over the champion. A tie is a judgment that moves nothing."""


@dataclass(frozen=True, kw_only=True)
class BestOf:
    """The challenger must win more than half of ``judgments``: an odd number, asked only until it is decided.

    >>> BestOf(judgments=3).decide(2, 0), BestOf(judgments=3).decide(1, 1)
    (<Decision.REPLACE: 'replace'>, <Decision.ASK_AGAIN: 'ask again'>)
    """

    judgments: int = 3

    def __post_init__(self) -> None:
        if self.judgments < 1 or self.judgments % 2 == 0:
            raise InputError(f"judgments: found {self.judgments}; expected an odd number from 1.")

    def decide(self, wins: int, losses: int, ties: int = 0) -> Decision:
        needed = self.judgments // 2 + 1
        if wins >= needed:
            return Decision.REPLACE
        can_still_win = self.judgments - losses - ties >= needed
        return Decision.ASK_AGAIN if can_still_win else Decision.KEEP


@dataclass(frozen=True, kw_only=True)
class SequentialTest:
    """Wald's sequential probability ratio test: the challenger wins ``p1`` of the time, or only ``p0`` of it?

    It replaces once the first is (1 − β)/α times as likely as the second, keeps once it is β/(1 − α) times as likely,
    and keeps too if ``max_judgments`` have not decided. By default p0 = 1 − p1 and α = β = 0.1, so that a lead of four
    decides. Wald's formula, which takes a lead for any number, gives the challenger of 27% a chance of 2.8%; the true
    chance is 1.8%.

    >>> SequentialTest().decide(4, 0), SequentialTest().decide(5, 2), SequentialTest().decide(0, 4)
    (<Decision.REPLACE: 'replace'>, <Decision.ASK_AGAIN: 'ask again'>, <Decision.KEEP: 'keep'>)
    """

    p1: float = 0.65
    p0: float | None = None
    alpha: float = 0.1
    beta: float | None = None
    max_judgments: int = 25

    def __post_init__(self) -> None:
        for name in ("p1", "alpha", "beta", "p0"):
            value = getattr(self, name)
            if value is not None:
                check_share(value, name=name)
        if self._p0 >= self.p1:
            raise InputError(f"p0: found {self._p0:g}; expected less than p1, {self.p1:g}.")
        if self.alpha + self._beta >= 1:
            raise InputError(f"Found alpha {self.alpha:g} and beta {self._beta:g}; expected a sum below 1.")
        if self.max_judgments < 1:
            raise InputError(f"max_judgments: found {self.max_judgments}; expected a whole number from 1.")

    @property
    def _p0(self) -> float:
        return 1 - self.p1 if self.p0 is None else self.p0

    @property
    def _beta(self) -> float:
        return self.alpha if self.beta is None else self.beta

    def decide(self, wins: int, losses: int, ties: int = 0) -> Decision:
        log_ratio = wins * math.log(self.p1 / self._p0) + losses * math.log((1 - self.p1) / (1 - self._p0))
        if log_ratio >= math.log((1 - self._beta) / self.alpha):
            return Decision.REPLACE
        is_lost = log_ratio <= math.log(self._beta / (1 - self.alpha))
        return Decision.KEEP if is_lost or wins + losses + ties >= self.max_judgments else Decision.ASK_AGAIN


@dataclass(frozen=True, kw_only=True)
class EnoughStrength:
    """The challenger must be the better of the two with P(best) ``at_least``; as sure of the champion, it keeps.

    P(best) is that of labels: of two strengths that are normal with variance 1/``penalty`` before any vote. A tie is
    half a win of each. It keeps too if ``max_judgments`` have not decided.

    >>> EnoughStrength().decide(3, 0), EnoughStrength().decide(3, 1), EnoughStrength().decide(0, 3)
    (<Decision.REPLACE: 'replace'>, <Decision.ASK_AGAIN: 'ask again'>, <Decision.KEEP: 'keep'>)
    """

    at_least: float = 0.9
    penalty: float = 1.0
    max_judgments: int = 25

    def __post_init__(self) -> None:
        if not 0.5 < self.at_least < 1:
            raise InputError(f"at_least: found {self.at_least:g}; expected more than one half and less than 1.")
        if not self.penalty > 0:
            raise InputError(f"penalty: found {self.penalty:g}; expected more than 0.")
        if self.max_judgments < 1:
            raise InputError(f"max_judgments: found {self.max_judgments}; expected a whole number from 1.")

    def decide(self, wins: int, losses: int, ties: int = 0) -> Decision:
        better = _p_better(wins + ties / 2, losses + ties / 2, self.penalty)
        if better >= self.at_least:
            return Decision.REPLACE
        is_lost = 1 - better >= self.at_least
        return Decision.KEEP if is_lost or wins + losses + ties >= self.max_judgments else Decision.ASK_AGAIN


@lru_cache(maxsize=1024)
def _p_better(wins: float, losses: float, penalty: float) -> float:
    """How probable it is that the first of two answers is the stronger."""
    from toprung.stats.models.strength_posterior import find_posterior, p_best

    return float(p_best(find_posterior([[0.0, wins], [losses, 0.0]], penalty=penalty))[0, 0])


RULES: dict[str, ReplacementRule] = {
    "best-of-3": BestOf(judgments=3),
    "best-of-5": BestOf(judgments=5),
    "sequential": SequentialTest(),
    "strength": EnoughStrength(),
}


def find_rule(name: str) -> ReplacementRule:
    check_choice(name, RULES, name="rule")
    return RULES[name]
