"""What a participant is shown of a score on hidden queries."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from toprung.boards.disclosure.release import (
    FullRelease,
    Ladder,
    ParameterFreeLadder,
    Release,
    ReleasedScore,
    RoundedRelease,
)
from toprung.errors import InputError

SCORES = st.lists(st.floats(0, 1), min_size=1, max_size=30)
VECTORS = st.lists(st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0]), min_size=8, max_size=8), min_size=1, max_size=15)


def follow(state: Release, scores: list[float]) -> tuple[list[ReleasedScore], list[float]]:
    """What a team is told, and its public score after each run."""
    told, best = [], []
    for score in scores:
        answer, state = state.show(score)
        told.append(answer)
        best.append(state.best)
    return told, best


def test_the_ladder_of_the_statistics_page() -> None:
    told, best = follow(Ladder(step=0.01), [0.50, 0.505, 0.52, 0.515, 0.531])
    assert best == [0.50, 0.50, 0.52, 0.52, 0.53]
    assert [answer.shown for answer in told] == [0.50, None, 0.52, None, 0.53]
    assert [answer.moved for answer in told] == [True, False, True, False, True]


def test_a_run_exactly_one_step_above_does_not_move_the_ladder() -> None:
    assert 0.06 + 0.01 < 0.07  # in floating point
    assert follow(Ladder(step=0.01), [0.06, 0.07])[1] == [0.06, 0.06]
    assert follow(Ladder(step=0.01), [0.06, 0.070001])[1] == [0.06, 0.07]


def test_a_step_that_is_no_power_of_ten() -> None:
    assert follow(Ladder(step=0.025), [0.1, 0.14])[1] == [0.1, 0.15]  # 0.14 is 5.6 steps


def test_full_release_shows_every_score_and_rounding_its_digits() -> None:
    scores = [0.51239, 0.4, 0.61251]
    assert [answer.shown for answer in follow(FullRelease(), scores)[0]] == scores
    told, best = follow(RoundedRelease(digits=3), scores)
    assert [answer.shown for answer in told] == [0.512, 0.4, 0.613]
    assert best == [0.512, 0.512, 0.613]
    assert all(answer.moved for answer in told)


@given(scores=SCORES, step=st.sampled_from([0.001, 0.01, 0.03, 0.1]))
def test_a_ladder_never_falls_and_keeps_within_a_step_of_the_best_run(scores: list[float], step: float) -> None:
    told, best = follow(Ladder(step=step), scores)
    assert best == sorted(best)
    for place, (answer, score) in enumerate(zip(told, scores, strict=True)):
        if answer.moved:
            assert answer.shown == best[place]
            assert abs(best[place] - score) <= step / 2 + 1e-9
            assert place == 0 or score > best[place - 1] + step - 1e-9
        else:
            assert answer == ReleasedScore(shown=None, moved=False)
            assert score <= best[place] + step + 1e-9


@given(scores=SCORES, step=st.sampled_from([0.01, 0.05]))
def test_a_ladder_answers_no_more_often_than_it_has_steps(scores: list[float], step: float) -> None:
    told, best = follow(Ladder(step=step), scores)
    assert sum(answer.moved for answer in told) <= 2 + 2 * (best[-1] - best[0]) / step


def test_the_parameter_free_ladder_by_hand() -> None:
    # The first run is always shown: 0.5 of four queries.
    first, state = ParameterFreeLadder().show(0.5, [0, 0, 1, 1])
    assert first == ReleasedScore(shown=0.5, moved=True)
    # Differences 1, 1, 0, −1: mean 0.25, s = 0.957, s/√4 = 0.479 > 0.25.
    assert state.show(0.75, [1, 1, 1, 0]) == (ReleasedScore(shown=None, moved=False), state)
    # Differences 1, 0, 0, 0: mean 0.25, s = 0.5, s/√4 = 0.25, which is not beaten.
    assert state.show(0.75, [1, 0, 1, 1])[1] == state
    # Differences 1, 1, 0, 0: mean 0.5, s = 0.577, s/√4 = 0.289 < 0.5.
    second, state = state.show(1.0, [1, 1, 1, 1])
    assert second.shown == 1.0
    assert state.best_per_query == (1, 1, 1, 1)


def test_the_parameter_free_ladder_shows_multiples_of_one_over_n() -> None:
    assert ParameterFreeLadder().show(0.3, [0.1, 0.2, 0.3, 0.6])[0].shown == 0.25


def test_a_rise_that_rounds_away_is_not_shown_and_counts() -> None:
    _, state = ParameterFreeLadder().show(0.5, [0.5, 0.5, 0.5, 0.5])
    told, following = state.show(0.55, [0.55, 0.55, 0.55, 0.55])
    assert told == ReleasedScore(shown=None, moved=False)
    assert (following.best, following.best_per_query[0]) == (0.5, 0.55)


@given(vectors=VECTORS)
def test_the_parameter_free_ladder_never_falls(vectors: list[list[float]]) -> None:
    state, best = ParameterFreeLadder(), -math.inf
    for vector in vectors:
        told, state = state.show(sum(vector) / len(vector), vector)
        assert state.best >= best
        assert told.moved == (state.best > best)
        assert told.shown == (state.best if told.moved else None)
        best = state.best


def test_showing_leaves_the_state_as_it_was() -> None:
    state = Ladder()
    state.show(0.5)
    assert state == Ladder()


def test_an_adaptive_team_climbs_on_full_scores_and_not_on_the_ladder() -> None:
    """Keep every change that is told to help: on random labels nothing truly helps."""
    inflation = {type(release).__name__: attack(release) for release in (FullRelease(), RoundedRelease(), Ladder())}
    assert inflation["FullRelease"] > 0.1
    assert inflation["RoundedRelease"] > 0.1
    assert inflation["Ladder"] < 0.02


def attack(state: Release, n: int = 2_000, submissions: int = 1_000) -> float:
    rng = np.random.default_rng(7)
    labels, guess = rng.integers(0, 2, n), rng.integers(0, 2, n)
    first = float((guess == labels).mean())
    best = -math.inf
    for _ in range(submissions):
        tried = np.where(rng.random(n) < 0.01, 1 - guess, guess)
        told, state = state.show(float((tried == labels).mean()))
        if told.shown is not None and told.shown > best:
            guess, best = tried, told.shown
    return float((guess == labels).mean()) - first


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Ladder(step=0), "step: found 0"),
        (lambda: RoundedRelease(digits=-1), "digits: found -1"),
        (lambda: FullRelease().show(math.nan), "score: found nan"),
        (lambda: ParameterFreeLadder().show(0.5), "per_query: found nothing"),
        (lambda: ParameterFreeLadder().show(0.5, [0.5]), "found scores on 1 queries; expected at least 2"),
        (
            lambda: ParameterFreeLadder(best=0.5, best_per_query=(0.5, 0.5)).show(0.5, [0.5] * 3),
            "found scores on 3 queries; expected 2, as for the best run",
        ),
    ],
)
def test_what_cannot_be_released_is_refused(make: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        make()  # type: ignore[operator]
