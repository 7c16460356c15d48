"""In which parts do two runs differ? The measure itself and, where first ranks exist, answered and ranking.

B is the challenger or newer run, A the holder or baseline; a difference is B less A, above 0 where B does better.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from toprung.boards.engine.margins import USUAL_MARGINS, Margins
from toprung.boards.outcomes import Ranks
from toprung.data.matrices import FirstRanks, ScoreTable, reciprocal_ranks
from toprung.scoring.catalogue import higher_is_better
from toprung.stats.finding import sign_of
from toprung.stats.inputs import Floats
from toprung.stats.intervals.harm import HarmBounds, harm_bounds
from toprung.stats.tests.binomial import exact_binomial_p
from toprung.stats.tests.pair import PairTest, check_differences, pair_test


@dataclass(frozen=True, kw_only=True)
class PairParts:
    """What is known of a pair; all but ``measure`` is None where there are no first ranks.

    ``answered`` tests which queries only one of the two answers, ``ranking`` RR where both answer. The harm bounds are
    those of the same two differences.
    """

    measure: PairTest
    answered: PairTest | None = None
    ranking: PairTest | None = None
    answered_harm: HarmBounds | None = None
    ranking_harm: HarmBounds | None = None

    @property
    def has_ranks(self) -> bool:
        return self.answered is not None

    def is_harm_excluded(self, side: int) -> bool:
        """Whether the run of that side (+1 B, −1 A) does no harm beyond the margins, in neither part."""
        bounds = (self.answered_harm, self.ranking_harm)
        return all(each is not None and each.is_excluded(side) for each in bounds)


def find_parts(matrix: FirstRanks | ScoreTable, a: str, b: str, *, margins: Margins = USUAL_MARGINS) -> PairParts:
    """The parts of the pair; a ScoreTable has the measure alone.

    >>> ranks = FirstRanks(query_ids=tuple("abcd"), runs=("old", "new"), cutoff=10,
    ...                    values=np.array([[2, 1], [2, 1], [0, 1], [0, 0]], dtype=np.int32))
    >>> found = find_parts(ranks, "old", "new")
    >>> found.measure.p, found.answered.p, found.ranking.p, found.ranking_harm.n
    (0.25, 1.0, 0.5, 2)
    """
    if isinstance(matrix, FirstRanks):
        return parts_of_ranks(matrix.column(a), matrix.column(b), margins=margins)
    differences = check_differences(matrix.column(a), matrix.column(b), measure=matrix.measure)
    return PairParts(measure=pair_test(differences if higher_is_better(matrix.measure) else -differences))


def parts_of_ranks(a: Ranks, b: Ranks, *, margins: Margins = USUAL_MARGINS) -> PairParts:
    """The parts of two columns of first ranks (0 = not found), query by query."""
    differences = reciprocal_ranks(b) - reciprocal_ranks(a)
    answered = (b > 0).astype(np.float64) - (a > 0)
    both = differences[(a > 0) & (b > 0)]
    return PairParts(
        measure=pair_test(differences),
        answered=_answered_test(answered),
        ranking=pair_test(both),
        answered_harm=harm_bounds(answered, margin=margins.answered),
        ranking_harm=harm_bounds(both, margin=margins.ranking),
    )


def _answered_test(answered: Floats) -> PairTest:
    """The exact test of the queries that only one of the two answers: case 2 of Lin et al. 2021."""
    only_b, only_a = int(np.count_nonzero(answered > 0)), int(np.count_nonzero(answered < 0))
    return PairTest(
        p=float(exact_binomial_p(only_b, only_a + only_b)),
        favours=sign_of(only_b - only_a),
        mean=float(answered.mean()) if len(answered) else float("nan"),
        sd=float(answered.std(ddof=1)) if len(answered) > 1 else float("nan"),
        n=len(answered),
        differing=only_a + only_b,
    )


def differences_of(scores: ScoreTable, a: str, runs: Sequence[str]) -> Floats:
    """Each of some runs less A, queries × runs, above 0 where the run does better."""
    sign = 1.0 if higher_is_better(scores.measure) else -1.0
    return sign * (scores.select(list(runs)).values - scores.column(a)[:, None])
