import numpy as np
import pytest
from tests.stats.samples import decide_in_turn

from toprung.boards.engine.gains import smallest_gain
from toprung.errors import InputError
from toprung.stats.sequences.online import (
    Gamma,
    OnlineTest,
    PlannedGamma,
    PowerLawGamma,
    QuadraticGamma,
    SteadyGamma,
)

GAMMAS: list[Gamma] = [
    QuadraticGamma(),
    SteadyGamma(),
    SteadyGamma(lead=0),
    PowerLawGamma(exponent=1.5),
    PowerLawGamma(exponent=3),
    PlannedGamma(claims=20),
    PlannedGamma(claims=1, reserve=0.5, exponent=1.2),
    PlannedGamma(claims=7, reserve=0),
]


def test_the_levels_of_the_statistics_page_by_quadratic():
    found = decide_in_turn([0.01, 0.03, 0.5, 0.001], OnlineTest(gamma=QuadraticGamma()))
    assert [each.level for each in found] == pytest.approx([0.025, 0.033333, 0.0375, 0.0025], abs=5e-7)
    assert [each.is_rejected for each in found] == [True, True, False, True]


def test_the_levels_of_the_statistics_page_by_steady():
    levels = [0.05 * SteadyGamma()(t) for t in (1, 2, 3, 10, 50, 100)]
    assert levels == pytest.approx([0.002221, 0.001949, 0.001729, 0.000906, 0.000174, 0.000070], abs=5e-7)
    assert 11**-1.5 / SteadyGamma()(1) == pytest.approx(0.617039, abs=5e-7), "ζ(1.5, 11)"


def test_steady_on_the_sequence_of_the_statistics_page():
    found = decide_in_turn([0.001, 0.003, 0.5, 0.0015, 0.0001])
    assert [each.level for each in found] == pytest.approx([0.002221, 0.004170, 0.005899, 0.001547, 0.002942], abs=5e-7)
    assert [each.is_rejected for each in found] == [True, True, False, True, True]


def test_the_smallest_gains_of_the_statistics_page():
    gains = [smallest_gain(0.42, 5_793, level=0.05 * SteadyGamma()(t)) for t in (1, 10, 50, 100)]
    assert gains == pytest.approx([0.021524, 0.022955, 0.025357, 0.026582], abs=5e-7)


def test_what_may_not_pass_is_not_rejected_and_hands_nothing_on():
    decision, state = OnlineTest().decide(0.0, may_pass=False)
    assert not decision.is_rejected
    assert state.next_level == pytest.approx(0.001949, abs=5e-7)


def test_p_at_its_level_is_within_it_and_where_no_level_is_left_nothing_passes():
    state = OnlineTest()
    assert state.decide(state.next_level)[0].is_rejected
    assert not state.decide(np.nextafter(state.next_level, 1))[0].is_rejected
    spent = OnlineTest(gamma=PlannedGamma(claims=1, reserve=0), tested=1)
    assert spent.next_level == 0
    assert not spent.decide(0.0)[0].is_rejected


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
    without_stop = decide_in_turn(p_values, OnlineTest(gamma=PlannedGamma(claims=3)))
    assert levels == [each.level for each in without_stop]


@pytest.mark.parametrize("gamma", GAMMAS)
def test_family_wise_error_stays_below_its_level(gamma: Gamma):
    rng = np.random.default_rng(8)
    p_values = rng.random((2000, 30))
    any_rejected = [any(each.is_rejected for each in decide_in_turn(row, OnlineTest(gamma=gamma))) for row in p_values]
    assert np.mean(any_rejected) <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 2000)


def test_what_makes_no_sense_is_refused():
    with pytest.raises(InputError, match="exponent"):
        PowerLawGamma(exponent=1)
    with pytest.raises(InputError, match="claims"):
        PlannedGamma(claims=0)
    with pytest.raises(InputError, match="lead"):
        SteadyGamma(lead=-1)
    with pytest.raises(InputError, match="reserve"):
        PlannedGamma(claims=3, reserve=1)
    with pytest.raises(InputError, match="p: found"):
        OnlineTest().decide(1.5)
    with pytest.raises(InputError, match="alpha"):
        OnlineTest(alpha=5)
