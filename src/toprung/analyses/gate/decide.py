"""Is there a loss, could one be hidden, or do these queries not tell? Decided here and nowhere else."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from toprung.boards.engine.gains import POWER
from toprung.boards.engine.parts import PairParts
from toprung.boards.engine.verdict import PairVerdict, Verdict, judge_pair
from toprung.stats.inputs import Floats
from toprung.stats.intervals.harm import HarmBounds, harm_bounds, queries_to_exclude
from toprung.stats.pairs.power import detectable_effects, queries_needed
from toprung.stats.tests.pair import PairTest, pair_test, smallest_p


class GateOutcome(StrEnum):
    """What the gate says, in the order in which it is looked for."""

    LOSS = "loss"
    """The new run is worse, beyond chance."""
    BETTER = "better"
    """The new run is better, beyond chance."""
    NO_LOSS = "no_loss"
    """A loss beyond the margin is excluded; or nothing changed: every query has the same score."""
    CANNOT_TELL = "cannot_tell"
    """None of these: a loss beyond the margin may be hidden."""

    @property
    def exit_code(self) -> int:
        return {GateOutcome.LOSS: 1, GateOutcome.CANNOT_TELL: 3}.get(self, 0)


@dataclass(frozen=True, kw_only=True)
class GateDecision:
    """What was found of the new run less the baseline, and by which level."""

    outcome: GateOutcome
    parts: PairParts
    verdict: PairVerdict
    harm: HarmBounds
    level: float
    """What p must not exceed for a loss to be shown."""

    @property
    def test(self) -> PairTest:
        return self.parts.measure

    @property
    def is_unchanged(self) -> bool:
        """Whether every query has the same score: then there is nothing to test, and nothing that may hide."""
        return not self.test.differing

    @property
    def smallest_loss(self) -> float:
        """The loss that this level shows four times in five; infinite where too few queries differ to show any."""
        if not self.test.sd > 0 or smallest_p(self.test.differing) > self.level:
            return math.inf
        return self.test.sd * float(detectable_effects(np.array([self.test.n]), alpha=self.level, power=POWER)[0])

    @property
    def queries_needed(self) -> float | None:
        """About how many queries would tell, where these do not; infinite where that cannot be said."""
        is_open = self.outcome is GateOutcome.CANNOT_TELL
        return _queries_needed(self.test, self.harm, self.level) if is_open else None

    @property
    def worst(self) -> float:
        """How much worse the new run may be, with 95% confidence."""
        return self.harm.worst(1)


def decide_gate(
    differences: Floats, *, level: float = 0.05, alpha: float = 0.05, margin: float | None = None
) -> GateDecision:
    """Decide on differences from −1 to 1, one for each query, above 0 where the new run does better.

    A loss is held to ``level``, which follows from a sequence where there is one; a gain to ``alpha``. A loss that is
    shown counts however small it is: small losses add up over many changes.

    >>> import numpy as np
    >>> [str(decide_gate(np.array(each * 30)).outcome) for each in ([0.1, 0.0], [-0.1, 0.0], [0.01, -0.01], [1, -1])]
    ['better', 'loss', 'no_loss', 'cannot_tell']
    """
    parts = PairParts(measure=pair_test(differences))
    harm = harm_bounds(differences, margin=margin)
    verdict = judge_pair(parts, alpha=level if parts.measure.favours < 0 else alpha)
    outcome = _choose(parts.measure, verdict, harm)
    return GateDecision(outcome=outcome, parts=parts, verdict=verdict, harm=harm, level=level)


def _choose(test: PairTest, verdict: PairVerdict, harm: HarmBounds) -> GateOutcome:
    if not test.differing:
        return GateOutcome.NO_LOSS  # whatever the bound says of other queries: a year of unchanged code stays green
    if verdict.verdict is Verdict.A:
        return GateOutcome.LOSS
    if verdict.verdict is Verdict.B:
        return GateOutcome.BETTER
    return GateOutcome.NO_LOSS if harm.is_excluded(1) else GateOutcome.CANNOT_TELL


def _queries_needed(test: PairTest, harm: HarmBounds, level: float) -> float:
    """Enough to exclude a loss beyond the margin or to show one, if the mean is as it seems; a gain counts as none."""
    mean = min(0.0, test.mean)
    to_exclude = queries_to_exclude(mean, test.sd, harm.margin, power=POWER)
    has_loss = mean < 0 and test.sd > 0
    to_show = float(queries_needed(-mean, np.array([test.sd]), alpha=level, power=POWER)[0]) if has_loss else math.inf
    return max(float(test.n + 1), min(to_exclude, to_show))
