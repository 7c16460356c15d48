"""One effect and no other: what changes between two runs of a pair, and what does not."""

from __future__ import annotations

import numpy as np
import pytest

from toprung.errors import InputError
from toprung.stats.models.board_model import BoardModel, ms_marco_like
from toprung.stats.models.pair_effects import RunEffect, can_give, draw_pair

QUERIES = 400_000


def drawn(effect: RunEffect, gain: float) -> tuple[float, float, float]:
    """The gain in the mean, in the share answered, and in RR where both answer."""
    model = ms_marco_like()
    holder, run = draw_pair(model, effect, gain, queries=QUERIES, rng=np.random.default_rng(5))
    differences = model.scores[run] - model.scores[holder]
    both = (holder > 0) & (run > 0)
    answered = np.mean(run > 0) - np.mean(holder > 0)
    return float(differences.mean()), float(answered), float(differences[both].mean())


@pytest.mark.parametrize("gain", [0.02, 0.03])
def test_every_effect_gives_the_gain_in_the_mean(gain: float) -> None:
    for effect in RunEffect:
        assert drawn(effect, gain)[0] == pytest.approx(gain, abs=0.002)


def test_a_gain_in_ranking_leaves_the_share_answered() -> None:
    _, answered, both = drawn(RunEffect.RANKING, 0.03)
    assert answered == pytest.approx(0, abs=0.001)
    assert both > 0.03


def test_a_gain_in_answers_leaves_the_ranking_where_both_answer() -> None:
    _, answered, both = drawn(RunEffect.ANSWERED, 0.02)
    assert answered == pytest.approx(0.02 / (0.4 / 0.89), abs=0.002), "answers are worth .4/.89 in the mean"
    assert both == pytest.approx(0, abs=0.002)


def test_nothing_gained_is_a_pair_of_equals() -> None:
    for effect in RunEffect:
        assert drawn(effect, 0.0) == pytest.approx((0, 0, 0), abs=0.002)


def test_what_cannot_be_given_is_refused() -> None:
    model, rng = ms_marco_like(), np.random.default_rng(1)
    with pytest.raises(InputError, match=r"gain: found 0\.1; expected what answering more can give"):
        draw_pair(model, RunEffect.ANSWERED, 0.1, queries=10, rng=rng)
    with pytest.raises(InputError, match=r"gain: found 0\.6; expected what the ranking alone can give"):
        draw_pair(model, RunEffect.RANKING, 0.6, queries=10, rng=rng)
    assert [can_give(model, effect, 0.1) for effect in RunEffect] == [True, True, False]


def test_where_everything_is_answered_nothing_more_can_be() -> None:
    model = BoardModel.of_ranks(np.random.default_rng(2).integers(1, 9, (60, 3)))
    assert [can_give(model, effect, 0.01) for effect in RunEffect] == [True, True, False]
