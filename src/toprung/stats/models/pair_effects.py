"""In which way may one run be better than another? Pairs from a board model with one effect and no other.

Real gains are rarely even: a reranker finds the same answers sooner, a better first stage answers more. What a rule
sees of each is for a simulation to say.
"""

from __future__ import annotations

import math
from enum import StrEnum
from functools import lru_cache

import numpy as np

from toprung.errors import InputError
from toprung.stats.inputs import Bools, Floats
from toprung.stats.models.board_model import FARTHEST_SHIFT, HARDNESSES, KINSHIP, BoardModel, Levels


class RunEffect(StrEnum):
    """How the second run of a pair is better in the mean score."""

    OVERALL = "overall"
    """In everything: the next submission of a board that is truly better."""
    RANKING = "ranking"
    """It answers as many queries, and finds the answers sooner."""
    ANSWERED = "answered"
    """It answers queries that neither would have answered, as high as others; else it is as good as the first."""

    @property
    def needs_ranks(self) -> bool:
        return self is not RunEffect.OVERALL


def draw_pair(
    model: BoardModel,
    effect: RunEffect,
    gain: float,
    *,
    queries: int,
    rng: np.random.Generator,
    kinship: float = KINSHIP,
) -> tuple[Levels, Levels]:
    """Two successive submissions, kin as on a board, the second better by ``gain`` in expectation.

    For each query the place of its level in the model.

    >>> from toprung.stats.models.board_model import ms_marco_like
    >>> model, rng = ms_marco_like(), np.random.default_rng(1)
    >>> holder, run = draw_pair(model, RunEffect.RANKING, 0.05, queries=200_000, rng=rng)
    >>> round(float(model.scores[run].mean() - model.scores[holder].mean()), 2)
    0.05
    """
    if effect.needs_ranks and model.ranks is None:
        raise InputError(f"effect: found '{effect}' with scores; expected ranks, or the effect 'overall'.")
    if effect is RunEffect.OVERALL:
        holder, run = model.draw([model.mean, model.mean + gain], queries=queries, rng=rng, kinship=kinship)
        return holder, run
    latent = model.draw_latent([0.0, 0.0], queries=queries, rng=rng, kinship=kinship)
    holder, run = model.to_levels(latent)
    if effect is RunEffect.RANKING:
        sooner = model.to_levels(latent[1] + _ranking_shift(model, gain))
        return holder, np.where(_is_answered(model, run), sooner, run)
    return holder, _answer_more(model, holder, run, _chance_to_answer(model, gain, kinship), rng)


def _is_answered(model: BoardModel, levels: Levels) -> Bools:
    found: Bools = levels >= _first_answered(model)
    return found


def _first_answered(model: BoardModel) -> int:
    """The place of the worst level at which a query is answered."""
    return 0 if model.ranks is None or model.ranks[0] else 1


@lru_cache(maxsize=64)
def _ranking_shift(model: BoardModel, gain: float) -> float:
    """What must be added to answered queries for this gain in the mean."""
    from scipy.optimize import brentq
    from scipy.special import ndtr

    start = _first_answered(model)
    steps, edges = np.diff(model.scores), model.edges

    def expected(shift: float) -> float:
        moved = edges - shift
        moved[:start] = edges[:start]
        return float(model.scores[-1] - steps @ ndtr(np.maximum(moved, edges[start - 1] if start else -math.inf)))

    if gain == 0:
        return 0.0
    if not 0 < gain < expected(FARTHEST_SHIFT) - model.mean:
        raise InputError(f"gain: found {gain:g}; expected what the ranking alone can give.")
    return float(brentq(lambda shift: expected(shift) - model.mean - gain, 0.0, FARTHEST_SHIFT, xtol=1e-10))


def _answer_more(model: BoardModel, holder: Levels, run: Levels, chance: float, rng: np.random.Generator) -> Levels:
    """With this chance each query that neither answers is answered by the run, as high as any that is answered."""
    start = _first_answered(model)
    shares: Floats = model.shares[start:] / model.shares[start:].sum()
    chosen = ~_is_answered(model, holder) & ~_is_answered(model, run) & (rng.random(len(run)) < chance)
    changed = run.copy()
    changed[chosen] = start + rng.choice(len(shares), size=int(chosen.sum()), p=shares)
    return changed


@lru_cache(maxsize=64)
def _chance_to_answer(model: BoardModel, gain: float, kinship: float) -> float:
    """For this gain in the mean, of a query that neither of two kin submissions answers."""
    start = _first_answered(model)
    answered = float(model.shares[start:] @ model.scores[start:] / model.shares[start:].sum())
    chance = gain / answered / _share_of_neither(model, kinship) if start else math.inf
    if not 0 <= chance <= 1:
        raise InputError(
            f"gain: found {gain:g}; expected what answering more can give: few queries are left to answer."
        )
    return chance


def _share_of_neither(model: BoardModel, kinship: float) -> float:
    """The chance that two kin submissions both miss, evenly over how hard a query is for both."""
    from scipy.special import ndtr, ndtri

    common = model.latent + (1 - model.latent) * kinship
    hardness = ndtri((np.arange(HARDNESSES) + 0.5) / HARDNESSES)
    missed = ndtr((model.edges[0] - math.sqrt(common) * hardness) / math.sqrt(1 - common))
    return float(np.mean(missed**2))


def can_give(model: BoardModel, effect: RunEffect, gain: float) -> bool:
    """Whether the better run of a pair can be better by so much in this way alone."""
    try:
        draw_pair(model, effect, gain, queries=1, rng=np.random.default_rng(0))
    except InputError:
        return False
    return True
