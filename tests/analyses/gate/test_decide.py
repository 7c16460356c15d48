from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from toprung.analyses.gate.decide import GateOutcome, decide_gate

ALIKE = np.tile([0.01, -0.01], 100)


@pytest.mark.parametrize(
    ("differences", "outcome", "code"),
    [
        (np.full(6, 0.1), GateOutcome.BETTER, 0),
        (np.full(6, -0.1), GateOutcome.LOSS, 1),
        (np.full(5, -0.1), GateOutcome.CANNOT_TELL, 3),
        (ALIKE, GateOutcome.NO_LOSS, 0),
        (np.zeros(5), GateOutcome.NO_LOSS, 0),
        (np.zeros(100), GateOutcome.NO_LOSS, 0),
        (np.array([0.1, -0.1, 0, 0, 0]), GateOutcome.CANNOT_TELL, 3),
    ],
)
def test_every_outcome_has_its_code(differences: np.ndarray, outcome: GateOutcome, code: int) -> None:
    """Of six queries that all differ one way p is 2⁻⁵, of five 2⁻⁴."""
    found = decide_gate(differences)
    assert found.outcome is outcome
    assert found.outcome.exit_code == code


def test_a_loss_must_pass_its_level_and_a_gain_only_alpha() -> None:
    """P = 0.03125."""
    assert decide_gate(np.full(6, -0.1), level=0.03).outcome is GateOutcome.CANNOT_TELL
    assert decide_gate(np.full(6, 0.1), level=0.03).outcome is GateOutcome.BETTER


def test_a_loss_that_is_shown_counts_also_within_the_margin() -> None:
    found = decide_gate(ALIKE - 0.005, margin=0.02)
    assert found.harm.is_excluded(1)
    assert found.outcome is GateOutcome.LOSS


def test_swapping_the_runs_turns_a_loss_into_a_gain() -> None:
    d = np.random.default_rng(1).normal(-0.1, 0.2, 80).clip(-1, 1)
    assert decide_gate(d).outcome is GateOutcome.LOSS
    assert decide_gate(-d).outcome is GateOutcome.BETTER


def test_the_bound_is_the_t_bound_with_two_imaginary_queries() -> None:
    d = np.random.default_rng(2).normal(0, 0.2, 80).clip(-1, 1)
    more = np.append(d, [1, -1])
    low = stats.ttest_1samp(more, 0, alternative="greater").confidence_interval(0.95).low
    assert decide_gate(d).worst == pytest.approx(-low)


def test_the_queries_that_would_tell_do_tell_four_times_in_five() -> None:
    rng = np.random.default_rng(3)
    pattern = np.tile([0.4, -0.4], 25)
    needed = decide_gate(pattern, margin=0.05).queries_needed
    assert needed is not None
    # By normal quantiles, without the imaginary queries: (1.645 + 0.842)² × 0.404² / 0.05² = 404.
    assert 404 < needed < 404 * 1.06
    draws = [rng.choice([0.4, -0.4], int(needed)) for _ in range(800)]
    told = np.mean([decide_gate(d, margin=0.05).outcome in (GateOutcome.NO_LOSS, GateOutcome.BETTER) for d in draws])
    assert told == pytest.approx(0.8, abs=0.06)


def test_one_query_does_not_say_how_many_would_tell() -> None:
    assert decide_gate(np.array([-0.1])).queries_needed == math.inf


def test_where_too_few_queries_differ_no_loss_can_be_seen() -> None:
    d = np.zeros(200)
    d[:5] = 0.2, -0.1, 0.3, -0.2, 0.1
    assert decide_gate(d, level=0.05).smallest_loss == math.inf  # at best p is 2⁻⁴
    assert math.isfinite(decide_gate(d, level=0.07).smallest_loss)
