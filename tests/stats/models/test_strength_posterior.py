from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import expit

from toprung.stats.inputs import Floats
from toprung.stats.models.bradley_terry import fit_strengths
from toprung.stats.models.strength_posterior import find_posterior, p_best, spread_points

CYCLE = np.array([[0, 1, 0], [0, 0, 1], [1, 0, 0]], dtype=float)


def transitive(n: int) -> Floats:
    """Each item beats all behind it once."""
    return np.triu(np.ones((n, n)), k=1)


def exact_p_best(wins: Floats, *, penalty: float = 0.4, points: int, reach: float = 8.0) -> Floats:
    """P(best) by a fine grid over the posterior, in the space of strengths that sum to 0."""
    n = len(wins)
    basis = np.linalg.qr(np.column_stack([np.ones(n), np.eye(n)[:, : n - 1]]))[0][:, 1:]
    axes = np.meshgrid(*[np.linspace(-reach, reach, points)] * (n - 1), indexing="ij")
    strengths = np.stack(axes, axis=-1).reshape(-1, n - 1) @ basis.T
    log_posterior = -penalty / 2 * (strengths**2).sum(axis=1)
    for i in range(n):
        for j in range(n):
            log_posterior -= wins[i, j] * np.logaddexp(0, strengths[:, j] - strengths[:, i])
    weights = np.exp(log_posterior - log_posterior.max())
    is_best = np.isclose(strengths, strengths.max(axis=1, keepdims=True))
    shares = weights[:, None] * is_best / is_best.sum(axis=1, keepdims=True)
    return np.asarray(shares.sum(axis=0) / weights.sum())


@pytest.mark.parametrize("penalty", [0.4, 1.0, 3.0])
@pytest.mark.parametrize(
    "wins",
    [
        np.array([[0, 1], [0, 0.0]]),
        np.array([[0, 3], [0, 0.0]]),
        np.array([[0, 2], [1, 0.0]]),
        transitive(3),
        3 * transitive(3),
        np.array([[0, 1, 1], [0, 0, 0], [0, 0, 0.0]]),
        np.array([[0, 2, 3], [1, 0, 2], [0, 1, 0.0]]),
        CYCLE,
    ],
)
def test_p_best_agrees_with_integration_on_a_grid(wins: Floats, penalty: float) -> None:
    exact = exact_p_best(wins, penalty=penalty, points=4001 if len(wins) == 2 else 401)
    found = p_best(find_posterior(wins, penalty=penalty))[0]
    assert found == pytest.approx(exact, abs=0.0005 if len(wins) == 2 else 0.015)


def test_p_best_of_four_items_agrees_with_integration_on_a_grid() -> None:
    found = p_best(find_posterior(transitive(4), penalty=0.4))[0]
    assert found == pytest.approx(exact_p_best(transitive(4), points=81), abs=0.015)


def test_the_mean_of_a_pair_is_that_of_its_posterior() -> None:
    from scipy.integrate import quad
    from scipy.stats import norm

    # three votes to one: the difference has the prior variance 2 / 0.4
    def density(lead: float) -> float:
        return float(norm.pdf(lead, scale=np.sqrt(5)) * expit(lead) ** 3 * expit(-lead))

    mass, first, second = (quad(lambda x, k=k: x**k * density(x), -30, 30)[0] for k in (0, 1, 2))
    found = find_posterior([[0, 3], [1, 0]], penalty=0.4)
    lead = np.array([1, -1])
    assert found.mean[0] @ lead == pytest.approx(first / mass, abs=6e-3)
    assert lead @ found.covariance[0] @ lead == pytest.approx(second / mass - (first / mass) ** 2, abs=0.03)


# Winner and loser of seven votes among four items.
SEVEN = ((0, 1), (0, 2), (1, 2), (0, 1), (3, 0), (2, 3), (1, 3))


def wins_of(votes: tuple[tuple[int, int], ...]) -> Floats:
    wins = np.zeros((4, 4))
    for winner, loser in votes:
        wins[winner, loser] += 1
    return wins


@pytest.mark.parametrize(
    ("penalty", "mean", "variances"),
    [
        (0.4, (0.7833, 0.1165, -0.4494, -0.4504), (1.2195, 1.1848, 1.3149, 1.3170)),
        (1.0, (0.5041, 0.0525, -0.2782, -0.2784), (0.6228, 0.6149, 0.6702, 0.6705)),
    ],
)
def test_the_posterior_is_that_of_choix(penalty: float, mean: tuple[float, ...], variances: tuple[float, ...]) -> None:
    # choix 0.4.1: ep_pairwise(4, SEVEN, alpha=penalty, model="logit"), which takes votes one by one
    found = find_posterior(wins_of(SEVEN), penalty=penalty)
    assert found.mean[0] == pytest.approx(mean, abs=0.003)
    assert np.diag(found.covariance[0]) == pytest.approx(variances, abs=0.004)


@pytest.mark.parametrize(
    ("penalty", "values"), [(0.4, (0.6493, 0.0968, -0.3731, -0.3731)), (1.0, (0.4576, 0.0501, -0.2539, -0.2539))]
)
def test_the_peak_is_that_of_choix(penalty: float, values: tuple[float, ...]) -> None:
    # choix 0.4.1: opt_pairwise(4, SEVEN, alpha=penalty / 2)
    assert fit_strengths(wins_of(SEVEN), penalty=penalty).values[0] == pytest.approx(values, abs=5e-5)


def test_with_a_tie_rate_a_tie_says_that_two_are_near() -> None:
    as_half_wins = find_posterior([[0, 1], [1, 0]])
    as_ties = find_posterior([[0, 1], [1, 0]], tie_rate=0.5)
    lead = np.array([1, -1])
    assert as_ties.mean == pytest.approx(np.zeros((1, 2)), abs=1e-6)
    # log(2 cosh(δ/2) + 2ν) is flatter at 0 than without ν: 1 / (4 (1 + ν)) instead of 1/4
    assert lead @ as_ties.covariance[0] @ lead > lead @ as_half_wins.covariance[0] @ lead


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    n_items=st.integers(2, 6),
    most=st.integers(1, 9),
    tolerance=st.sampled_from([1e-4, 1e-2]),
)
def test_a_pool_has_the_same_figures_whichever_pools_stand_beside_it(
    seed: int, n_items: int, most: int, tolerance: float
) -> None:
    wins = np.random.default_rng(seed).integers(0, most + 1, size=(7, n_items, n_items)) * (1.0 - np.eye(n_items))
    wins[1:3] *= np.array([0, 9])[:, None, None]  # nothing judged, and many votes: soon at rest, and late
    together = find_posterior(wins, tolerance=tolerance)
    for place, alone in enumerate(find_posterior(each, tolerance=tolerance) for each in wins):
        assert together.mean[place] == pytest.approx(alone.mean[0], abs=1e-12)
        assert together.covariance[place] == pytest.approx(alone.covariance[0], abs=1e-12)
        assert p_best(together)[place] == pytest.approx(p_best(alone)[0], abs=1e-12)


def test_places_nobody_has_change_nothing() -> None:
    padded = np.zeros((5, 5))
    padded[:3, :3] = transitive(3)
    found, wide = find_posterior(transitive(3)), find_posterior(padded)
    assert wide.mean[0, :3] == pytest.approx(found.mean[0], abs=1e-9)
    among = np.array([[True, True, True, False, False]])
    assert p_best(wide, among=among)[0, 3:].tolist() == [0, 0]
    assert p_best(wide, among=among)[0, :3] == pytest.approx(p_best(found)[0], abs=0.01)


def test_p_best_sums_to_one_and_items_never_judged_share_it() -> None:
    found = p_best(find_posterior(np.zeros((1, 4, 4))))[0]
    assert found.sum() == pytest.approx(1)
    assert found == pytest.approx([0.25] * 4, abs=0.01)


def test_a_single_item_is_best() -> None:
    assert p_best(find_posterior([[0.0]]))[0] == pytest.approx([1.0])


@pytest.mark.parametrize("n_items", [3, 6, 12, 30])
def test_the_points_give_p_best_as_many_draws_do(n_items: int) -> None:
    rng = np.random.default_rng(n_items)
    centre, spread = rng.normal(size=(20, n_items, 1)), rng.normal(size=(20, n_items, n_items)) / np.sqrt(n_items)
    shares = []
    for points in (spread_points(n_items), rng.standard_normal((n_items, 20_000))):
        drawn = centre + spread @ points
        shares.append((drawn == drawn.max(axis=1, keepdims=True)).mean(axis=2))
    off = shares[0] - shares[1]
    assert np.sqrt((off[shares[1] > 0.05] ** 2).mean()) < 0.006  # of which 0.003 are those of the draws
    assert np.abs(off).max() < 0.02


@pytest.mark.parametrize("penalty", [0.14, 0.4, 1, 3])
@pytest.mark.parametrize(("won", "lost"), [(1, 0), (3, 3), (9, 1), (20, 10), (30, 0), (100, 100)])
def test_many_votes_on_one_pair_leave_the_doubt_that_integration_says(won: int, lost: int, penalty: float) -> None:
    lead = np.linspace(-30, 30, 60_001)  # by hand: the prior variance of a difference is 2/λ
    log_p = -penalty * lead**2 / 4 - won * np.logaddexp(0, -lead) - lost * np.logaddexp(0, lead)
    mass = np.exp(log_p - log_p.max())
    mass /= mass.sum()
    mean = (mass * lead).sum()
    found = find_posterior([[0, won], [lost, 0]], penalty=penalty)
    covariance = found.covariance[0]
    assert found.mean[0, 0] - found.mean[0, 1] == pytest.approx(mean, abs=0.005)
    variance = covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1]
    assert variance == pytest.approx((mass * (lead - mean) ** 2).sum(), rel=0.01)
