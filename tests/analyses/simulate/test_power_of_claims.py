"""How often better runs pass: against the normal formula, and the figures that the engine must reach."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import norm

from toprung.analyses.simulate.crowns import RuleName, make_rules
from toprung.analyses.simulate.power_of_claims import AT_CLAIMS, gains_seen, power_of_claims
from toprung.errors import InputError
from toprung.stats.models.board_model import BoardModel, ms_marco_like
from toprung.stats.models.pair_effects import RunEffect
from toprung.stats.sequences.online import SteadyGamma


def shares(name: RuleName, effect: RunEffect, gain: float, *, pairs: int, queries: int = 5_793) -> list[float]:
    rules = make_rules([name], [SteadyGamma()], alpha=0.05)
    found = power_of_claims(ms_marco_like(), effect, gain, rules=rules, queries=queries, pairs=pairs, seed=1)
    assert [each.t for each in found] == list(AT_CLAIMS)
    return [each.passed.estimate for each in found]


def test_by_the_measure_power_is_that_of_a_paired_test() -> None:
    """Kin submissions differ by an sd of .277 in this model (measured on a million queries): z = gain·√n/sd."""
    found = shares("measure", RunEffect.OVERALL, 0.015, pairs=400)
    strength = 0.015 * np.sqrt(5_793) / 0.277
    levels = [0.05 * SteadyGamma()(t) for t in AT_CLAIMS]
    assert found == pytest.approx([norm.cdf(strength - norm.isf(level / 2)) for level in levels], abs=0.08)


def test_equal_runs_hardly_pass() -> None:
    """A gain of nothing: at most half of the first level, .002221, for the run must be above the holder."""
    assert max(shares("measure", RunEffect.RANKING, 0.0, pairs=300, queries=500)) <= 0.01


def test_what_a_claim_could_see_is_seen_four_times_in_five_by_runs_that_are_not_kin() -> None:
    model = ms_marco_like()
    (rule,) = make_rules(["measure"], [SteadyGamma()], alpha=0.05)
    seen = gains_seen(model, rule, queries=5_793)
    scores = model.scores[model.draw([model.mean] * 2, queries=1_000_000, rng=np.random.default_rng(3), kinship=0.0)]
    spread = (scores[0] - scores[1]).std()
    expected = [(norm.isf(0.05 * SteadyGamma()(t) / 2) + norm.ppf(0.8)) * spread / np.sqrt(5_793) for t in AT_CLAIMS]
    assert list(seen.values()) == pytest.approx(expected, rel=0.005)


def test_of_scores_only_the_overall_effect_can_be_drawn() -> None:
    model = BoardModel.of_scores(np.random.default_rng(1).random((50, 3)))
    rules = make_rules(["measure"], [SteadyGamma()], alpha=0.05, has_ranks=False)
    found = power_of_claims(model, RunEffect.OVERALL, 0.2, rules=rules, queries=500, pairs=5)
    assert [each.passed.estimate for each in found] == [1.0, 1.0, 1.0]
    with pytest.raises(InputError, match="effect: found 'ranking' with scores"):
        power_of_claims(model, RunEffect.RANKING, 0.2, rules=rules, queries=500, pairs=1)


REQUIRED = [
    ("measure", RunEffect.RANKING, 0.02, [0.90, 0.88, 0.85]),
    ("no_harm", RunEffect.ANSWERED, 0.01, [0.78, 0.77, 0.75]),
]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "effect", "gain", "least"), REQUIRED)
def test_the_power_that_is_asked_of_the_engine(
    name: RuleName, effect: RunEffect, gain: float, least: list[float]
) -> None:
    """Claims 1, 10 and 50 at 5,793 queries, in the sparse model of the simulator, of kin submissions."""
    found = shares(name, effect, gain, pairs=4_000)
    print(f"\npower of {name}, better by {gain:g} in {effect} alone, at claims 1, 10, 50: {found}")
    assert all(share >= bound for share, bound in zip(found, least, strict=True))
