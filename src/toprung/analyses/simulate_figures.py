"""What do many simulated boards, and many attacks, add up to? The figures of a rule and of a release."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from toprung.analyses.simulate_crowns import CrownRule, Life
from toprung.stats.attack import Inflation
from toprung.stats.release import ScoreRelease

CONFIDENCE = 0.95


@dataclass(frozen=True, kw_only=True)
class Share:
    """A share of independent cases, with its 95% Wilson interval."""

    count: int
    n: int
    low: float
    high: float

    @classmethod
    def of(cls, count: int, n: int) -> Share:
        from scipy.stats import binomtest

        interval = binomtest(count, n).proportion_ci(CONFIDENCE, method="wilson")
        return cls(count=count, n=n, low=float(interval.low), high=float(interval.high))

    @property
    def estimate(self) -> float:
        return self.count / self.n


@dataclass(frozen=True, kw_only=True)
class Mean:
    """A mean over independent cases, with its 95% interval by t."""

    estimate: float
    low: float
    high: float
    n: int

    @classmethod
    def of(cls, values: Sequence[float]) -> Mean:
        from scipy.stats import t

        estimate, n = float(np.mean(values)), len(values)
        half = float(t.ppf((1 + CONFIDENCE) / 2, n - 1)) * float(np.std(values, ddof=1)) / n**0.5
        return cls(estimate=estimate, low=estimate - half, high=estimate + half, n=n)


@dataclass(frozen=True, kw_only=True)
class RuleFigures:
    """One rule on all boards. ``missed``, ``wait`` and ``last_level`` are NaN where there is nothing to tell."""

    rule: CrownRule
    crowns: float
    """A board, in the mean."""
    false: Share
    """Boards with at least one false crown."""
    false_per_board: float
    improvements: int
    missed: float
    """The share of true improvements that the holder did not match before the next one came."""
    wait: float
    """The median number of submissions until it did; infinite if more than half are missed."""
    last_level: float
    """What the last claim of a board was held to: the median."""
    regret: float
    """The best true quality less that of the last holder: the mean."""


@dataclass(frozen=True, kw_only=True)
class ReleaseFigures:
    """One release under the attack that inflates the public score most, over all attackers."""

    release: ScoreRelease
    attack: str
    public: Mean
    """How much the team's public score is above what its runs deserve."""
    largest: float
    hidden: Mean
    """The same of the hidden score of its final run."""
    answers: float
    """How many of its runs it was shown a score of, in the mean."""


def summarise_lives(rules: Sequence[CrownRule], lives: Sequence[Sequence[Life]]) -> tuple[RuleFigures, ...]:
    """``lives`` has a row for each board with a life for each rule."""
    return tuple(
        _summarise_rule(rule, list(of_rule)) for rule, of_rule in zip(rules, zip(*lives, strict=True), strict=True)
    )


def _summarise_rule(rule: CrownRule, lives: Sequence[Life]) -> RuleFigures:
    waits = np.array([wait for life in lives for wait in life.waits])
    levels = [life.last_level for life in lives if not np.isnan(life.last_level)]
    return RuleFigures(
        rule=rule,
        crowns=float(np.mean([life.crowns for life in lives])),
        false=Share.of(sum(life.false_crowns > 0 for life in lives), len(lives)),
        false_per_board=float(np.mean([life.false_crowns for life in lives])),
        improvements=len(waits),
        missed=float(np.isinf(waits).mean()) if len(waits) else float("nan"),
        wait=_median(waits),
        last_level=float(np.median(levels)) if levels else float("nan"),
        regret=float(np.mean([life.regret for life in lives])),
    )


def _median(waits: np.ndarray[tuple[int], np.dtype[np.float64]]) -> float:
    """The lower of the two in the middle, so that it is one that occurred."""
    return float(np.sort(waits)[(len(waits) - 1) // 2]) if len(waits) else float("nan")


def summarise_attacks(
    releases: Sequence[ScoreRelease], attacked: Sequence[Sequence[dict[str, Inflation]]]
) -> tuple[ReleaseFigures, ...]:
    """``attacked`` has a row for each attacker, with what each attack gained for each release."""
    return tuple(
        _worst([_summarise_attack(release, name, [each[name] for each in of_release]) for name in of_release[0]])
        for release, of_release in zip(releases, zip(*attacked, strict=True), strict=True)
    )


def _worst(attacks: Sequence[ReleaseFigures]) -> ReleaseFigures:
    return max(attacks, key=lambda each: each.public.estimate)


def _summarise_attack(release: ScoreRelease, name: str, found: Sequence[Inflation]) -> ReleaseFigures:
    return ReleaseFigures(
        release=release,
        attack=name,
        public=Mean.of([each.public for each in found]),
        largest=max(each.public for each in found),
        hidden=Mean.of([each.hidden for each in found]),
        answers=float(np.mean([each.answers for each in found])),
    )
