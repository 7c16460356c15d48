"""A team that is no better: what it can see, and how far that takes it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

import numpy as np
import pytest
from numpy.typing import ArrayLike

from toprung.analyses.simulate.attack import ATTACKS, Attacker, attack
from toprung.boards.disclosure.release import FullRelease, Ladder, Release, ReleasedScore, RoundedRelease
from toprung.stats.models.board_model import ms_marco_like

# Two answers to each of four queries: the second is better for the first query, the first for the second.
SCORES = np.array([[0.0, 1.0, 0.5, 0.5], [1.0, 0.0, 0.5, 0.5]])


@dataclass(frozen=True, kw_only=True)
class Silent(Release):
    """Tells nobody anything."""

    best: float = 0.0

    def show(self, score: float, per_query: ArrayLike | None = None) -> tuple[ReleasedScore, Self]:  # noqa: ARG002 - protocol
        return ReleasedScore(shown=None, moved=False), replace(self)


def equally_good(queries: int, seed: int) -> np.ndarray:
    model = ms_marco_like()
    rng = np.random.default_rng(seed)
    return model.scores[model.draw([model.mean] * 2, queries=queries, rng=rng, kinship=0)]


class TestAttacker:
    def test_a_run_scores_by_its_picks_and_the_team_is_shown_what_is_released(self) -> None:
        attacker = Attacker(SCORES, FullRelease(), lots=np.random.default_rng(0))
        assert attacker.submit(np.array([False] * 4)) == 0.5
        assert attacker.submit(np.array([True, False, False, True])) == 0.75

    def test_inflation_is_over_the_mean_of_both_answers(self) -> None:
        attacker = Attacker(SCORES, RoundedRelease(digits=1), lots=np.random.default_rng(0))
        best = np.array([True, False, False, False])
        attacker.submit(best)
        found = attacker.inflation(best)
        assert (found.public, found.hidden, found.answers) == (pytest.approx(0.3), 0.25, 1)

    def test_what_does_not_move_a_ladder_is_not_heard(self) -> None:
        attacker = Attacker(SCORES, Ladder(step=0.3), lots=np.random.default_rng(0))
        assert attacker.submit(np.array([False] * 4)) is not None
        assert attacker.submit(np.array([True, False, False, True])) is None
        assert attacker.inflation(np.array([True, False, False, True])).answers == 1


@pytest.mark.parametrize("name", ATTACKS)
def test_few_queries_are_learned_altogether_from_full_scores(name: str) -> None:
    found = attack(name, SCORES, FullRelease(), submissions=200, rng=np.random.default_rng(1))
    assert (found.public, found.hidden) == (0.25, 0.25), "the best there is: 0.75 against 0.5"
    assert found.answers == 200


def test_climbing_goes_further_than_the_luckiest_of_as_many_random_runs() -> None:
    scores = equally_good(200, 3)
    rng = np.random.default_rng(4)
    random_runs = Attacker(scores, FullRelease(), lots=np.random.default_rng(0))
    for _ in range(400):
        picks = rng.random(200) < 0.5
        random_runs.submit(picks)
    luck = random_runs.inflation(picks).public
    climbed = attack("climb", scores, FullRelease(), submissions=400, rng=np.random.default_rng(5))
    print(f"\ninflation on 200 queries by 400 runs: the best of random ones {luck:.4f}, climbing {climbed.public:.4f}")
    assert climbed.public > 2 * luck


@pytest.mark.parametrize("name", ATTACKS)
def test_who_is_told_nothing_gains_nothing(name: str) -> None:
    gains = [
        attack(name, equally_good(500, seed), Silent(), submissions=200, rng=np.random.default_rng(seed)).hidden
        for seed in range(20)
    ]
    assert abs(np.mean(gains)) < 4 * np.std(gains) / np.sqrt(20)
    assert abs(np.mean(gains)) < 0.01


@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack_depends_on_its_seed_alone(name: str) -> None:
    scores = equally_good(100, 1)
    first, again = (attack(name, scores, Ladder(), submissions=50, rng=np.random.default_rng(7)) for _ in range(2))
    assert first == again


def strongest(release: Release, *, queries: int, submissions: int, teams: int) -> float:
    """The mean inflation of the public score by the stronger of the attacks."""
    return max(
        np.mean(
            [
                attack(
                    name,
                    equally_good(queries, team),
                    release,
                    submissions=submissions,
                    rng=np.random.default_rng([team, 1]),
                ).public
                for team in range(teams)
            ]
        )
        for name in ATTACKS
    )


def check_releases(*, queries: int, teams: int) -> None:
    """Of STATISTICS section 4: 0.069 full, 0.070 rounded to 3 digits, 0.005 with a Ladder of step 0.01."""
    releases = {"full": FullRelease(), "3 digits": RoundedRelease(), "Ladder 0.01": Ladder()}
    inflation = {
        name: strongest(release, queries=queries, submissions=1_000, teams=teams) for name, release in releases.items()
    }
    shown = ", ".join(f"{name} {value:.4f}" for name, value in inflation.items())
    print(f"\ninflation by 1,000 adaptive submissions on {queries:,} queries, {teams} teams: {shown}")
    assert inflation["full"] > 0.05
    assert inflation["3 digits"] > 0.9 * inflation["full"], "rounding does not protect"
    assert inflation["Ladder 0.01"] <= 0.01


def test_full_and_rounded_scores_can_be_climbed_and_a_ladder_cannot() -> None:
    check_releases(queries=3_500, teams=3)


@pytest.mark.slow
@pytest.mark.parametrize("queries", [3_000, 4_000, 5_793])
def test_full_and_rounded_scores_can_be_climbed_and_a_ladder_cannot_in_many_attacks(queries: int) -> None:
    check_releases(queries=queries, teams=40)
