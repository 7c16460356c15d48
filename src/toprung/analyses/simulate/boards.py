"""What happens on a simulated board? Its setting, its submissions, and its life under every rule and release."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from toprung.analyses.simulate.attack import ATTACKS, Inflation, attack
from toprung.analyses.simulate.crowns import CrownRule, Life, SimulatedBoard, live
from toprung.boards.disclosure.release import Release
from toprung.errors import InputError
from toprung.stats.finding import MEAN_DIGITS
from toprung.stats.inputs import check_share
from toprung.stats.models.board_model import BoardModel

LEAST_QUERIES = 10
LEAST = {
    "queries": LEAST_QUERIES,
    "submissions": 2,
    "improvements": 0,
    "boards": 1,
    "attackers": 2,
    "pairs": 0,
    "seed": 0,
}
# More would not end in a person's time, nor fit into memory.
MOST = {"boards": 1_000_000, "attack": 1_000_000, "attackers": 10_000, "pairs": 1_000_000}
# A board of so many queries × submissions takes about 2 GB while it is made.
MOST_CELLS = 50_000_000


@dataclass(frozen=True, kw_only=True)
class Setting:
    """What is simulated, and what is unless something else is asked for."""

    queries: int = 5_793
    """As many as MS MARCO document ranking has to develop on."""
    submissions: int = 60
    improvements: int = 2
    """How many submissions are truly better than all before."""
    gains: tuple[float, ...] = (0.01, 0.02)
    """By how much each is better in the mean, in turn."""
    follow: float = 0.2
    """The share of the other submissions that are as good as the best before them; the rest is as good as the first."""
    boards: int = 200
    attack: int = 1_000
    """How many runs the team hands in that is no better; 0 for no such team."""
    attackers: int = 10
    pairs: int = 0
    """How many pairs show how often a better run passes, for each way to be better; 0 for none."""
    alpha: float = 0.05
    seed: int = 0

    def __post_init__(self) -> None:
        for name, least in LEAST.items():
            if getattr(self, name) < least:
                raise InputError(f"{name}: found {getattr(self, name)}; expected at least {least}.")
        for name, most in MOST.items():
            if getattr(self, name) > most:
                raise InputError(f"{name}: found {getattr(self, name):,}; expected at most {most:,}.")
        if self.improvements >= self.submissions:
            raise InputError(
                f"improvements: found {self.improvements} among {self.submissions} submissions; expected fewer, since "
                "the first is what others are better than."
            )
        if self.improvements and not (self.gains and all(0 < gain < math.inf for gain in self.gains)):
            raise InputError(f"gains: found {list(self.gains)}; expected numbers above 0.")
        if self.attack < 0 or self.attack == 1:
            raise InputError(f"attack: found {self.attack}; expected at least 2 runs, or 0 for no attack.")
        if not 0 <= self.follow <= 1:
            raise InputError(f"follow: found {self.follow:g}; expected a share from 0 to 1.")
        if self.queries * self.submissions > MOST_CELLS:
            raise InputError(
                f"Found {self.queries:,} queries × {self.submissions:,} submissions; expected at most {MOST_CELLS:,} "
                "cells a board. Simulate fewer queries: what matters is their number times the gain squared."
            )
        check_share(self.alpha, name="alpha")

    @property
    def all_gains(self) -> tuple[float, ...]:
        """One for each improvement."""
        return tuple(self.gains[each % len(self.gains)] for each in range(self.improvements))

    @property
    def distinct_gains(self) -> tuple[float, ...]:
        """Those that some improvement has, the smallest first."""
        return tuple(sorted(set(self.all_gains)))


def live_boards(
    seeds: Sequence[np.random.SeedSequence], *, setting: Setting, model: BoardModel, rules: Sequence[CrownRule]
) -> list[tuple[Life, ...]]:
    """For each board its life under each rule."""
    boards = (draw_board(model, setting, np.random.default_rng(seed)) for seed in seeds)
    return [tuple(live(board, rule) for rule in rules) for board in boards]


def draw_board(model: BoardModel, setting: Setting, rng: np.random.Generator) -> SimulatedBoard:
    """Submissions of which some, at random times, are truly better."""
    arrivals = np.sort(1 + rng.choice(setting.submissions - 1, size=setting.improvements, replace=False))
    gains = dict(zip(arrivals.tolist(), rng.permutation(setting.all_gains).tolist(), strict=True))
    follows = rng.random(setting.submissions) < setting.follow
    best = model.mean
    qualities = np.full(setting.submissions, best)
    for each in range(1, setting.submissions):
        best += gains.get(each, 0.0)
        if each in gains or follows[each]:
            qualities[each] = best
    levels = model.draw(qualities.tolist(), queries=setting.queries, rng=rng)
    scores = model.scores[levels]
    return SimulatedBoard(
        scores=scores,
        ranks=None if model.ranks is None else model.ranks[levels].astype(np.int32),
        means=scores.mean(axis=1).round(MEAN_DIGITS),
        qualities=qualities,
        improvements=gains,
    )


def attack_releases(
    seed: np.random.SeedSequence, *, setting: Setting, model: BoardModel, releases: Sequence[Release]
) -> list[dict[str, Inflation]]:
    """For each release what each attack gains: the same team with the same luck."""
    of_answers, of_picks = seed.spawn(2)
    levels = model.draw([model.mean] * 2, queries=setting.queries, rng=np.random.default_rng(of_answers), kinship=0.0)
    scores = model.scores[levels]
    return [
        {
            name: attack(name, scores, release, submissions=setting.attack, rng=np.random.default_rng(of_picks))
            for name in ATTACKS
        }
        for release in releases
    ]
