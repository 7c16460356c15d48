import numpy as np
import pytest

from toprung.errors import InputError
from toprung.stats.online import (
    Gamma,
    OnlineTest,
    PlannedGamma,
    PowerLawGamma,
    QuadraticGamma,
    alpha_spending,
    online_fallback,
)

GAMMAS: list[Gamma] = [
    QuadraticGamma(),
    PowerLawGamma(exponent=1.5),
    PowerLawGamma(exponent=3),
    PlannedGamma(claims=20),
    PlannedGamma(claims=1, reserve=0.5, exponent=1.2),
    PlannedGamma(claims=7, reserve=0),
]


def test_the_levels_of_the_statistics_page():
    found = online_fallback([0.01, 0.03, 0.5, 0.001])
    assert found.levels == pytest.approx([0.025, 0.033333, 0.0375, 0.0025], abs=5e-7)
    assert found.is_rejected.tolist() == [True, True, False, True]


def test_spending_hands_nothing_on():
    found = alpha_spending([0.01, 0.03, 0.5, 0.001])
    assert found.levels == pytest.approx([0.025, 0.05 / 6, 0.05 / 12, 0.0025])
    assert found.is_rejected.tolist() == [True, False, False, True]


def test_the_twentieth_claim_keeps_what_the_statistics_page_says():
    assert 0.05 * QuadraticGamma()(20) == pytest.approx(0.00012, abs=1e-6)


@pytest.mark.parametrize("gamma", GAMMAS)
def test_a_sequence_spends_no_more_than_all_and_never_rises(gamma: Gamma):
    shares = np.array([gamma(t) for t in range(1, 5001)])
    assert shares.sum() <= 1 + 1e-12
    assert (np.diff(shares) <= 1e-15).all()
    assert (shares >= 0).all()


def test_sequences_sum_to_one_in_the_end():
    assert sum(PowerLawGamma(exponent=3)(t) for t in range(1, 5001)) == pytest.approx(1, abs=1e-6)
    assert sum(PlannedGamma(claims=20, exponent=3)(t) for t in range(1, 5001)) == pytest.approx(1, abs=1e-4)


def test_a_board_can_stop_and_go_on():
    p_values = [0.01, 0.03, 0.5, 0.001, 0.2]
    state, levels = OnlineTest(gamma=PlannedGamma(claims=3)), []
    for p in p_values:
        stored = (state.tested, state.carried)
        decision, state = OnlineTest(gamma=PlannedGamma(claims=3), tested=stored[0], carried=stored[1]).decide(p)
        levels.append(decision.level)
    assert levels == online_fallback(p_values, gamma=PlannedGamma(claims=3)).levels.tolist()


@pytest.mark.parametrize("gamma", GAMMAS)
def test_family_wise_error_stays_below_its_level(gamma: Gamma):
    rng = np.random.default_rng(8)
    p_values = rng.random((2000, 30))
    any_rejected = [online_fallback(row, gamma=gamma).is_rejected.any() for row in p_values]
    assert np.mean(any_rejected) <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 2000)


def test_no_claims_no_decisions():
    assert online_fallback([]).levels.tolist() == []


def test_what_makes_no_sense_is_refused():
    with pytest.raises(InputError, match="exponent"):
        PowerLawGamma(exponent=1)
    with pytest.raises(InputError, match="claims"):
        PlannedGamma(claims=0)
    with pytest.raises(InputError, match="reserve"):
        PlannedGamma(claims=3, reserve=1)
    with pytest.raises(InputError, match="p: found"):
        online_fallback([1.5])
    with pytest.raises(InputError, match="alpha"):
        online_fallback([0.5], alpha=5)
