"""How dark is a score? Seven steps of the ramp: the lowest, five bands, the highest."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from toprung.report.charts.tokens import RAMP

BANDS = len(RAMP) - 2
LEAST_OF_ONE = 0.5
"""From here on the scale of a measure between 0 and 1 ends at 1."""


@dataclass(frozen=True, kw_only=True)
class ScoreSteps:
    """A scale of scores, from its lowest to its highest."""

    low: float
    high: float

    @classmethod
    def around(cls, scores: NDArray[np.float64]) -> ScoreSteps:
        """From 0 where none is below it; up to 1 where that is not far off.

        >>> ScoreSteps.around(np.array([0.2, 0.75])), ScoreSteps.around(np.array([3.0, -1.0]))
        (ScoreSteps(low=0.0, high=1.0), ScoreSteps(low=-1.0, high=3.0))
        """
        known = scores[~np.isnan(scores)]
        low, high = (min(0.0, float(known.min())), float(known.max())) if known.size else (0.0, 1.0)
        return cls(low=low, high=1.0 if low == 0 and LEAST_OF_ONE <= high <= 1 else max(high, low))

    def step_of(self, score: float) -> int:
        """The place of a score on the ramp.

        >>> [ScoreSteps(low=0, high=1).step_of(score) for score in (0, 0.19, 0.2, 0.99, 1)]
        [0, 1, 2, 5, 6]
        """
        if score <= self.low:
            return 0
        share = (score - self.low) / (self.high - self.low)
        return BANDS + 1 if share >= 1 else 1 + min(int(BANDS * share + 1e-12), BANDS - 1)

    @property
    def names(self) -> tuple[str, ...]:
        """Of the steps, for the legend.

        >>> ScoreSteps(low=0, high=1).names
        ('0', '0–0.2', '0.2–0.4', '0.4–0.6', '0.6–0.8', '0.8–1', '1')
        """
        edges = [f"{edge:.3g}".replace("-", "−") for edge in np.linspace(self.low, self.high, BANDS + 1).tolist()]
        return (edges[0], *(f"{a}–{b}" for a, b in pairwise(edges)), edges[-1])
