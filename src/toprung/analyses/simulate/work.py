"""How is a simulation cut into pieces of work? Boards by the ten, attacks and pairs one by one, on some workers."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from toprung.analyses.simulate.boards import Setting, attack_releases, live_boards
from toprung.analyses.simulate.crowns import CrownRule
from toprung.analyses.simulate.figures import ReleaseFigures, RuleFigures, summarise_attacks, summarise_lives
from toprung.analyses.simulate.power_of_claims import ClaimPower, power_of_claims
from toprung.boards.disclosure.luck import spread_of
from toprung.boards.disclosure.release import Release
from toprung.stats.models.board_model import BoardModel
from toprung.stats.models.pair_effects import RunEffect, can_give

type Spread = Callable[..., list[Any]]
"""Does a piece of work for each of many things, on some workers."""

BOARDS_PER_PIECE = 10


def count_steps(*, boards: int, attack: int, attackers: int, n_gains: int = 0, has_ranks: bool = True) -> int:
    """How often progress is reported; at most; ``n_gains`` are those that power is asked for."""
    n_effects = len([effect for effect in RunEffect if has_ranks or not effect.needs_ranks])
    return math.ceil(boards / BOARDS_PER_PIECE) + (attackers if attack else 0) + n_gains * n_effects


def compare_rules(
    rules: tuple[CrownRule, ...], seed: np.random.SeedSequence, *, setting: Setting, model: BoardModel, spread: Spread
) -> tuple[RuleFigures, ...]:
    work = partial(live_boards, setting=setting, model=model, rules=rules)
    pieces = spread(work, _cut(seed.spawn(setting.boards), BOARDS_PER_PIECE))
    lives = [lives for piece in pieces for lives in piece]
    return summarise_lives(rules, lives, model=model, queries=setting.queries)


def find_power(
    rules: tuple[CrownRule, ...], seed: np.random.SeedSequence, *, setting: Setting, model: BoardModel, spread: Spread
) -> tuple[ClaimPower, ...]:
    """Of each rule with its first γ; the same pairs for all rules. What a model cannot give is left out."""
    if not setting.pairs:
        return ()
    first = tuple({rule.name: rule for rule in reversed(rules) if rule.has_levels}.values())[::-1]
    asked = [
        (effect, gain) for effect in RunEffect for gain in sorted(set(setting.gains)) if can_give(model, effect, gain)
    ]
    work = partial(_power_of, rules=first, setting=setting, model=model)
    pieces = spread(work, list(zip(asked, seed.spawn(len(asked)), strict=True)))
    return tuple(each for piece in pieces for each in piece)


def _power_of(
    asked: tuple[tuple[RunEffect, float], np.random.SeedSequence],
    *,
    rules: tuple[CrownRule, ...],
    setting: Setting,
    model: BoardModel,
) -> list[ClaimPower]:
    (effect, gain), seed = asked
    return power_of_claims(model, effect, gain, rules=rules, queries=setting.queries, pairs=setting.pairs, seed=seed)


def compare_releases(
    releases: Sequence[Release],
    seed: np.random.SeedSequence,
    *,
    setting: Setting,
    model: BoardModel,
    measure: str,
    spread: Spread,
) -> tuple[ReleaseFigures, ...]:
    if not setting.attack:
        return ()
    on_hidden = tuple(each.on_hidden(setting.queries, spread=spread_of(measure)) for each in releases)
    work = partial(attack_releases, setting=setting, model=model, releases=on_hidden)
    return summarise_attacks(releases, spread(work, seed.spawn(setting.attackers)))


def _cut[T](things: Sequence[T], size: int) -> list[Sequence[T]]:
    return [things[start : start + size] for start in range(0, len(things), size)]
