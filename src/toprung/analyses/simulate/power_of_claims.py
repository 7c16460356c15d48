"""How often does a run that is truly better pass? Many pairs of holder and challenger, with one effect at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from toprung.analyses.simulate.crowns import CrownRule
from toprung.boards.engine.claims import hold_to_level
from toprung.boards.engine.gains import smallest_gain
from toprung.boards.engine.parts import PairParts, parts_of_ranks
from toprung.stats.intervals.wilson import wilson_interval
from toprung.stats.models.board_model import BoardModel
from toprung.stats.models.monte_carlo import CONFIDENCE, Mean
from toprung.stats.models.pair_effects import RunEffect, draw_pair
from toprung.stats.tests.pair import pair_test

AT_CLAIMS = (1, 10, 50)
"""At which claim of a board power is looked at, none of those before having passed."""


@dataclass(frozen=True, kw_only=True)
class ClaimPower:
    """The share of pairs in which the better run passes as claim ``t`` of a board."""

    rule: CrownRule
    effect: RunEffect
    gain: float
    t: int
    passed: Mean


def power_of_claims(
    model: BoardModel,
    effect: RunEffect,
    gain: float,
    *,
    rules: Sequence[CrownRule],
    queries: int,
    pairs: int,
    seed: np.random.SeedSequence | int = 0,
    claims: Sequence[int] = AT_CLAIMS,
) -> list[ClaimPower]:
    """Draw pairs from the model, and let the engine decide the claim of the second over the first.

    >>> from toprung.analyses.simulate.crowns import make_rules
    >>> from toprung.stats.models.board_model import ms_marco_like
    >>> from toprung.stats.sequences.online import SteadyGamma
    >>> rules = make_rules(["measure"], [SteadyGamma()], alpha=0.05)
    >>> found = power_of_claims(ms_marco_like(), RunEffect.OVERALL, 0.1, rules=rules, queries=2_000, pairs=20)
    >>> [(each.t, each.passed.estimate) for each in found]
    [(1, 1.0), (10, 1.0), (50, 1.0)]
    """
    rng = np.random.default_rng(seed)
    drawn = [_draw_parts(model, effect, gain, queries, rng) for _ in range(pairs)]
    return [
        ClaimPower(rule=rule, effect=effect, gain=gain, t=t, passed=_share([_passes(each, rule, t) for each in drawn]))
        for rule in rules
        if rule.has_levels
        for t in claims
    ]


def gains_seen(model: BoardModel, rule: CrownRule, *, queries: int) -> dict[int, float]:
    """The smallest gain that a claim could see four times in five, at some claims; empty where none has a level."""
    if not rule.has_levels:
        return {}
    levels = {t: rule.at_claim(t).next_level for t in AT_CLAIMS}
    return {t: smallest_gain(model.spread, queries, level=levels[t], rule=rule.asks) for t in AT_CLAIMS}


def _draw_parts(model: BoardModel, effect: RunEffect, gain: float, queries: int, rng: np.random.Generator) -> PairParts:
    holder, run = draw_pair(model, effect, gain, queries=queries, rng=rng)
    if model.ranks is None:
        return PairParts(measure=pair_test(model.scores[run] - model.scores[holder]))
    ranks = model.ranks.astype(np.int32)
    return parts_of_ranks(ranks[holder], ranks[run])


def _passes(parts: PairParts, rule: CrownRule, t: int) -> bool:
    decision, _ = hold_to_level(parts, state=rule.at_claim(t), rule=rule.asks)
    return decision.is_rejected


def _share(passed: Sequence[bool]) -> Mean:
    n = len(passed)
    low, high = wilson_interval(sum(passed), n, CONFIDENCE)
    return Mean(estimate=sum(passed) / n, low=low, high=high, n=n)
