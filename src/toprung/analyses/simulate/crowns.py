"""Who is crowned when? One board, its submissions in the order they came, lived through under one rule after another.

A claim is every submission that scores above the holder; the rules differ in what they ask of it. Claims are judged as
on a real board, by ``claim_p`` and ``OnlineTest``.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from toprung.boards.lin2021.verdict import Facet, LinRule, claim_p, with_least_p
from toprung.boards.succession import Entrant, succeed
from toprung.errors import InputError
from toprung.stats.inputs import Floats
from toprung.stats.models.challengers import MeanTests, Ranks, challenge_by_ranks, challenge_by_scores
from toprung.stats.sequences.online import Gamma, OnlineTest

type RuleName = Literal["score", "naive", "no_harm", "spending", "significant"]

RULE_NAMES: tuple[RuleName, ...] = get_args(RuleName.__value__)
NEVER = math.inf


@dataclass(frozen=True, kw_only=True)
class EveryTime:
    """All of α for every claim and for each of its facets, as if it were the only one."""

    facets: int

    def __call__(self, t: int) -> float:  # noqa: ARG002 - each claim is held to the same
        return float(self.facets)  # for p of a claim is so many times the smallest


@dataclass(frozen=True, kw_only=True)
class CrownRule:
    """What a claim must show, and the level it is held to; ``gamma`` is None where α is not shared out.

    "score" asks for nothing but a higher score. All others ask for no harm, "significant" for both facets: "naive" in
    any facet at α each time, "spending" at each claim's own share of α, the rest at the level of online fallback.
    Ranks have two facets; scores have one, the mean, tested by the paired t-test.
    """

    name: RuleName
    alpha: float
    gamma: Gamma | None
    facets: int = 2

    @property
    def asks(self) -> LinRule:
        return LinRule.SIGNIFICANT if self.name == "significant" else LinRule.NO_HARM

    def start(self) -> OnlineTest:
        gamma = EveryTime(facets=self.facets) if self.gamma is None else self.gamma
        return OnlineTest(alpha=self.alpha, gamma=gamma, hands_on=self.name in {"no_harm", "significant"})


def make_rules(
    names: Sequence[str], gammas: Sequence[Gamma], *, alpha: float, has_ranks: bool = True
) -> tuple[CrownRule, ...]:
    """The rules by name: "no_harm" once for each γ, "spending" and "significant" for the first."""
    if unknown := [name for name in names if name not in RULE_NAMES]:
        raise InputError(f"rules: found '{unknown[0]}'; expected some of {', '.join(RULE_NAMES)}.")
    if not names or not gammas:
        raise InputError("Found no rule or no γ to compare; expected at least one of each.")
    if not has_ranks and "significant" in names:
        raise InputError("rules: found 'significant' with scores; expected ranks: scores have one facet, not two.")
    return tuple(_make_rules(names, gammas, alpha, facets=2 if has_ranks else 1))


def _make_rules(names: Sequence[str], gammas: Sequence[Gamma], alpha: float, *, facets: int) -> Iterator[CrownRule]:
    for name in RULE_NAMES:
        if name not in names:
            continue
        shared: Sequence[Gamma | None] = gammas if name == "no_harm" else gammas[:1]
        for gamma in [None] if name in {"score", "naive"} else shared:
            yield CrownRule(name=name, alpha=alpha, gamma=gamma, facets=facets)


@dataclass(frozen=True, eq=False, kw_only=True)
class SimulatedBoard:
    """Submissions in the order they came, the first of which holds at the start.

    ``scores`` and, where there are ranks, ``ranks`` are submissions × queries; higher scores are better. ``qualities``
    are the true ones; ``improvements`` says which submissions are truly better than all before, in order, and by how
    much.
    """

    scores: Floats
    ranks: Ranks | None
    means: Floats
    """The mean scores, rounded as those that are compared."""
    qualities: Floats
    improvements: Mapping[int, float]

    def claim_p(self, run: int, holder: int, *, rule: LinRule, alpha: float) -> float:
        """The p-value of a claim; those of all claims that this holder may meet are computed at once."""
        key = holder, rule, alpha
        if key not in self._claim_ps:
            p = np.full(len(self.means), np.nan)
            runs = holder + 1 + np.flatnonzero(self.means[holder + 1 :] > self.means[holder])
            p[runs] = self._test(runs, holder, rule, alpha)
            self._claim_ps[key] = p
        return float(self._claim_ps[key][run])

    @cached_property
    def entrants(self) -> list[Entrant[int]]:
        return [Entrant(run=run, score=score) for run, score in enumerate(self.means.tolist())]

    @cached_property
    def _claim_ps(self) -> dict[tuple[int, LinRule, float], Floats]:
        return {}

    def _test(self, runs: NDArray[np.intp], holder: int, rule: LinRule, alpha: float) -> Floats:
        if self.ranks is None:
            scores = _facet(challenge_by_scores(self.scores[holder], self.scores[runs]), towards_run=1)
            return np.where(scores.favours > 0, scores.p, 1.0)
        found = challenge_by_ranks(self.ranks[holder], self.ranks[runs])
        answered = Facet.of(found.answered_p, found.answered_direction)
        return claim_p(answered, _facet(found.ranking, towards_run=-1), rule=rule, alpha=alpha)


def _facet(tests: MeanTests, *, towards_run: int) -> Facet:
    return Facet.of(with_least_p(tests.p, tests.is_constant, tests.n), towards_run * tests.direction)


@dataclass(frozen=True, kw_only=True)
class Life:
    """What became of a board under a rule.

    A crown is false if the run is not truly better than the holder it replaced. ``gains`` says for each true
    improvement by how much it is better, ``waits`` after how many submissions the holder was as good: 0 if it was
    crowned itself, infinite if that did not happen before the next improvement came. ``last_level`` is NaN where α is
    not shared out, or nothing was tested.
    """

    crowns: int
    false_crowns: int
    gains: tuple[float, ...]
    waits: tuple[float, ...]
    last_level: float
    regret: float
    """The best true quality that was submitted less that of the last holder."""


@dataclass(kw_only=True)
class _ClaimsByRule:
    """Claims are heard one after another, as the rule has it."""

    board: SimulatedBoard
    rule: CrownRule
    state: OnlineTest
    last_level: float = math.nan

    def is_supported(self, entrant: Entrant[int], holder: Entrant[int]) -> bool:
        if self.rule.name == "score":
            return True
        p = self.board.claim_p(entrant.run, holder.run, rule=self.rule.asks, alpha=self.rule.alpha)
        decision, self.state = self.state.decide(p)
        self.last_level = math.nan if self.rule.gamma is None else decision.level
        return decision.is_rejected


def live(board: SimulatedBoard, rule: CrownRule) -> Life:
    """Let the submissions come, one after another."""
    claims = _ClaimsByRule(board=board, rule=rule, state=rule.start())
    holder, holders = None, list[int]()
    for entrant in board.entrants:
        holder = succeed(holder, entrant, is_supported=claims.is_supported)
        holders.append(holder.run)
    held = board.qualities[holders]
    is_crown = np.diff(holders) > 0
    return Life(
        crowns=int(is_crown.sum()),
        false_crowns=int((is_crown & (np.diff(held) <= 0)).sum()),
        gains=tuple(board.improvements.values()),
        waits=tuple(_waits(board, held)),
        last_level=claims.last_level,
        regret=float(board.qualities.max() - held[-1]),
    )


def _waits(board: SimulatedBoard, held: Floats) -> Iterator[float]:
    """``held`` is the true quality of the holder after each submission."""
    for start, end in pairwise([*board.improvements, len(held)]):
        reached = np.flatnonzero(held[start:end] >= board.qualities[start])
        yield float(reached[0]) if len(reached) else NEVER
