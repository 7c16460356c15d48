"""Who is crowned when? One board, its submissions in the order they came, lived through under one rule after another.

A claim is every submission that scores above the holder; the rules differ in what they ask of it. Claims are decided by
the engine itself, as on a real board: the parts of a pair are found once, and shared by all rules.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Literal, get_args

import numpy as np

from toprung.boards.engine.claims import hold_to_level
from toprung.boards.engine.parts import PairParts, parts_of_ranks
from toprung.boards.engine.rules import Rule, claim_p
from toprung.boards.outcomes import Ranks
from toprung.boards.succession import Entrant, succeed
from toprung.errors import InputError
from toprung.stats.inputs import Floats
from toprung.stats.sequences.online import Gamma, OnlineTest
from toprung.stats.tests.pair import pair_test

type RuleName = Literal["score", "naive", "measure", "no_harm", "both"]

RULE_NAMES: tuple[RuleName, ...] = get_args(RuleName.__value__)
NEVER = math.inf


@dataclass(frozen=True, kw_only=True)
class CrownRule:
    """What a claim must show, and the level it is held to; ``gamma`` is None where α is not shared out.

    The names are those of the engine's rules, held to the levels of online fallback; "score" tests nothing, and "naive"
    asks for the measure at all of α, every time.
    """

    name: RuleName
    alpha: float
    gamma: Gamma | None

    @property
    def asks(self) -> Rule:
        return Rule.MEASURE if self.name == "naive" else Rule(self.name)

    @property
    def has_levels(self) -> bool:
        return self.gamma is not None

    def at_claim(self, t: int) -> OnlineTest:
        """Where the sequence of claims stands before claim t, none of those before it having passed."""
        if self.gamma is None:
            raise InputError(f"rule: found '{self.name}'; expected one that shares alpha out over claims.")
        return OnlineTest(alpha=self.alpha, gamma=self.gamma, tested=t - 1)


def make_rules(
    names: Sequence[str], gammas: Sequence[Gamma], *, alpha: float, has_ranks: bool = True
) -> tuple[CrownRule, ...]:
    """The rules by name: the one that boards take by default with each γ, the others with the first."""
    if unknown := [name for name in names if name not in RULE_NAMES]:
        raise InputError(f"rules: found '{unknown[0]}'; expected some of {', '.join(RULE_NAMES)}.")
    if not names or not gammas:
        raise InputError("Found no rule or no γ to compare; expected at least one of each.")
    need_ranks = [name for name in names if name in list(Rule) and Rule(name).needs_ranks]
    if not has_ranks and need_ranks:
        raise InputError(f"rules: found '{need_ranks[0]}' with scores; expected ranks, or the rule 'measure'.")
    return tuple(_make_rules(names, gammas, alpha))


def _make_rules(names: Sequence[str], gammas: Sequence[Gamma], alpha: float) -> Iterator[CrownRule]:
    usual = "no_harm" if "no_harm" in names else "measure"
    for name in RULE_NAMES:
        if name not in names:
            continue
        shared: Sequence[Gamma | None] = gammas if name == usual else gammas[:1]
        for gamma in [None] if name in {"score", "naive"} else shared:
            yield CrownRule(name=name, alpha=alpha, gamma=gamma)


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
    _parts: dict[tuple[int, int], PairParts] = field(default_factory=dict, init=False, repr=False)

    def parts(self, run: int, holder: int) -> PairParts:
        """Those of a claim, found once."""
        key = run, holder
        if key not in self._parts:
            self._parts[key] = self._find_parts(run, holder)
        return self._parts[key]

    def _find_parts(self, run: int, holder: int) -> PairParts:
        if self.ranks is None:
            return PairParts(measure=pair_test(self.scores[run] - self.scores[holder]))
        return parts_of_ranks(self.ranks[holder], self.ranks[run])

    @cached_property
    def entrants(self) -> list[Entrant[int]]:
        return [Entrant(run=run, score=score) for run, score in enumerate(self.means.tolist())]


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
    state: OnlineTest | None
    last_level: float = math.nan

    def passes(self, entrant: Entrant[int], holder: Entrant[int]) -> bool:
        if not self.rule.asks.is_tested:
            return True
        parts = self.board.parts(entrant.run, holder.run)
        if self.state is None:
            return claim_p(parts, self.rule.asks) <= self.rule.alpha
        decision, self.state = hold_to_level(parts, state=self.state, rule=self.rule.asks)
        self.last_level = decision.level
        return decision.is_rejected


def live(board: SimulatedBoard, rule: CrownRule) -> Life:
    """Let the submissions come, one after another."""
    claims = _ClaimsByRule(board=board, rule=rule, state=rule.at_claim(1) if rule.has_levels else None)
    holder, holders = None, list[int]()
    for entrant in board.entrants:
        holder = succeed(holder, entrant, passes=claims.passes)
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
