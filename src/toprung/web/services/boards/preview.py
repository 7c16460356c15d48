"""What will this board be able to say? The smallest gain that each claim can show, by the engine that will decide them.

There are no runs yet, so how much two runs differ from query to query is taken from like boards: the median over pairs
of the twenty best runs of TREC Ad hoc 5 to 8 and Web 2010 to 2013, and for the first relevant document from the model
of MS MARCO that policies are simulated with.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from toprung.boards.engine.gains import smallest_gain
from toprung.boards.engine.rules import Rule
from toprung.scoring.catalogue import find_if_known, first_rank_of
from toprung.stats.sequences.online import DEFAULT_GAMMA, OnlineTest, PlannedGamma, read_gamma, spell_gamma
from toprung.web.core.store.plan import BoardPlan

FIRST_RANK = (0.26, 0.36, 0.47)
SPREADS = {"AP": (0.11, 0.17, 0.23), "nDCG": (0.13, 0.20, 0.25), "P": (0.20, 0.27, 0.32), "ERR": (0.10, 0.14, 0.25)}
"""The standard deviation of differences by query: for one pair in ten less, usual, for one pair in ten more."""
OTHERS = (0.12, 0.22, 0.32)
OTHER_SIZES = (50, 100, 300, 1_000, 3_000)
AT_CLAIMS = (1, 10, 50)
LISTED_CLAIMS = (1, 2, 5, 10, 20, 50, 100)
USUAL_CLAIMS = 50


@dataclass(frozen=True, kw_only=True)
class Preview:
    """A board of so many queries under these rules."""

    queries: int
    measure: str
    rule: str
    alpha: float
    gamma: str

    @classmethod
    def of(cls, plan: BoardPlan, queries: int) -> Preview:
        """Of a plan with nothing left open."""
        return cls(queries=queries, measure=plan.official_measure, rule=plan.rule, alpha=plan.alpha, gamma=plan.gamma)

    @property
    def is_tested(self) -> bool:
        return Rule(self.rule).is_tested

    @property
    def spread(self) -> tuple[float, float, float]:
        """Low, usual, high."""
        if first_rank_of(self.measure) is not None:
            return FIRST_RANK
        known = find_if_known(self.measure)
        name = "" if known is None else str(known).partition("@")[0].partition("(")[0]
        return SPREADS.get(name, OTHERS)

    def level(self, t: int, *, gamma: str | None = None) -> float:
        """What claim ``t`` is held to, if none before it passed."""
        return OnlineTest(alpha=self.alpha, gamma=read_gamma(gamma or self.gamma), tested=t - 1).next_level

    def gain(self, t: int, *, gamma: str | None = None, queries: int | None = None) -> float:
        """The smallest that claim ``t`` shows four times in five; infinite where it can show none."""
        return self._at_level(self.level(t, gamma=gamma), queries or self.queries)

    @property
    def sees_nothing(self) -> bool:
        """Whether the queries are too few for any claim to pass."""
        return math.isinf(self.gain(1))

    @property
    def claims(self) -> int:
        """How many are expected; where it was not said, what is usual."""
        gamma = read_gamma(self.gamma)
        return gamma.claims if isinstance(gamma, PlannedGamma) else USUAL_CLAIMS

    @property
    def by_claim(self) -> list[tuple[int, float, float]]:
        """The gains of some claims: where as many come as do, and where so many are expected."""
        planned = spell_gamma(PlannedGamma(claims=self.claims))
        steady = spell_gamma(DEFAULT_GAMMA)
        return [(t, self.gain(t, gamma=steady), self.gain(t, gamma=planned)) for t in LISTED_CLAIMS]

    @property
    def gain_of_one_test(self) -> float:
        """If there were one claim in all, with the whole of α."""
        return self._at_level(self.alpha, self.queries)

    def _at_level(self, level: float, queries: int) -> float:
        return smallest_gain(self.spread[1], queries, level=level, rule=Rule(self.rule))

    @property
    def by_queries(self) -> list[tuple[int, float]]:
        """The gain of the first claim on fewer and on more queries, these among them."""
        sizes = sorted({*OTHER_SIZES, self.queries})
        return [(each, self.gain(1, queries=each)) for each in sizes]
