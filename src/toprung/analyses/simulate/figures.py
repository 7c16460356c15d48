"""What do many simulated boards, and many attacks, add up to? The figures of a rule and of a release."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from toprung.analyses.simulate.attack import Inflation
from toprung.analyses.simulate.crowns import CrownRule, Life
from toprung.analyses.simulate.power_of_claims import gains_seen
from toprung.boards.disclosure.release import Release
from toprung.stats.models.board_model import BoardModel
from toprung.stats.models.monte_carlo import Mean


@dataclass(frozen=True, kw_only=True)
class RuleFigures:
    """One rule on all boards, which are the cases of every mean; NaN where there is nothing to tell."""

    rule: CrownRule
    crowns: float
    """A board, in the mean."""
    false: Mean
    """The share of boards with at least one false crown."""
    false_per_board: float
    improvements: int
    missed: Mean
    """The share of true improvements that the holder did not match before the next one came."""
    missed_by_gain: dict[float, Mean]
    wait: float
    """The median number of submissions until it did; infinite if more than half are missed."""
    last_level: float
    """What the last claim of a board was held to: the median."""
    regret: Mean
    """The best true quality less that of the last holder."""
    smallest_gains: dict[int, float]
    """What a claim could see four times in five, at some claims; empty where claims have no levels."""


@dataclass(frozen=True, kw_only=True)
class ReleaseFigures:
    """One release under the attack that inflates the public score most, over all attackers."""

    release: Release
    attack: str
    public: Mean
    """How much the team's public score is above what its runs deserve."""
    largest: float
    hidden: Mean
    """The same of the hidden score of its final run."""
    answers: float
    """How many of its runs it was shown a score of, in the mean."""


def summarise_lives(
    rules: Sequence[CrownRule], lives: Sequence[Sequence[Life]], *, model: BoardModel, queries: int
) -> tuple[RuleFigures, ...]:
    """``lives`` has a row for each board with a life for each rule; model and queries say what claims could see."""
    return tuple(
        _summarise_rule(rule, list(of_rule), gains_seen(model, rule, queries=queries))
        for rule, of_rule in zip(rules, zip(*lives, strict=True), strict=True)
    )


def _summarise_rule(rule: CrownRule, lives: Sequence[Life], smallest_gains: dict[int, float]) -> RuleFigures:
    waits = np.array([wait for life in lives for wait in life.waits])
    gains = sorted({gain for life in lives for gain in life.gains})
    levels = [life.last_level for life in lives if not np.isnan(life.last_level)]
    return RuleFigures(
        rule=rule,
        crowns=float(np.mean([life.crowns for life in lives])),
        false=Mean.of_shares([float(life.false_crowns > 0) for life in lives]),
        false_per_board=float(np.mean([life.false_crowns for life in lives])),
        improvements=len(waits),
        missed=_missed(lives, gains),
        missed_by_gain={gain: _missed(lives, [gain]) for gain in gains},
        wait=_median(waits),
        last_level=float(np.median(levels)) if levels else float("nan"),
        regret=Mean.of([life.regret for life in lives], least=0.0),
        smallest_gains=smallest_gains,
    )


def _missed(lives: Sequence[Life], gains: Collection[float]) -> Mean:
    """Of the improvements by these gains, the share that each board missed."""
    waits = [[wait for gain, wait in zip(life.gains, life.waits, strict=True) if gain in gains] for life in lives]
    return Mean.of_shares([float(np.isinf(of_board).mean()) for of_board in waits if of_board])


def _median(waits: np.ndarray[tuple[int], np.dtype[np.float64]]) -> float:
    """The lower of the two in the middle, so that it is one that occurred."""
    return float(np.sort(waits)[(len(waits) - 1) // 2]) if len(waits) else float("nan")


def summarise_attacks(
    releases: Sequence[Release], attacked: Sequence[Sequence[dict[str, Inflation]]]
) -> tuple[ReleaseFigures, ...]:
    """``attacked`` has a row for each attacker, with what each attack gained for each release."""
    return tuple(
        _worst([_summarise_attack(release, name, [each[name] for each in of_release]) for name in of_release[0]])
        for release, of_release in zip(releases, zip(*attacked, strict=True), strict=True)
    )


def _worst(attacks: Sequence[ReleaseFigures]) -> ReleaseFigures:
    return max(attacks, key=lambda each: each.public.estimate)


def _summarise_attack(release: Release, name: str, found: Sequence[Inflation]) -> ReleaseFigures:
    return ReleaseFigures(
        release=release,
        attack=name,
        public=Mean.of([each.public for each in found]),
        largest=max(each.public for each in found),
        hidden=Mean.of([each.hidden for each in found]),
        answers=float(np.mean([each.answers for each in found])),
    )
