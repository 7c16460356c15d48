"""Made-up submissions: their true quality, how they correlate, and values that follow from the normal distribution."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toprung.errors import InputError
from toprung.stats.models.board_model import CORRELATION, MOST_LEVELS, BoardModel, ms_marco_like

HALF = BoardModel(scores=np.array([0.0, 1.0]), shares=np.array([0.5, 0.5]), ranks=None, correlation=1 / 3)


def correlation(scores: np.ndarray) -> float:
    both_ways = np.corrcoef(scores)
    return float(both_ways[np.triu_indices(len(both_ways), k=1)].mean())


class TestByHand:
    def test_of_two_levels_alike_the_shift_is_a_normal_quantile(self) -> None:
        assert HALF.expected_score(1.0) == pytest.approx(0.841344746)
        assert HALF.shift_for(0.975) == pytest.approx(1.959963985)

    def test_of_two_levels_alike_the_correlation_is_that_of_signs(self) -> None:
        # Signs of two normals that correlate at ρ correlate at (2/π)·asin ρ: 1/3 for ρ = 1/2.
        assert HALF.latent == pytest.approx(0.5, abs=1e-3)

    def test_a_pilot_is_pooled_and_its_worst_level_is_a_miss(self) -> None:
        model = BoardModel.of_ranks([[1, 1], [0, 10], [10, 0], [1, 2]])
        assert model.ranks is not None
        assert model.ranks.tolist() == [0, 10, 2, 1]
        assert model.shares.tolist() == [0.25, 0.25, 0.125, 0.375]
        assert model.missed == 0.25
        assert model.mean == pytest.approx((3 + 0.5 + 0.2) / 8)

    def test_its_correlation_is_the_mean_over_pairs(self) -> None:
        # Columns 1 and 2 are the same, the third is their opposite: 1, −1, −1.
        model = BoardModel.of_scores([[1, 1, 4], [2, 2, 3], [3, 3, 2], [4, 4, 1]])
        assert model.correlation == pytest.approx(-1 / 3)
        assert model.latent == 0.0

    def test_one_run_says_nothing_of_correlation(self) -> None:
        assert BoardModel.of_scores([[0.1], [0.2]]).correlation == CORRELATION
        assert BoardModel.of_scores([[0.1, 0.5], [0.2, 0.5]]).correlation == CORRELATION

    def test_runs_that_are_the_same_can_be_modelled(self) -> None:
        model = BoardModel.of_scores([[0.1, 0.1], [0.2, 0.2], [0.6, 0.6]])
        drawn = model.draw([model.mean] * 2, queries=500, rng=np.random.default_rng(1), kinship=0)
        assert np.mean(drawn[0] == drawn[1]) > 0.95

    def test_a_value_that_is_missing_is_left_out(self) -> None:
        model = BoardModel.of_scores([[0.0, math.nan], [1.0, 1.0]])
        assert model.scores.tolist() == [0.0, 1.0]
        assert model.mean == pytest.approx(2 / 3)

    def test_many_different_scores_are_thinned_evenly(self) -> None:
        scores = np.linspace(0, 1, 5001)[:, None]
        model = BoardModel.of_scores(scores)
        assert len(model.scores) == MOST_LEVELS
        assert model.mean == pytest.approx(0.5)
        assert model.shares @ (model.scores - 0.5) ** 2 == pytest.approx(1 / 12, rel=1e-3)


def test_the_default_looks_like_ms_marco_document_ranking() -> None:
    model = ms_marco_like()
    assert model.mean == pytest.approx(0.4, abs=0.002)
    assert model.missed == pytest.approx(0.11)
    assert 0.25 < model.shares[-1] < 0.32
    scores = model.scores[model.draw([model.mean] * 12, queries=20_000, rng=np.random.default_rng(2), kinship=0)]
    assert scores.mean() == pytest.approx(0.4, abs=0.01)
    assert correlation(scores) == pytest.approx(0.6, abs=0.01)


def test_a_drawn_submission_has_its_quality() -> None:
    model = ms_marco_like()
    qualities = [model.mean + gain for gain in (-0.1, 0.0, 0.02, 0.2)]
    drawn = model.draw(qualities, queries=200_000, rng=np.random.default_rng(3))
    assert model.scores[drawn].mean(axis=1) == pytest.approx(qualities, abs=0.004)


def test_successive_submissions_are_more_alike_than_others() -> None:
    model = ms_marco_like()
    scores = model.scores[model.draw([model.mean] * 6, queries=20_000, rng=np.random.default_rng(4), kinship=0.8)]
    alike = np.corrcoef(scores)[0]
    assert alike[1] > alike[2] > alike[5] > 0.6
    assert scores.mean(axis=1) == pytest.approx([0.4] * 6, abs=0.01)


def test_a_pilot_drawn_from_a_model_gives_the_model_back() -> None:
    model = ms_marco_like()
    assert model.ranks is not None
    drawn = model.draw([model.mean] * 8, queries=5_000, rng=np.random.default_rng(5), kinship=0)
    found = BoardModel.of_ranks(model.ranks[drawn].T)
    assert found.mean == pytest.approx(model.mean, abs=0.015)
    assert found.missed == pytest.approx(model.missed, abs=0.015)
    assert found.latent == pytest.approx(model.latent, abs=0.03)


@given(st.floats(-0.3, 0.4))
@settings(max_examples=40)
def test_the_shift_gives_the_quality_it_was_asked_for(gain: float) -> None:
    model = ms_marco_like()
    assert model.expected_score(model.shift_for(model.mean + gain)) == pytest.approx(model.mean + gain, abs=1e-8)


def test_what_no_submission_can_score_is_refused() -> None:
    with pytest.raises(InputError, match=r"found an expected score of 1.2000; expected one between 0.00.* and 1.0000"):
        ms_marco_like().shift_for(1.2)


def test_a_constant_pilot_is_refused() -> None:
    with pytest.raises(InputError, match="Found 1 different score to model; expected at least two"):
        BoardModel.of_ranks([[1, 1], [1, 1]])
    with pytest.raises(InputError, match="Found 1 different score to model; expected at least two"):
        BoardModel.of_scores([[1e-300, 3e-300], [2e-300, 1e-300]])


def test_an_infinite_score_is_refused() -> None:
    with pytest.raises(InputError, match="Found an infinite score"):
        BoardModel.of_scores([[1, math.inf], [0, 1]])
