"""Do the intervals hold, and is what a model's labels can save saved? Simulated boards with a biased model.

``pytest -m slow -s tests/analyses/estimate/test_coverage.py`` prints the figures of docs/design/estimate.md.
"""

from __future__ import annotations

import numpy as np
import pytest
from tests.analyses.estimate.simulated_boards import BiasedModel, find_ideal, make_world, simulate_boards

from toprung.boards.engine.top_group import find_top_group
from toprung.data.matrices import ScoreTable
from toprung.stats.models.corrected import correct_scores, worth_in_queries

SIZES = ((13, 200), (26, 200), (200, 1000))
STRONG, FAIR, BLIND = (
    BiasedModel(sees=0.97, likes_long=0.2, likes_family=0.2),
    BiasedModel(sees=0.9),
    BiasedModel(sees=0),
)


@pytest.mark.parametrize(("judged", "queries"), SIZES)
def test_intervals_hold_and_most_of_the_saving_is_reached(judged: int, queries: int) -> None:
    found = simulate_boards(STRONG, judged=judged, queries=queries, worlds=3, boards=100)
    assert found.pairs_covered >= 0.94
    assert found.means_covered >= 0.92
    assert found.reached >= 0.8


def test_a_blind_model_costs_little() -> None:
    found = simulate_boards(BLIND, judged=13, queries=200, worlds=3, boards=100)
    assert found.saved >= -0.10
    assert found.pairs_covered >= 0.94


def share_told_apart_wrongly(judged: int, queries: int, *, worlds: int, boards: int, n_runs: int = 8) -> float:
    """Of boards whose runs are equal for people, while the model likes some more."""
    rng, wrong = np.random.default_rng(5), []
    for _ in range(worlds):
        world = make_world(FAIR, rng, n_runs=n_runs)
        people = world.people - world.people.mean(axis=0)
        for _ in range(boards):
            drawn = rng.integers(0, len(people), queries)
            model = world.model[drawn]
            found = correct_scores(people[drawn[:judged]], model[:judged], model[judged:]).values
            table = ScoreTable(
                query_ids=tuple(f"q{number:04}" for number in range(judged)),
                runs=tuple(f"run{number}" for number in range(n_runs)),
                values=found,
                measure="nDCG@10",
            )
            wrong.append(bool(find_top_group(table, resamples=500).is_better.any()))
    return float(np.mean(wrong))


def test_equal_runs_are_rarely_told_apart_though_the_model_is_biased() -> None:
    assert share_told_apart_wrongly(26, 200, worlds=2, boards=50) <= 0.10


@pytest.mark.slow
@pytest.mark.parametrize("n_runs", [8, 2])
@pytest.mark.parametrize(("judged", "queries"), SIZES)
@pytest.mark.parametrize("model", [STRONG, FAIR, BiasedModel(sees=0.5), BLIND], ids=["strong", "fair", "weak", "blind"])
def test_all_at_full_size(model: BiasedModel, judged: int, queries: int, n_runs: int) -> None:
    found = simulate_boards(model, judged=judged, queries=queries, worlds=20, boards=100, n_runs=n_runs, seed=7)
    print(f"\n{model}, {n_runs} runs, {judged} of {queries}, {found.boards} boards: {found}")
    assert found.pairs_covered >= 0.94
    assert found.means_covered >= 0.94 - 2 * found.means_se
    assert found.saved >= (-0.10 if judged == 13 else -0.05)
    if n_runs > 2 and found.possible >= 0.05:
        assert found.reached >= 0.8


@pytest.mark.slow
@pytest.mark.parametrize("n_runs", [8, 2])
@pytest.mark.parametrize(("judged", "queries"), SIZES)
def test_top_groups_at_full_size(judged: int, queries: int, n_runs: int) -> None:
    found = share_told_apart_wrongly(judged, queries, worlds=10, boards=100, n_runs=n_runs)
    print(f"\n{n_runs} equal runs, {judged} of {queries}: told apart in {found:.3f} of 1,000 boards")
    assert found <= 0.07  # .05, and what 1,000 boards may add by chance


@pytest.mark.slow
@pytest.mark.parametrize(("judged", "queries"), SIZES)
@pytest.mark.parametrize("model", [STRONG, FAIR], ids=["strong", "fair"])
def test_worth_in_queries_is_right_in_the_mean(model: BiasedModel, judged: int, queries: int) -> None:
    rng, worth, truths = np.random.default_rng(3), [], []
    for _ in range(10):
        world = make_world(model, rng)
        best, alone, _ = find_ideal(world, judged / queries)
        for _ in range(50):
            drawn = rng.integers(0, len(world.people), queries)
            scores = world.model[drawn]
            found = correct_scores(world.people[drawn[:judged]], scores[:judged], scores[judged:])
            worth.append(worth_in_queries(found.people, found.values, most=queries))
            truths.append(judged * alone / best)
    mean, truth = np.mean([each.estimate for each in worth]), np.mean(truths)
    held = np.mean([each.low <= true <= each.high for each, true in zip(worth, truths, strict=True)])
    print(f"\n{model}, {judged} of {queries}: worth {truth:.1f}, found {mean:.1f}; intervals hold {held:.3f}")
    assert mean == pytest.approx(truth, rel=0.1)
